import { Logger } from '@nestjs/common';
import { isRecord, TaskNotCancelableError } from 'nestjs-a2a/protocol';
import type { AgentEmitter } from '../agent/agent-emitter.js';
import { AgentExecutor } from '../agent/agent-executor.js';
import type { RequestContext } from '../agent/request-context.js';
import { A2AConfigurationError } from '../config/a2a-configuration.error.js';
import { textOfThrown } from '../thrown-value.js';
import type { A2AJsExecutor, A2AJsExecutorOptions } from './a2a-js-executor.types.js';
import type { A2AJsLine } from './a2a-js-line.js';
import { A2AJsPublisher } from './a2a-js-publisher.js';
import { A2AJsRunBus } from './a2a-js-run-bus.js';
import { A2A_JS_V03 } from './a2a-js-v03.line.js';
import { A2A_JS_V1 } from './a2a-js-v1.line.js';

const LINES: ReadonlyMap<unknown, A2AJsLine> = new Map([A2A_JS_V1, A2A_JS_V03].map((line) => [line.name, line]));
const REFUSALS: ReadonlySet<unknown> = new Set([-32002, -32004, 'TASK_NOT_CANCELABLE', 'UNSUPPORTED_OPERATION']);

/**
 * Serves an executor that was written for `@a2a-js/sdk`, unchanged.
 *
 * ```ts
 * A2AModule.forRoot({ agentCard, executor: { useFactory: () => fromA2AJsExecutor(new MyExecutor()) } })
 * ```
 *
 * The SDK itself is not needed for it: only what the executor imports of it.
 *
 * @throws A2AConfigurationError when it is no such executor, or of no line that is known
 * @publicApi
 */
export function fromA2AJsExecutor(executor: A2AJsExecutor, options: A2AJsExecutorOptions = {}): AgentExecutor {
  const line = LINES.get(options.sdk ?? A2A_JS_V1.name);
  if (line === undefined) {
    throw new A2AConfigurationError([{ option: 'sdk', description: `must be one of ${[...LINES.keys()].join(', ')}` }]);
  }
  const given: unknown = executor;
  if (typeof given !== 'object' || given === null || !('execute' in given) || typeof given.execute !== 'function') {
    const description = 'has no execute() method: pass an executor of @a2a-js/sdk to fromA2AJsExecutor()';
    throw new A2AConfigurationError([{ option: 'executor', description }]);
  }
  return new A2AJsExecutorAdapter(executor, line);
}

class A2AJsExecutorAdapter extends AgentExecutor {
  private readonly logger = new Logger('fromA2AJsExecutor');
  /** The bus of each live run, which is the one of its cancellation as well. */
  private readonly buses = new WeakMap<AgentEmitter, A2AJsRunBus>();

  constructor(
    private readonly executor: A2AJsExecutor,
    private readonly line: A2AJsLine,
  ) {
    super();
  }

  override async execute(context: RequestContext, emitter: AgentEmitter): Promise<void> {
    const bus = this.busOf(context, emitter);
    try {
      await this.run(context, bus);
    } finally {
      bus.listener = undefined;
    }
    await bus.settled();
  }

  override async cancel(context: RequestContext, emitter: AgentEmitter): Promise<void> {
    const { taskId } = context;
    const bus = this.busOf(context, emitter);
    try {
      bus.canceling = true;
      await this.executor.cancelTask(taskId, bus);
      if (bus.over) bus.listener?.over();
    } catch (cause) {
      bus.canceling = false;
      throw isRefusal(cause) ? new TaskNotCancelableError(taskId, undefined, { cause }) : cause;
    }
    await bus.settled();
  }

  /** @returns when the executor has returned, or has said that nothing more is to come */
  private run(context: RequestContext, bus: A2AJsRunBus): Promise<void> {
    return new Promise((resolve, reject) => {
      let returned = false;
      const onOver = (): void => {
        if (returned || bus.canceling || bus.finishedByExecutor) resolve();
      };
      bus.listener = { over: onOver, failed: reject };
      const onReturn = (): void => {
        returned = true;
        if (!this.line.returnsEarly || bus.over || bus.waits) return resolve();
        // Whoever goes on in the background is given the time until the run is aborted.
        context.signal.addEventListener('abort', () => resolve(), { once: true });
        if (context.signal.aborted) resolve();
      };
      const onFailure = (error: unknown): void => {
        if (bus.finishedByExecutor || bus.canceling) {
          this.logger.warn(
            `Task ${context.taskId}: the executor failed after its run was over: ${textOfThrown(error)}`,
          );
        }
        reject(error);
      };
      this.started(context, bus).then(onReturn, onFailure);
    });
  }

  private async started(context: RequestContext, bus: A2AJsRunBus): Promise<void> {
    await this.executor.execute(this.line.contextOf(context), bus);
  }

  private busOf(context: RequestContext, emitter: AgentEmitter): A2AJsRunBus {
    const known = this.buses.get(emitter);
    if (known !== undefined) return known;
    const { taskId, contextId } = context;
    const publisher = new A2AJsPublisher(context, emitter);
    const bus = new A2AJsRunBus({ taskId, contextId }, this.line, publisher, this.logger);
    this.buses.set(emitter, bus);
    return bus;
  }
}

/** In either line, and in any copy of the SDK. */
function isRefusal(error: unknown): boolean {
  return isRecord(error) && (REFUSALS.has(error['code']) || REFUSALS.has(error['reason']));
}
