import type { INestApplicationContext, Type } from '@nestjs/common';
import {
  A2A_AGENT_PATH,
  A2AModule,
  RequestHandler,
  type A2AModuleExtras,
  type A2AModuleOptions,
  type AgentExecutor,
} from 'nestjs-a2a';

/**
 * What `A2AModule.forRoot()` takes, as far as it matters without HTTP. The card needs no more than a name, and has one.
 *
 * @publicApi
 */
export type TestAgentOptions = Omit<A2AModuleOptions, 'enabled'> &
  Pick<A2AModuleExtras, 'imports' | 'path' | 'providers'>;

const DEFAULTS: TestAgentOptions = {
  agentCard: { name: 'test agent', skills: [{ name: 'test' }] },
  // A test that ends while its agent still works does not wait for it.
  shutdownTimeoutSeconds: 0,
};

/** Makes and starts an app context with one agent. */
export async function startAgent(
  executor: Type<AgentExecutor> | AgentExecutor,
  options: TestAgentOptions,
): Promise<INestApplicationContext> {
  // Loaded here, so that who only runs a contract suite needs no @nestjs/testing.
  const { Test } = await import('@nestjs/testing');
  const agent = A2AModule.forRoot({
    ...DEFAULTS,
    ...options,
    executor: typeof executor === 'function' ? executor : { useValue: executor },
  });
  const module = await Test.createTestingModule({ imports: [agent] }).compile();
  return module.init();
}

/** The operations of the agent at `path`, or of the only one. @throws Error that names the paths there are */
export function handlerOf(app: INestApplicationContext, path: string | undefined): RequestHandler {
  const handlers = app.get(RequestHandler, { strict: false, each: true });
  const [only] = handlers;
  if (path === undefined && only && handlers.length === 1) return only;
  // Both lists are in the order of the modules, and each agent is a module with one of both.
  const paths: string[] = app.get(A2A_AGENT_PATH, { strict: false, each: true });
  const index = paths.findIndex((known) => path !== undefined && withoutSlashes(known) === withoutSlashes(path));
  const handler = paths.length === handlers.length ? handlers[index] : undefined;
  if (handler) return handler;
  const known = paths.map((each) => `'${each}'`).join(', ');
  throw new Error(
    path === undefined
      ? `The module has ${handlers.length} agents: name one by its path (${known}).`
      : `The module has no agent with the path '${path}', only ${known}.`,
  );
}

function withoutSlashes(path: string): string {
  return path.replace(/^\/+|\/+$/g, '');
}
