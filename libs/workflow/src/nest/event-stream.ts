import type { MessageEvent } from '@nestjs/common';
import { Observable } from 'rxjs';
import type { WorkflowEvent } from '../control/event-data.js';
import { WorkflowStateError } from '../errors/workflow.error.js';
import type { NumberedEvent } from '../runner/event-feed.js';
import { plainEvent } from '../runner/plain-event.js';
import type { WorkflowRun } from '../runner/workflow-run.js';

const MAX_BEHIND = 10_000;

/**
 * How the events of a run are streamed.
 *
 * @publicApi
 */
export interface EventStreamOptions {
  /** `Last-Event-ID` of a client that comes again: only what was after it is told. */
  readonly lastEventId?: string;
  /** Whether the run is cancelled when the client leaves. Default: false. */
  readonly cancelOnDisconnect?: boolean;
  /** How many events a client may be behind before its stream is ended. Default: 10,000. */
  readonly maxBehind?: number;
}

/**
 * The events of a run for a method with `@Sse()`: a message for each, whose data is `{ type, data, timestamp }` in JSON.
 * The last one is of the type `close`; a browser that does not close its `EventSource` then will ask again.
 *
 * Messages have no name: `error` is one of the types, and would be taken for an error of the connection.
 *
 * ```ts
 * @Sse('runs/:id/events')
 * events(@Param('id') id: string, @Headers('last-event-id') lastEventId?: string) {
 *   const run = this.runner.find(id);
 *   if (run === undefined) throw new NotFoundException();
 *   return eventStream(run, { lastEventId });
 * }
 * ```
 *
 * @see https://html.spec.whatwg.org/multipage/server-sent-events.html
 * @publicApi
 */
export function eventStream(run: WorkflowRun, options: EventStreamOptions = {}): Observable<MessageEvent> {
  const { lastEventId = '', cancelOnDisconnect = false, maxBehind = MAX_BEHIND } = options;
  const after = /^\d{1,15}$/.test(lastEventId) ? Number(lastEventId) : 0;
  return new Observable((subscriber) => {
    let untaken = 0;
    let isOver = false;
    const taken = (): void => void (untaken -= 1);
    const subscription = run.numberedEvents$.subscribe({
      next: (numbered) => {
        if (numbered.number <= after) return;
        if (untaken >= maxBehind) {
          subscriber.error(new WorkflowStateError(`The client fell ${maxBehind} events behind`));
          return;
        }
        untaken += 1;
        subscriber.next(messageOf(numbered, taken));
      },
      complete: () => {
        isOver = true;
        subscriber.complete();
      },
    });
    return () => {
      subscription.unsubscribe();
      if (cancelOnDisconnect && !isOver) run.cancel();
    };
  });
}

/**
 * An Observable cannot be slowed down, so the messages of a client that does not read pile up in Nest. How many they are
 * shows in their data, which Nest reads when it writes them.
 */
function messageOf({ number, event }: NumberedEvent, onTaken: () => void): MessageEvent {
  let isTaken = false;
  return {
    id: String(number),
    get data() {
      if (!isTaken) onTaken();
      isTaken = true;
      return jsonOf(event);
    },
  };
}

// However many read the same run.
const written = new WeakMap<WorkflowEvent, string>();

function jsonOf(event: WorkflowEvent): string {
  const known = written.get(event);
  if (known !== undefined) return known;
  const json = JSON.stringify(plainEvent(event));
  written.set(event, json);
  return json;
}
