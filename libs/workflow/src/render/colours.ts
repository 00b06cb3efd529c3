import type { StepState } from './step-state.js';

/** Fill and line of a step. The line differs in darkness as well, for who does not see colours. */
export interface StepColours {
  readonly fill: string;
  readonly line: string;
}

export const COLOURS: Readonly<Record<StepState | 'plain', StepColours>> = {
  plain: { fill: '#eef2f7', line: '#44546a' },
  success: { fill: '#e3f4e4', line: '#1e6b2b' },
  failed: { fill: '#fbe3e1', line: '#8f1d14' },
  skipped: { fill: '#f6f6f6', line: '#9a9a9a' },
};
