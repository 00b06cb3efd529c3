import { ContextIdFactory, type DiscoveryService, type ModuleRef } from '@nestjs/core';
import { A2A_AGENT_PATH, A2A_SETTINGS } from '../a2a.constants.js';
import {
  manyAuthorizationsMessage,
  manyExecutorsMessage,
  noExecutorMessage,
  notAnExecutorMessage,
  samePathMessage,
} from '../a2a.messages.js';
import { TaskAuthorizationProvider } from '../authorization/task-authorization.provider.js';
import { A2AConfigurationError } from '../config/a2a-configuration.error.js';
import type { ExecutorSource } from '../execution/executor.source.js';
import { AgentExecutor } from './agent-executor.js';
import type { ServerCallContext } from './server-call-context.js';

type Wrapper = ReturnType<DiscoveryService['getProviders']>[number];
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
    this.authorizing = this.own<TaskAuthorizationProvider>(TaskAuthorizationProvider) ?? this.declaredAuthorization();
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
    const wrapper = this.wrappers().find((entry) => entry.token === AgentExecutor && this.isOwn(entry));
    if (wrapper === undefined) return undefined;
    return this.isStatic(wrapper)
      ? fixed(this.moduleRef.get<unknown>(AgentExecutor, { strict: true }))
      : this.resolving(AgentExecutor, true);
  }

  private declaredExecutor(): ExecutorSource {
    const found = this.declared(AgentExecutor);
    const [wrapper] = found;
    if (wrapper === undefined) throw fault('executor', noExecutorMessage());
    if (found.length > 1) throw fault('executor', manyExecutorsMessage(found.map(nameOf)));
    const { token } = wrapper;
    return this.isStatic(wrapper) ? fixed(this.moduleRef.get(token, { strict: false })) : this.resolving(token, false);
  }

  private declaredAuthorization(): TaskAuthorizationProvider | undefined {
    const found = this.declared(TaskAuthorizationProvider);
    if (found.length > 1) throw fault('providers', manyAuthorizationsMessage(found.map(nameOf)));
    const [wrapper] = found;
    return wrapper && this.moduleRef.get<TaskAuthorizationProvider>(wrapper.token, { strict: false });
  }

  private own<T>(token: Seam): T | undefined {
    const wrapper = this.wrappers().find((entry) => entry.token === token && this.isOwn(entry));
    return wrapper && this.moduleRef.get<T>(token, { strict: true });
  }

  /** Providers of the host that are of this kind, by their class or by their token. */
  private declared(seam: Seam): Wrapper[] {
    const found = this.wrappers().filter(
      (entry) => !entry.isAlias && !isOfAnAgent(entry) && (entry.token === seam || isKindOf(this.classOf(entry), seam)),
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

  /** A new executor for each run, with the call's own request. */
  private resolving(token: Wrapper['token'], strict: boolean): ExecutorSource {
    return {
      executorFor: async (call) => {
        const contextId = ContextIdFactory.create();
        this.moduleRef.registerRequestByContextId(call.request ?? {}, contextId);
        return this.moduleRef.resolve<AgentExecutor>(token, contextId, { strict });
      },
    };
  }
}

function fixed(executor: unknown): ExecutorSource {
  if (!isExecutor(executor)) throw fault('executor', notAnExecutorMessage());
  return { executorFor: () => executor };
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
