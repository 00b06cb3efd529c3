import { ContextIdFactory, ModuleRef, type DiscoveryService } from '@nestjs/core';
import { A2A_AGENT_PATH, A2A_SETTINGS } from '../a2a.constants.js';
import {
  manyAuthorizationsMessage,
  manyExecutorsMessage,
  noExecutorMessage,
  notAnAuthorizationMessage,
  notAnExecutorMessage,
  samePathMessage,
} from '../a2a.messages.js';
import { PerCallAuthorization } from '../authorization/per-call-authorization.js';
import { TaskAuthorizationProvider } from '../authorization/task-authorization.provider.js';
import { A2AConfigurationError } from '../config/a2a-configuration.error.js';
import type { ExecutorSource } from '../execution/executor.source.js';
import { AgentExecutor } from './agent-executor.js';
import type { ServerCallContext } from './server-call-context.js';

type Wrapper = ReturnType<DiscoveryService['getProviders']>[number];
const AUTHORIZATION_METHODS = ['checkCreate', 'checkRead', 'checkWrite', 'isTaskRecorded', 'recordOwnership'];

type Seam = typeof AgentExecutor | typeof TaskAuthorizationProvider;

/**
 * The parts of an agent that its host declares: those given to `forRoot()`, else the one there is among the app's
 * providers. They are looked for once every provider of the app exists.
 */
export class AgentParts implements ExecutorSource {
  private source: ExecutorSource | undefined;
  private authorizing: TaskAuthorizationProvider | undefined;

  constructor(
    private readonly moduleRef: ModuleRef,
    private readonly discovery: DiscoveryService,
  ) {}

  /** @throws A2AConfigurationError when there is no executor, or more than one to choose from */
  find(): void {
    this.source = this.ownExecutor() ?? this.declaredExecutor();
    this.authorizing = this.authorizationOf(this.ownWrapper(TaskAuthorizationProvider) ?? this.declaredAuthorization());
  }

  /** @throws A2AConfigurationError when another agent of the app has this path as well */
  checkPath(path: string): void {
    const others = this.wrappers().filter(({ token, instance }) => token === A2A_AGENT_PATH && instance === path);
    if (others.length > 1) throw fault('path', samePathMessage(path));
  }

  get authorization(): TaskAuthorizationProvider | undefined {
    return this.authorizing;
  }

  executorFor(call: ServerCallContext): AgentExecutor | Promise<AgentExecutor> {
    if (this.source === undefined) throw new Error('The executor is looked for when the module is initialised');
    return this.source.executorFor(call);
  }

  private ownExecutor(): ExecutorSource | undefined {
    const wrapper = this.ownWrapper(AgentExecutor);
    return wrapper && this.executorSourceOf(wrapper);
  }

  private declaredExecutor(): ExecutorSource {
    const found = this.declared(AgentExecutor);
    const [wrapper] = found;
    if (wrapper === undefined) throw fault('executor', noExecutorMessage());
    if (found.length > 1) throw fault('executor', manyExecutorsMessage(found.map(nameOf)));
    return this.executorSourceOf(wrapper);
  }

  /** One for the whole app, or a new one for each run, with the call's own request. */
  private executorSourceOf(wrapper: Wrapper): ExecutorSource {
    if (this.isStatic(wrapper)) return fixed(this.get<unknown>(wrapper));
    return { executorFor: (call) => this.resolve<AgentExecutor>(wrapper, call) };
  }

  private declaredAuthorization(): Wrapper | undefined {
    const found = this.declared(TaskAuthorizationProvider);
    if (found.length > 1) throw fault('providers', manyAuthorizationsMessage(found.map(nameOf)));
    return found[0];
  }

  private authorizationOf(wrapper: Wrapper | undefined): TaskAuthorizationProvider | undefined {
    if (wrapper === undefined) return undefined;
    if (this.isStatic(wrapper)) return checked(this.get<unknown>(wrapper));
    return new PerCallAuthorization((call) => this.resolve<TaskAuthorizationProvider>(wrapper, call));
  }

