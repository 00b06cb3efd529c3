import type {
  CanActivate,
  InjectionToken,
  ModuleMetadata,
  OptionalFactoryDependency,
  Provider,
  Type,
} from '@nestjs/common';
import type { AgentExecutor } from './agent/agent-executor.js';
import type { SkillFunction, SkillSource } from './agent/skills/skill-source.js';
import type { AuthenticationScheme } from './authentication/authentication-scheme.js';

/**
 * An executor as a provider without its token.
 *
 * @publicApi
 */
export type ExecutorProvider =
  | { readonly useClass: Type<AgentExecutor> }
  | { readonly useValue: AgentExecutor }
  | { readonly useExisting: InjectionToken }
  | {
      readonly useFactory: (...args: never[]) => AgentExecutor | Promise<AgentExecutor>;
      readonly inject?: (InjectionToken | OptionalFactoryDependency)[];
    };

/**
 * A scheme: made already, a class, or a provider without its token, which may inject a secret.
 *
 * @publicApi
 */
export type AuthenticationEntry =
  | AuthenticationScheme
  | Type<AuthenticationScheme>
  | { readonly useClass: Type<AuthenticationScheme> }
  | { readonly useExisting: InjectionToken }
  | {
      readonly useFactory: (...args: never[]) => AuthenticationScheme | Promise<AuthenticationScheme>;
      readonly inject?: (InjectionToken | OptionalFactoryDependency)[];
    };

/**
 * Where the card's further skills come from: a source made already, a function, a class, or a provider without its
 * token.
 *
 * @publicApi
 */
export type SkillsEntry =
  | SkillSource
  | SkillFunction
  | Type<SkillSource>
  | { readonly useClass: Type<SkillSource> }
  | { readonly useExisting: InjectionToken }
  | {
      readonly useFactory: (...args: never[]) => SkillSource | Promise<SkillSource>;
      readonly inject?: (InjectionToken | OptionalFactoryDependency)[];
    };

/**
 * What shapes the module itself, and so is given at once, also with `forRootAsync`.
 *
 * @publicApi
 */
export interface A2AModuleExtras {
  /** Makes the exported providers visible in the whole app. Default false. */
  isGlobal?: boolean;
  /**
   * The agent's own path, before everything it serves, its card too: `'weather'` gives
   * `/weather/.well-known/agent-card.json`. Needed for all agents of an app but one. Default `''`.
   */
  path?: string;
  /** The agent. Default: the one AgentExecutor among the app's providers. */
  executor?: Type<AgentExecutor> | ExecutorProvider;
  /**
   * Skills of the card besides those that its author wrote; each caller finds in a card what that caller may see.
   * Default: none.
   */
  skills?: SkillsEntry;
  /** Modules whose exported providers the executor and the seams inject. */
  imports?: ModuleMetadata['imports'];
  /** Further providers. One for a seam (TaskStore, TaskEventBus, UserResolver …) replaces its default. */
  providers?: Provider[];
  /** False: the host brings controllers of its own, which extend `A2AJsonRpcController` and its kin. Default true. */
  controllers?: boolean;
  /**
   * How callers prove who they are. Each scheme is told in the card and checked on the agent's routes, the card excepted,
   * before {@link guards}. What is needed of them the card's `securityRequirements` say; without those, any one scheme
   * will do. Default: none, callers are who the host's guards say.
   */
  authentication?: readonly AuthenticationEntry[];
  /** Guards of the agent's routes, the card excepted. */
  guards?: Type<CanActivate>[];
}
