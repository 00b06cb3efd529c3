import type { A2AMethod } from 'nestjs-a2a/protocol';
import type { RouteMatch, RouteRequest } from '../host/a2a-route.js';

/** The operation that a REST request asks for, and what its path names. */
export interface RestTarget {
  readonly method: A2AMethod;
  readonly tenant: string | undefined;
  readonly taskId?: string;
  readonly configId?: string;
}

/** One path of the REST binding. */
export interface RestPath {
  /** Name of the controller's method. */
  readonly name: string;
  /** In the syntax that both frameworks understand: a parameter swallows the verb behind a colon. */
  readonly pattern: string;
  resolve(request: RouteRequest, tenant?: string): RouteMatch<RestTarget>;
}

type Verbs = Readonly<Record<string, A2AMethod>>;

const MESSAGE_VERBS: Readonly<Record<string, A2AMethod>> = { send: 'SendMessage', stream: 'SendStreamingMessage' };
const CANCEL: Verbs = { POST: 'CancelTask' };
const SUBSCRIBE: Verbs = { GET: 'SubscribeToTask', POST: 'SubscribeToTask' };
const GET_TASK: Verbs = { GET: 'GetTask' };
const TASK_VERBS: Readonly<Record<string, Verbs>> = { cancel: CANCEL, subscribe: SUBSCRIBE };
const CONFIGS: Verbs = { GET: 'ListTaskPushNotificationConfigs', POST: 'CreateTaskPushNotificationConfig' };
const CONFIG: Verbs = { GET: 'GetTaskPushNotificationConfig', DELETE: 'DeleteTaskPushNotificationConfig' };

const STREAMING: ReadonlySet<A2AMethod> = new Set(['SendStreamingMessage', 'SubscribeToTask']);

const NOT_FOUND = { kind: 'not-found' } as const;

/** The paths of A2A 1.0, section 11.3. */
export const REST_PATHS: readonly RestPath[] = [
  {
    name: 'message',
    pattern: 'message:verb',
    resolve: ({ method, path }, tenant) => messageAction(method, verbOf(segment(path, -1)).verb, tenant),
  },
  {
    name: 'tasks',
    pattern: 'tasks',
    resolve: ({ method }, tenant) => choose({ GET: 'ListTasks' }, method, { tenant }),
  },
  { name: 'task', pattern: 'tasks/:taskRef', resolve: resolveTask },
  {
    name: 'pushConfigs',
    pattern: 'tasks/:taskId/pushNotificationConfigs',
    resolve: ({ method, path }, tenant) => ofTask(CONFIGS, method, tenant, segment(path, -2)),
  },
  {
    name: 'pushConfig',
    pattern: 'tasks/:taskId/pushNotificationConfigs/:configId',
    resolve: ({ method, path }, tenant) => ofTask(CONFIG, method, tenant, segment(path, -3), segment(path, -1)),
  },
  {
    name: 'extendedAgentCard',
    pattern: 'extendedAgentCard',
    resolve: ({ method }, tenant) => choose({ GET: 'GetExtendedAgentCard' }, method, { tenant }),
  },
];

/** The same actions with a slash, for gateways that refuse colons. */
export const SLASH_ALIAS_PATHS: readonly RestPath[] = [
  {
    name: 'messageAlias',
    pattern: 'message/:verb',
    resolve: ({ method, path }, tenant) => messageAction(method, segment(path, -1), tenant),
  },
  {
    name: 'taskAlias',
    pattern: 'tasks/:taskId/:verb',
    resolve: ({ method, path }, tenant) => {
      const verbs = ownEntry(TASK_VERBS, segment(path, -1));
      return verbs === undefined ? NOT_FOUND : ofTask(verbs, method, tenant, segment(path, -2));
    },
  },
];

/** The same path below a tenant, which is the first segment. */
export function underTenant({ name, pattern, resolve }: RestPath): RestPath {
  const depth = pattern.split('/').length + 1;
  return {
    name: `tenant${name.charAt(0).toUpperCase()}${name.slice(1)}`,
    pattern: `:tenant/${pattern}`,
    resolve: (request) => {
      const tenant = decoded(segment(request.path, -depth));
      return tenant === undefined || tenant === '' ? NOT_FOUND : resolve(request, tenant);
    },
  };
}

function messageAction(method: string, verb: string | undefined, tenant: string | undefined): RouteMatch<RestTarget> {
  const operation = ownEntry(MESSAGE_VERBS, verb);
  return operation === undefined ? NOT_FOUND : choose({ POST: operation }, method, { tenant });
}

/** A verb is what stands behind the last colon as sent: an escaped colon is part of an id. */
function resolveTask({ method, path }: RouteRequest, tenant?: string): RouteMatch<RestTarget> {
  const reference = segment(path, -1);
  const { id, verb } = verbOf(reference);
  const verbs = ownEntry(TASK_VERBS, verb);
  if (verbs !== undefined) return ofTask(verbs, method, tenant, id);
  if (verb !== undefined && method === 'POST') return NOT_FOUND;
  return ofTask(GET_TASK, method, tenant, reference);
}

function ofTask(
  verbs: Verbs,
  method: string,
  tenant: string | undefined,
  rawTaskId: string,
  rawConfigId?: string,
): RouteMatch<RestTarget> {
  const taskId = decoded(rawTaskId);
  const configId = rawConfigId === undefined ? undefined : decoded(rawConfigId);
  if (!taskId || (rawConfigId !== undefined && !configId)) return NOT_FOUND;
  return choose(verbs, method, { tenant, taskId, configId });
}

function choose(verbs: Verbs, method: string, names: Omit<RestTarget, 'method'>): RouteMatch<RestTarget> {
  // A stream has no length to tell: HEAD would hold the connection and say nothing until it ends.
  const head = ownEntry(verbs, 'GET');
  const headless = head === undefined || STREAMING.has(head);
  const operation = method === 'HEAD' && !headless ? head : ownEntry(verbs, method);
  if (operation !== undefined) return { kind: 'match', target: { method: operation, ...names } };
  const allow = Object.keys(verbs);
  return { kind: 'method-not-allowed', allow: headless ? allow : ['HEAD', ...allow] };
}

/** What callers send must not find what every object inherits. */
function ownEntry<V>(table: Readonly<Record<string, V>>, key: string | undefined): V | undefined {
  return key !== undefined && Object.hasOwn(table, key) ? table[key] : undefined;
}

function segment(path: string, index: number): string {
  return path.split('/').at(index) ?? '';
}

function verbOf(reference: string): { readonly id: string; readonly verb: string | undefined } {
  const colon = reference.lastIndexOf(':');
  return colon < 0
    ? { id: reference, verb: undefined }
    : { id: reference.slice(0, colon), verb: reference.slice(colon + 1) };
}

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}
