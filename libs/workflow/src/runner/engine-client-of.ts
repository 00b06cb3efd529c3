import { DefaultWorkflowEngineClient } from '../client/default-workflow-engine-client.js';
import { workflowEngineClientConfig } from '../client/workflow-engine-client.config.js';
import type { WorkflowEngineClient } from '../client/workflow-engine-client.js';
import { WorkflowArgumentError } from '../errors/workflow.error.js';
import type { PsopRunOptions } from './psop-options.js';

/** The client of a run: the one that is given, or one of its own. */
export function engineClientOf(options: Partial<PsopRunOptions>): WorkflowEngineClient {
  const { engineClient, agentCards, a2aClientRuntime, clientOptions } = options;
  const { sslVerify, caCertsPath, credentialsConfigPath } = options;
  if (engineClient) {
    const makings = [agentCards, a2aClientRuntime, clientOptions, sslVerify, caCertsPath, credentialsConfigPath];
    if (makings.every((making) => making === undefined)) return engineClient;
    throw new WorkflowArgumentError(
      'engineClient cannot be combined with agentCards, a2aClientRuntime, TLS, or credentials settings',
    );
  }
  const own = Object.entries({ sslVerify, caCertsPath, credentialsConfigPath }).filter(
    ([, value]) => value !== undefined,
  );
  const config = workflowEngineClientConfig({ ...clientOptions, ...Object.fromEntries(own) });
  return new DefaultWorkflowEngineClient(agentCards ?? [], { config, runtime: a2aClientRuntime });
}
