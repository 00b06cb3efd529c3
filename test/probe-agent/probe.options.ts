import { parseArgs } from 'node:util';
import type { AgentCardInput, A2AModuleOptions } from 'nestjs-a2a';
import { PROBE_EXTENSION } from './probe.executor.js';

/** How a probe agent is started. */
export interface ProbeOptions {
  readonly port: number;
  readonly adapter: 'express' | 'fastify';
  readonly users: boolean;
  readonly module: A2AModuleOptions;
}

/** Reads the probe's command line. @throws TypeError on an unknown flag */
export function probeOptions(args: readonly string[]): ProbeOptions {
  const { values } = parseArgs({
    args: [...args],
    options: {
      port: { type: 'string', default: '4100' },
      adapter: { type: 'string', default: 'express' },
      'slash-aliases': { type: 'boolean', default: false },
      'tenant-routes': { type: 'boolean', default: false },
      'no-streaming': { type: 'boolean', default: false },
      // There are no push notifications yet, so this is how it is without the flag too.
      'no-push': { type: 'boolean', default: false },
      'required-extension': { type: 'string' },
      users: { type: 'boolean', default: false },
      heartbeat: { type: 'string' },
      'agent-timeout': { type: 'string' },
    },
  });
  if (values.adapter !== 'express' && values.adapter !== 'fastify') {
    throw new TypeError(`--adapter is express or fastify, not ${values.adapter}`);
  }
  return {
    port: Number(values.port),
    adapter: values.adapter,
    users: values.users,
    module: {
      agentCard: probeCard({ streaming: !values['no-streaming'], requiredExtension: values['required-extension'] }),
      slashActionAliasesEnabled: values['slash-aliases'],
      tenantRoutes: values['tenant-routes'],
      ...(values.heartbeat !== undefined && { heartbeatIntervalSeconds: Number(values.heartbeat) }),
      ...(values['agent-timeout'] !== undefined && { agentTimeoutSeconds: Number(values['agent-timeout']) }),
    },
  };
}

/** The probe's card. */
export function probeCard(flags: { streaming?: boolean; requiredExtension?: string | undefined } = {}): AgentCardInput {
  const { streaming = true, requiredExtension } = flags;
  return {
    name: 'Probe',
    description: 'A test instrument: the first word of a message says what it does',
    defaultInputModes: ['text/plain', 'application/json', 'text/csv'],
    defaultOutputModes: ['text/plain', 'application/json'],
    capabilities: {
      ...(streaming ? {} : { streaming: false }),
      extensions: [
        { uri: PROBE_EXTENSION, description: 'Echoed by whoami' },
        ...(requiredExtension === undefined ? [] : [{ uri: requiredExtension, required: true }]),
      ],
    },
    skills: [{ id: 'probe', name: 'Probe', description: 'Does what it is told', tags: ['test'] }],
  };
}
