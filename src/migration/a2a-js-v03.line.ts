import { fromV03StreamEvent, isRecord, toV03Message, toV03Task, type StreamResponse } from 'nestjs-a2a/protocol';
import type { RequestContext } from '../agent/request-context.js';
import { A2AJsCallContext } from './a2a-js-call-context.js';
import { A2AJsEventError } from './a2a-js-event.error.js';
import type { A2AJsRequestContext } from './a2a-js-executor.types.js';
import type { A2AJsLine, RunIds } from './a2a-js-line.js';

/** The 0.3.x line: events are the objects of A2A 0.3, told apart by `kind`. */
export const A2A_JS_V03: A2AJsLine = {
  name: '0.3',
  returnsEarly: true,

  contextOf({ message, taskId, contextId, task, referencedTasks, call }: RequestContext): A2AJsRequestContext {
    const own = { userMessage: toV03Message({ ...message, taskId, contextId }), taskId, contextId };
    const referenceTasks = referencedTasks.length === 0 ? undefined : referencedTasks.map(toV03Task);
    return Object.assign(own, { task: task && toV03Task(task), referenceTasks, context: new A2AJsCallContext(call) });
  },

  eventOf(event: unknown, ids: RunIds): StreamResponse {
    const decoded = fromV03StreamEvent(withIds(event, ids));
    if (!decoded.ok) throw A2AJsEventError.of(decoded.violations);
    return decoded.value.response;
  },
};

/** Without what is the server's own: the history, times, and ids of messages. */
function withIds(event: unknown, { taskId, contextId }: RunIds): unknown {
  if (!isRecord(event)) throw new A2AJsEventError('The published event is no object');
  const { kind, status } = event;
  if ('data' in event && !('parts' in event)) {
    throw new A2AJsEventError('The published event is of the 1.x line: leave the option sdk of fromA2AJsExecutor out');
  }
  if (kind === 'message') return { ...withoutId(event), taskId: undefined, contextId };
  const own = statusOf(status);
  if (kind === 'task') return { ...event, id: taskId, contextId, status: own, history: undefined };
  return { ...event, taskId, contextId, ...(kind === 'status-update' && { status: own }) };
}

function statusOf(status: unknown): unknown {
  if (!isRecord(status)) return status;
  const { message } = status;
  return { ...status, message: isRecord(message) ? withoutId(message) : message, timestamp: undefined };
}

function withoutId(message: object): object {
  return { ...message, messageId: 'none' };
}
