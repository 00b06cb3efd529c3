import { InvalidParamsError, type A2AMethod } from 'nestjs-a2a/protocol';

/** Where and how a call goes on HTTP+JSON. */
export interface RestRequest {
  readonly method: 'GET' | 'POST' | 'DELETE';
  /** Path and query, to be put behind the interface's URL. */
  readonly path: string;
  readonly body?: object;
}

/**
 * The route of a call and what of its params goes where: ids into the path, the rest into the query or the body.
 *
 * @throws InvalidParamsError when an id cannot be part of a path
 * @see A2A 1.0, section 11.3
 */
export function restRequest(method: A2AMethod, params: object): RestRequest {
  const fields = new Map<string, unknown>(Object.entries(params));
  /** Takes an id out of the params. */
  const segment = (name: string): string => {
    const id = fields.get(name);
    fields.delete(name);
    return pathSegment(name, id);
  };
  const body = (): object => Object.fromEntries(fields);
  const configs = (): string => `/tasks/${segment('taskId')}/pushNotificationConfigs`;
  switch (method) {
    case 'SendMessage':
      return { method: 'POST', path: '/message:send', body: body() };
    case 'SendStreamingMessage':
      return { method: 'POST', path: '/message:stream', body: body() };
    case 'GetTask':
      return { method: 'GET', path: `/tasks/${segment('id')}${query(fields)}` };
    case 'ListTasks':
      return { method: 'GET', path: `/tasks${query(fields)}` };
    case 'CancelTask':
      return { method: 'POST', path: `/tasks/${segment('id')}:cancel`, body: body() };
    case 'SubscribeToTask':
      return { method: 'POST', path: `/tasks/${segment('id')}:subscribe`, body: body() };
    case 'CreateTaskPushNotificationConfig':
      // The body names the task as well: some servers look nowhere else.
      return { method: 'POST', body: body(), path: configs() };
    case 'GetTaskPushNotificationConfig':
      return { method: 'GET', path: `${configs()}/${segment('id')}${query(fields)}` };
    case 'ListTaskPushNotificationConfigs':
      return { method: 'GET', path: `${configs()}${query(fields)}` };
    case 'DeleteTaskPushNotificationConfig':
      return { method: 'DELETE', path: `${configs()}/${segment('id')}${query(fields)}` };
    case 'GetExtendedAgentCard':
      return { method: 'GET', path: `/extendedAgentCard${query(fields)}` };
  }
}

/**
 * An id as a part of a path.
 *
 * @throws InvalidParamsError when it cannot be one
 */
export function pathSegment(name: string, id: unknown): string {
  if (typeof id !== 'string' || id === '') throw new InvalidParamsError([{ field: name, description: 'is required' }]);
  // URLs know these two as steps, however they are written.
  if (id === '.' || id === '..') {
    throw new InvalidParamsError([{ field: name, description: 'cannot be part of a path' }]);
  }
  return encodeURIComponent(id);
}

/** The URL may have a query of its own, and end with a slash or not. */
export function joined(base: string, path: string): string {
  const url = new URL(base);
  const [pathname = '', search = ''] = path.split('?');
  url.pathname = url.pathname.replace(/\/+$/, '') + pathname;
  for (const [name, value] of new URLSearchParams(search)) url.searchParams.set(name, value);
  return url.href;
}

function query(fields: ReadonlyMap<string, unknown>): string {
  const search = new URLSearchParams();
  for (const [name, value] of fields) {
    if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') {
      search.set(name, String(value));
    }
  }
  const text = search.toString();
  return text === '' ? '' : `?${text}`;
}
