import type { Provider } from '@nestjs/common';
import { ModulesContainer } from '@nestjs/core';
import { isRecord } from 'nestjs-a2a/protocol';
import type { A2AClient } from '../a2a-client.js';
import type { A2AAgentAsyncEntry, A2AAgentEntry, A2AClientModuleOptions } from './a2a-client-module.options.js';
import { A2AClientHealthIndicator } from './a2a-client.health-indicator.js';
import { getA2AClientToken, getClientRootToken } from './a2a-client.tokens.js';
import { ClientRoot, invalid } from './client-root.js';

/** Injection token of the options as they were given. */
export const A2A_CLIENT_OPTIONS = Symbol.for('nestjs-a2a.client-options');

/** What a root has. */
export function rootProviders(root: string | undefined): Provider[] {
  const token = getClientRootToken(root);
  return [
    {
      provide: token,
      useFactory: (options: A2AClientModuleOptions, modules: ModulesContainer): ClientRoot => {
        checkIsOnlyRoot(token, root, modules);
        return new ClientRoot(options);
      },
      inject: [A2A_CLIENT_OPTIONS, ModulesContainer],
    },
    {
      provide: getA2AClientToken(undefined, root),
      useFactory: ({ unbound }: ClientRoot): A2AClient => unbound,
      inject: [token],
    },
    A2AClientHealthIndicator,
  ];
}

/** What other modules may inject of a root. */
export function rootExports(root: string | undefined) {
  return [getClientRootToken(root), getA2AClientToken(undefined, root), A2AClientHealthIndicator];
}

/** The client of one agent. */
export function agentProvider(agent: A2AAgentEntry, root: string | undefined): Provider {
  return {
    provide: getA2AClientToken(agent.name, root),
    useFactory: (found?: ClientRoot): A2AClient => theRoot(found, root).client(agent),
    inject: [{ token: getClientRootToken(root), optional: true }],
  };
}

/** The same where the settings come later. */
export function asyncAgentProviders(agent: A2AAgentAsyncEntry, root: string | undefined): Provider[] {
  const { name, useFactory, inject = [] } = agent;
  const settings = Symbol(`settings of the A2A client ${name}`);
  return [
    { provide: settings, useFactory, inject },
    {
      provide: getA2AClientToken(name, root),
      useFactory: (given: A2AAgentEntry, found?: ClientRoot): A2AClient =>
        theRoot(found, root).client({ ...given, name }),
      inject: [settings, { token: getClientRootToken(root), optional: true }],
    },
  ];
}

/** Two of one name would be two pools, of which each module finds whichever Nest finds first. */
function checkIsOnlyRoot(token: string, root: string | undefined, modules: ModulesContainer): void {
  const count = [...modules.values()].filter(({ providers }) => providers.has(token)).length;
  if (count < 2) return;
  throw invalid(
    `There are ${count} A2AClientModule.forRoot() ${called(root)}. Keep one, in the module of the app, ` +
      'or tell them apart: forRoot({ root: … }) and forFeature(agents, root)',
  );
}

function theRoot(found: ClientRoot | undefined, root: string | undefined): ClientRoot {
  if (found !== undefined) return found;
  throw invalid(
    `A2AClientModule.forFeature() finds no A2AClientModule.forRoot() ${called(root)}. ` +
      'Import it once, in the module of the app',
  );
}

function called(root: string | undefined): string {
  return root === undefined ? 'without a `root` name' : `with the \`root\` name “${root}”`;
}

/**
 * Whether each agent of a list has a name of its own: of two of one name, Nest would keep the last and say nothing.
 *
 * @throws A2AClientError `INVALID_CONFIGURATION`
 */
export function checkAgents(agents: unknown): void {
  if (!Array.isArray(agents)) throw invalid('A2AClientModule.forFeature() takes a list of agents: [{ name, url }]');
  const names = new Set<string>();
  for (const agent of agents) {
    const name: unknown = isRecord(agent) ? agent['name'] : undefined;
    if (typeof name !== 'string' || name.trim() === '') {
      throw invalid('An agent in A2AClientModule.forFeature() has no name: give it the one for @InjectA2AClient(name)');
    }
    if (names.has(name)) throw invalid(`Two agents of one list are called “${name}”: give one of them another name`);
    names.add(name);
  }
}
