import { decodeStreamResponse, isRecord, TaskState, type StreamResponse } from 'nestjs-a2a/protocol';
import type { RequestContext } from '../agent/request-context.js';
import { A2AJsCallContext } from './a2a-js-call-context.js';
import { A2AJsEventError } from './a2a-js-event.error.js';
import type { A2AJsRequestContext } from './a2a-js-executor.types.js';
import type { A2AJsLine, RunIds } from './a2a-js-line.js';
import { fromV1Artifact, fromV1Artifacts, fromV1Message, fromV1Status } from './a2a-js-v1-readers.js';
import { toV1Configuration, toV1Message, toV1Task } from './a2a-js-v1-writers.js';

/** The 1.x line: events are pairs of `kind` and `data`, with the objects of its generated code. */
export const A2A_JS_V1: A2AJsLine = {
  name: '1',
  returnsEarly: false,

  contextOf(context: RequestContext): A2AJsRequestContext {
    const { call, taskId, contextId, configuration, metadata, task, referencedTasks } = context;
    const userMessage = toV1Message({ ...context.message, taskId, contextId });
    const request = {
      tenant: call.tenant,
      message: userMessage,
      configuration: toV1Configuration(configuration),
      metadata,
    };
    const referenceTasks = referencedTasks.length === 0 ? undefined : referencedTasks.map(toV1Task);
    const own = { request, userMessage, taskId, contextId, context: new A2AJsCallContext(call) };
    return Object.assign(own, { task: task && toV1Task(task), referenceTasks });
  },

  eventOf(event: unknown, ids: RunIds): StreamResponse {
    const decoded = decodeStreamResponse(wireOf(event, ids));
    if (!decoded.ok) throw A2AJsEventError.of(decoded.violations);
    return decoded.value;
  },
};

function wireOf(event: unknown, { taskId, contextId }: RunIds): unknown {
  if (!isRecord(event)) throw new A2AJsEventError('The published event is no object');
  const { kind, data } = event;
  if (!isRecord(data)) throw new A2AJsEventError(withoutData(kind));
  switch (kind) {
    case 'message':
      return { message: { ...recordOf(fromV1Message(data)), contextId } };
    case 'task': {
      const status = data['status'] === undefined ? { state: TaskState.SUBMITTED } : fromV1Status(data['status']);
      return { task: { id: taskId, contextId, status, artifacts: fromV1Artifacts(data['artifacts']) } };
    }
    case 'statusUpdate':
      return { statusUpdate: { taskId, contextId, status: fromV1Status(data['status']) } };
    case 'artifactUpdate': {
      const { append, lastChunk } = data;
      return { artifactUpdate: { taskId, contextId, artifact: fromV1Artifact(data['artifact']), append, lastChunk } };
    }
    default:
      throw new A2AJsEventError(`The published event is of no kind that there is: ${String(kind)}`);
  }
}

function withoutData(kind: unknown): string {
  return typeof kind === 'string'
    ? `The published event of kind ${kind} has no data: events of the 0.3 line need fromA2AJsExecutor(executor, { sdk: '0.3' })`
    : 'The published event has neither kind nor data';
}

function recordOf(value: unknown): object {
  return isRecord(value) ? value : {};
}
