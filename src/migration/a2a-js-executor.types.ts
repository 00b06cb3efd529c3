/**
 * The line of `@a2a-js/sdk` that an executor was written for.
 *
 * @publicApi
 */
export type A2AJsSdkLine = '1' | '0.3';

/**
 * What executors of `@a2a-js/sdk` publish to. Its own types are narrower in each line; this is what they share.
 *
 * @publicApi
 */
export interface A2AJsEventBus {
  publish(event: unknown): void;
  on(eventName: 'event' | 'finished', listener: (event: unknown) => void): this;
  off(eventName: 'event' | 'finished', listener: (event: unknown) => void): this;
  once(eventName: 'event' | 'finished', listener: (event: unknown) => void): this;
  removeAllListeners(eventName?: 'event' | 'finished'): this;
  finished(): void;
}

/**
 * What executors of `@a2a-js/sdk` are given; the rest of it depends on the line.
 *
 * @publicApi
 */
export interface A2AJsRequestContext {
  readonly userMessage: unknown;
  readonly taskId: string;
  readonly contextId: string;
}

/**
 * An executor as `@a2a-js/sdk` has it, of either line.
 *
 * @publicApi
 */
export interface A2AJsExecutor {
  execute(requestContext: A2AJsRequestContext, eventBus: A2AJsEventBus): Promise<void>;
  cancelTask(taskId: string, eventBus: A2AJsEventBus): Promise<void>;
}

/**
 * How {@link fromA2AJsExecutor} reads an executor.
 *
 * @publicApi
 */
export interface A2AJsExecutorOptions {
  /** The line that it was written for. Default `'1'`. */
  readonly sdk?: A2AJsSdkLine;
}
