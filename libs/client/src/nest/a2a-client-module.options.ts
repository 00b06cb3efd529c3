import type { InjectionToken, ModuleMetadata, OptionalFactoryDependency } from '@nestjs/common';
import type { A2AClientOptions } from '../client-options.js';

/**
 * Options of `A2AClientModule.forRoot`: what holds for all agents, unless one has something else. `credentials` given
 * here are shown to every agent that is named; as a rule they belong to one.
 *
 * @publicApi
 */
export type A2AClientModuleOptions = A2AClientOptions;

/**
 * What shapes the module itself, and so is given at once, also with `forRootAsync`.
 *
 * @publicApi
 */
export interface A2AClientModuleExtras {
  /** What this root is called. Needed for all roots of an app but one. */
  readonly root?: string;
}

/**
 * Where an agent is, and what is special about it. What is given here replaces what `forRoot` says; of `limits`, `retry`
 * and `polling` member by member, and `interceptors` come after those of the root.
 *
 * @publicApi
 */
export interface A2AAgentSettings extends A2AClientOptions {
  /** Of the agent, or of its card. Read at the first call. */
  readonly url: string | URL;
}

/**
 * An agent with the name under which its client is injected.
 *
 * @publicApi
 */
export interface A2AAgentEntry extends A2AAgentSettings {
  readonly name: string;
}

/**
 * An agent whose settings come later, from `ConfigService` for example.
 *
 * @publicApi
 */
export interface A2AAgentAsyncEntry {
  readonly name: string;
  readonly imports?: ModuleMetadata['imports'];
  readonly inject?: (InjectionToken | OptionalFactoryDependency)[];
  readonly useFactory: (...args: never[]) => A2AAgentSettings | Promise<A2AAgentSettings>;
}
