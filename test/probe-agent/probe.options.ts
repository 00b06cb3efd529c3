import { parseArgs } from 'node:util';
import type { AgentCardInput, A2AModuleExtras, A2AModuleOptions } from 'nestjs-a2a';
import { isProbeAuth, probeAuthentication } from './probe.authentication.js';
import { PROBE_EXTENSION } from './probe.executor.js';

/** How a probe agent is started. */
export interface ProbeOptions {
  readonly port: number;
  readonly adapter: 'express' | 'fastify';
  /** Whether a guard believes callers who say who they are. */
  readonly users: boolean;
  readonly module: A2AModuleOptions & Pick<A2AModuleExtras, 'authentication'>;
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
      'no-push': { type: 'boolean', default: false },
      'required-extension': { type: 'string' },
      auth: { type: 'string', default: 'none' },
      users: { type: 'boolean', default: false },
      heartbeat: { type: 'string' },
      'agent-timeout': { type: 'string' },
    },
  });
  if (values.adapter !== 'express' && values.adapter !== 'fastify') {
    throw new TypeError(`--adapter is express or fastify, not ${values.adapter}`);
  }
  if (!isProbeAuth(values.auth)) throw new TypeError(`--auth is none, bearer or apikey, not ${values.auth}`);
  return {
    port: Number(values.port),
    adapter: values.adapter,
    // With --auth bearer the scheme itself knows the users: a guard before it would refuse the secret.
    users: values.users && values.auth !== 'bearer',
    module: {
      authentication: probeAuthentication(values.auth, values.users),
      agentCard: probeCard({ streaming: !values['no-streaming'], requiredExtension: values['required-extension'] }),
      slashActionAliasesEnabled: values['slash-aliases'],
      tenantRoutes: values['tenant-routes'],
      // Receivers of a test listen on loopback.
      ...(values['no-push'] ? { push: false } : { pushUrlValidator: () => true }),
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
