import { InvalidParamsError } from 'nestjs-a2a/protocol';
import type { RestTarget } from './rest-routes.js';

const TASK_FIELDS = ['tenant', 'historyLength'];
const LIST_FIELDS = [
  ...TASK_FIELDS,
  'contextId',
  'status',
  'pageSize',
  'pageToken',
  'statusTimestampAfter',
  'includeArtifacts',
];
const CONFIG_FIELDS = ['tenant', 'pageSize', 'pageToken'];
const BOOLEANS: ReadonlyMap<string, boolean> = new Map([
  ['true', true],
  ['false', false],
]);

/**
 * The parameters of an operation from what a REST request has: its path, its query and its body. What the path names
 * wins.
 *
 * @throws InvalidParamsError when the body is no object
 */
export function restParams(target: RestTarget, query: URLSearchParams, body: unknown): object {
  const { method, taskId, configId } = target;
  switch (method) {
    case 'SendMessage':
    case 'SendStreamingMessage':
      return { ...pick(query, ['tenant']), ...objectOf(body) };
    case 'GetExtendedAgentCard':
      return pick(query, ['tenant']);
    case 'GetTask':
      return { ...pick(query, TASK_FIELDS), id: taskId };
    case 'ListTasks':
      return pick(query, LIST_FIELDS);
    case 'CancelTask':
    case 'SubscribeToTask':
      return { ...pick(query, ['tenant']), ...objectOf(body), id: taskId };
    case 'CreateTaskPushNotificationConfig':
      return { ...withoutTaskId(objectOf(body)), taskId };
    case 'ListTaskPushNotificationConfigs':
      return { ...pick(query, CONFIG_FIELDS), taskId };
    case 'GetTaskPushNotificationConfig':
    case 'DeleteTaskPushNotificationConfig':
      return { ...pick(query, ['tenant']), taskId, id: configId };
  }
}

/** A parameter without a value is as good as absent. */
function pick(query: URLSearchParams, names: readonly string[]): Record<string, unknown> {
  const params: Record<string, unknown> = {};
  for (const name of names) {
    const value = query.get(name);
    if (value) params[name] = name === 'includeArtifacts' ? (BOOLEANS.get(value) ?? value) : value;
  }
  return params;
}

function objectOf(body: unknown): object {
  if (typeof body === 'object' && body !== null && !Array.isArray(body)) return body;
  throw new InvalidParamsError([{ field: 'params', description: 'must be an object' }]);
}

function withoutTaskId(body: object): object {
  return Object.fromEntries(Object.entries(body).filter(([key]) => key !== 'taskId' && key !== 'task_id'));
}
