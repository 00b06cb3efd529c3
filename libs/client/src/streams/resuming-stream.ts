import { decodeStreamResponse, isInterrupted, isTerminal, type StreamResponse, TaskState } from 'nestjs-a2a/protocol';
import type { AgentCalls, CallOptions } from '../calls/agent-calls.js';
import { decoded } from '../calls/decoded.js';
import { isTemporary, retryAfterOf } from '../calls/temporary-failure.js';
import { A2AClientError } from '../client-error.js';
import type { TaskView } from '../task/task-view.js';
import type { StreamingMethod, WireFrame } from '../transport/a2a-transport.js';
import { MissingSnapshotError } from '../transport/missing-snapshot.error.js';
import { cannotSubscribe } from './cannot-subscribe.js';
import { ResumeBudget } from './resume-budget.js';
import { pollTask, type PollingOptions } from './task-poller.js';

/** A stream to begin, and how to keep it going. */
export interface ResumingStreamOptions {
  readonly method: StreamingMethod;
  readonly params: object;
  /** Of the task that is subscribed to. */
  readonly taskId?: string;
  readonly call: CallOptions;
  readonly polling: PollingOptions;
  /** Whether a stream that breaks is taken up again. */
  readonly resume: boolean;
  /** How often in all, of connections that did not last. */
  readonly maxResumes: number;
}

/** How many subscriptions in a row may close without anything new before that is taken for the agent's word. */
const MAX_IDLE_CLOSES = 2;

/**
 * Reads a stream to the end of its task, over as many connections as it takes. What a connection missed is told by the
 * next one: by its frames when the agent can go on after a frame's id, else by the snapshot a subscription begins with,
 * of which only what is new is told on.
 */
export class ResumingStream {
  private lastEventId: string | undefined;
  private connections = 0;
  private failures = 0;
  private idleCloses = 0;
  private readonly budget: ResumeBudget;

  constructor(
    private readonly calls: AgentCalls,
    private readonly view: TaskView,
    private readonly options: ResumingStreamOptions,
  ) {
    this.budget = new ResumeBudget(options.maxResumes);
  }

  // One generator: each more would cost every event a few turns.
  async *events(): AsyncGenerator<StreamResponse, void, undefined> {
    const scope = this.calls.scopeOf(this.options.call);
    const { signal } = scope;
    const call = { ...this.options.call, signal };
    try {
      for (;;) {
        let news = 0;
        let fault: unknown;
        try {
          for await (const frame of this.connect(call)) {
            for (const event of this.eventsOf(frame)) {
              if (this.view.isNews(event)) news += 1;
              yield this.seen(event);
            }
            // A frame without an id leaves the place unknown: an older id would bring it again.
            if (frame.unfinished !== true) this.lastEventId = usableId(frame.id);
            if (this.isOver() || (frame.last === true && frame.unfinished !== true)) return;
          }
        } catch (error) {
          fault = error;
        }
        // An agent that is silent for long is no failure.
        if (!isStalled(fault)) this.budget.closed();
        signal.throwIfAborted();
        if (this.isClosed(fault, news)) return;
        const taskId = this.view.taskId ?? this.options.taskId;
        if (taskId !== undefined && this.mustPoll(fault)) {
          const stopsAtQuestion = this.isSend;
          for await (const event of pollTask(
            this.calls,
            taskId,
            this.view,
            { ...call, stopsAtQuestion },
            this.options.polling,
          )) {
            yield this.seen(event);
          }
          return;
        }
        if (taskId === undefined || !this.options.resume) throw fault ?? brokenOff();
        await this.pause(fault, news, signal);
      }
    } finally {
      scope.end();
    }
  }

  private get isSend(): boolean {
    return this.options.method === 'SendStreamingMessage';
  }

  private mustPoll(fault: unknown): boolean {
    return fault instanceof MissingSnapshotError || (this.connections > 1 && cannotSubscribe(fault));
  }

  private connect(call: CallOptions): AsyncIterable<WireFrame> {
    this.connections += 1;
    this.budget.opened();
    const { method, params } = this.options;
    const taskId = this.view.taskId ?? this.options.taskId;
    if (this.connections === 1 || taskId === undefined) return this.calls.open(method, params, call);
    return this.calls.open('SubscribeToTask', { id: taskId }, call, this.lastEventId);
  }

  private eventsOf({ response, unfinished = false }: WireFrame): StreamResponse[] {
    const event = decoded(decodeStreamResponse, response);
    // Not the task itself: making it for every frame would make long streams quadratic.
    const isKnown = this.view.taskId !== undefined;
    // It will come again, and then with its id; only an end needs no more than itself.
    if (unfinished && this.options.resume && isKnown && !isEnd(event)) return [];
    return 'task' in event && this.connections > 1 && isKnown ? this.view.missing(event.task) : [event];
  }

  private seen(event: StreamResponse): StreamResponse {
    this.view.apply(event);
    return event;
  }

  /** Is there nothing more to come, whether or not the agent has closed? */
  private isOver(): boolean {
    const { state, message } = this.view;
    if (state === undefined) return message !== undefined;
    // A send ends where the agent asks; the subscription that took its place would not.
    return isTerminal(state) || (this.isSend && this.connections > 1 && state === TaskState.INPUT_REQUIRED);
  }

  /** Is this close, clean or not, the end? @throws the fault when it is one that nothing mends */
  private isClosed(fault: unknown, news: number): boolean {
    const { state, taskId } = this.view;
    if (fault === undefined) {
      if (taskId === undefined || (state !== undefined && isInterrupted(state)) || !this.options.resume) return true;
      this.idleCloses = this.connections > 1 && news === 0 ? this.idleCloses + 1 : 0;
      return this.idleCloses >= MAX_IDLE_CLOSES;
    }
    if (this.mustPoll(fault)) return false;
    if (!isTemporary(fault)) throw fault;
    return this.isSend && state === TaskState.INPUT_REQUIRED;
  }

  private async pause(fault: unknown, news: number, signal: AbortSignal): Promise<void> {
    this.failures = news > 0 || isStalled(fault) || fault === undefined ? 1 : this.failures + 1;
    if (this.budget.isSpent) throw this.neverLasted(fault);
    const { backoff } = this.calls;
    const delay = backoff.delay(
      Math.max(this.failures, Math.min(this.budget.level, backoff.attempts)),
      retryAfterOf(fault),
    );
    if (delay === undefined) throw fault ?? brokenOff();
    await this.calls.wait(delay, signal);
  }

  private neverLasted(cause: unknown): A2AClientError {
    const { maxResumes } = this.options;
    return new A2AClientError(
      'STREAM_BROKEN',
      `The stream was taken up ${maxResumes} times and never lasted: raise maxResumes if that is how this agent works`,
      { cause },
    );
  }
}

/** An id that can be sent back as a header. */
function usableId(id: string | undefined): string | undefined {
  return id !== undefined && /^[\x21-\x7e]{1,256}$/.test(id) ? id : undefined;
}

function isEnd(event: StreamResponse): boolean {
  if ('message' in event) return true;
  if ('task' in event) return isTerminal(event.task.status.state);
  return 'statusUpdate' in event && isTerminal(event.statusUpdate.status.state);
}

function isStalled(fault: unknown): boolean {
  return fault instanceof A2AClientError && fault.code === 'STALLED';
}

function brokenOff(): A2AClientError {
  return new A2AClientError('STREAM_BROKEN', 'The stream ended before its task did');
}
