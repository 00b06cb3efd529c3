import type { AgentCardFault } from './agent-card.error.js';

/** What reading a card brings to light: faults stop the start, warnings are logged. */
export class CardFindings {
  readonly faults: AgentCardFault[] = [];
  readonly warnings: string[] = [];

  fault(path: string, description: string): void {
    this.faults.push({ path, description });
  }

  ignored(path: string, why: string): void {
    this.warnings.push(`${path} is ignored: ${why}`);
  }
}