  private ownWrapper(token: Seam): Wrapper | undefined {
    return this.wrappers().find((entry) => entry.token === token && this.isOwn(entry));
  }

  /** Providers of the host that are of this kind, by their class or by their token. */
  private declared(seam: Seam): Wrapper[] {
    const all = this.wrappers().filter(
      (entry) => !isOfAnAgent(entry) && (entry.token === seam || isKindOf(this.classOf(entry), seam)),
    );
    // Another name for one that is there is no other one. It counts for a class that is of the kind by its shape only.
    const tokens = new Set<unknown>(all.map(({ token }) => token));
    const found = all.filter(
      (entry) => !entry.isAlias || (entry.token === seam && !entry.inject?.some((token) => tokens.has(token))),
    );
    // The same class may be listed in several modules; it is one choice all the same.
    const seen = new Set<unknown>();
    return found.filter((entry) => {
      const identity = this.classOf(entry) ?? entry.token;
      return !seen.has(identity) && seen.add(identity);
    });
  }

  private wrappers(): Wrapper[] {
    return this.discovery.getProviders();
  }

  private isOwn(wrapper: Wrapper): boolean {
    return wrapper.host?.getProviderByKey(AgentParts)?.instance === this;
  }

  private isStatic(wrapper: Wrapper): boolean {
    return wrapper.isDependencyTreeStatic() && !wrapper.isTransient;
  }

  private classOf(wrapper: Wrapper): unknown {
    const instance: unknown = this.isStatic(wrapper) ? wrapper.instance : undefined;
    const made = typeof instance === 'object' && instance !== null ? instance.constructor : undefined;
    return made !== undefined && made !== Object ? made : wrapper.inject ? undefined : wrapper.metatype;
  }

  private get<T>(wrapper: Wrapper): T {
    return this.moduleRefOf(wrapper).get<T>(wrapper.token, { strict: true });
  }

  private async resolve<T>(wrapper: Wrapper, call: ServerCallContext): Promise<T> {
    const contextId = ContextIdFactory.create();
    this.moduleRef.registerRequestByContextId(call.request ?? {}, contextId);
    return this.moduleRefOf(wrapper).resolve<T>(wrapper.token, contextId, { strict: true });
  }

  /** Of the module that declares it: another agent's may have the same token. */
  private moduleRefOf(wrapper: Wrapper): ModuleRef {
    return wrapper.host?.getProviderByKey<ModuleRef>(ModuleRef)?.instance ?? this.moduleRef;
  }
}

function fixed(executor: unknown): ExecutorSource {
  if (!isExecutor(executor)) throw fault('executor', notAnExecutorMessage());
  return { executorFor: () => executor };
}

/** Who forgets a question must learn it at the start, and not when somebody is refused. */
function checked(provider: unknown): TaskAuthorizationProvider {
  if (isAuthorization(provider)) return provider;
  throw fault('providers', notAnAuthorizationMessage(missingMethods(provider)));
}

function isAuthorization(value: unknown): value is TaskAuthorizationProvider {
  return missingMethods(value).length === 0;
}

function missingMethods(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return AUTHORIZATION_METHODS;
  return AUTHORIZATION_METHODS.filter((name) => typeof Reflect.get(value, name) !== 'function');
}

/** What was given to another agent of the app is not up for choice. */
function isOfAnAgent(wrapper: Wrapper): boolean {
  return wrapper.host?.providers.has(A2A_SETTINGS) === true;
}

function isKindOf(candidate: unknown, seam: Seam): boolean {
  return typeof candidate === 'function' && candidate.prototype instanceof seam;
}

function nameOf({ name }: Wrapper): string {
  return typeof name === 'symbol' ? name.toString() : String(name);
}

function fault(option: string, description: string): A2AConfigurationError {
  return new A2AConfigurationError([{ option, description }]);
}

function isExecutor(value: unknown): value is AgentExecutor {
  return typeof value === 'object' && value !== null && 'execute' in value && typeof value.execute === 'function';
}
