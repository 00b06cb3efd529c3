import type { ApplicationConfig } from '@nestjs/core';
import { takenPathMessage } from '../a2a.messages.js';
import { A2AConfigurationError } from '../config/a2a-configuration.error.js';

// One list an app; it ends with the app.
const claims = new WeakMap<ApplicationConfig, Map<string, string>>();

/**
 * Keeps paths for one agent of an app.
 *
 * @throws A2AConfigurationError when another agent is served at one of them: Express would give it to whoever came first
 */
export function claimPaths(app: ApplicationConfig, agentPath: string, paths: readonly string[]): void {
  const taken = claims.get(app) ?? new Map<string, string>();
  claims.set(app, taken);
  for (const path of paths) {
    // Express takes no notice of letter case by default.
    const key = path.toLowerCase();
    const other = taken.get(key) ?? agentPath;
    if (other !== agentPath) {
      throw new A2AConfigurationError([{ option: 'path', description: takenPathMessage(path, [other, agentPath]) }]);
    }
    taken.set(key, agentPath);
  }
}
