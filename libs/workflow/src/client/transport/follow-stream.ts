import type { StreamResponse } from 'nestjs-a2a/protocol';
import { CancellationException, TimeoutException, WorkflowStateError } from '../../errors/workflow.error.js';
import type { SendMessageResult } from '../../model/send-message-result.js';
import type { RuntimeCallContext } from '../a2a-runtime.js';
import { resultOf } from '../response/protocol-responses.js';
import { ResponseAccumulator } from '../response/response-accumulator.js';
import type { LinkedAbort } from '../timing/linked-abort.js';
import { SilenceLimit } from '../timing/time-limits.js';
import { collectEvents, type IsEnd } from './collect-events.js';
import type { TransportStreamCall } from './transport-options.js';
import type { WireTrace } from './wire-trace.js';

/** For how long a stream may be silent, and what it fails with after that. */
export interface SilenceAllowed {
  readonly milliseconds: number;
  readonly text: string;
}

/** A call that streams. */
export interface FollowedStream extends Pick<TransportStreamCall, 'mayBreak' | 'onEvent' | 'signal'> {
  readonly trace: WireTrace;
  readonly headers: Record<string, string>;
  readonly call: LinkedAbort;
  readonly isEnd: IsEnd;
  readonly silence: SilenceAllowed;
  readonly start: (context: RuntimeCallContext) => AsyncIterable<StreamResponse>;
}

/**
 * Makes a call and takes in what comes, until nothing more is needed.
 *
 * @throws TimeoutException when it was silent for too long
 * @throws WorkflowStateError when nothing came at all
 */
export async function followStream(followed: FollowedStream): Promise<SendMessageResult> {
  const { trace, headers, call, isEnd, silence, start, mayBreak = false } = followed;
  const { signal } = call;
  const limit = new SilenceLimit(silence.milliseconds, () => {
    // Whoever has given up waits only to learn what there is to cancel, and has a limit of its own for that.
    if (followed.signal?.aborted !== true) call.abort(new TimeoutException(silence.text));
  });
  const transportActivity = (): void => limit.touch();
  const onEvent = async (event: StreamResponse): Promise<void> => {
    limit.touch();
    await followed.onEvent?.(event);
  };
  const accumulator = new ResponseAccumulator();
  try {
    const events = trace.events(start({ headers, channel: 'task', transportActivity, signal }));
    await collectEvents({ events, accumulator, signal, onEvent, mayBreak }, isEnd);
    if (accumulator.isEmpty) throw new WorkflowStateError('A2A streaming response closed without an event');
    return resultOf(accumulator);
  } finally {
    limit.end();
    // Whatever the runtime still holds of the call.
    call.abort(new CancellationException('The call is over'));
  }
}
