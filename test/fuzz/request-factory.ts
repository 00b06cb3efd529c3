import { JSON_RPC_PATH, REST_PATH } from '../support/a2a-calls.js';
import { mutated, type Json } from './json-mutator.js';
import { Random } from './random.js';

/** One request as it goes over the wire. */
export interface FuzzRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer | undefined;
}

/** Tasks that exist, so that not every call ends at "not found". */
export interface KnownTasks {
  readonly finished: string;
  readonly waiting: string;
  readonly contextId: string;
}

type Fields = { [key: string]: Json };

interface Operation {
  readonly name: string;
  params(known: KnownTasks, random: Random): Fields;
  rest(known: KnownTasks, random: Random): { readonly method: string; readonly path: string; readonly body?: Fields };
}

const TEXTS = [
  'echo hi',
  'message hi',
  'pause?',
  'fail now',
  'throw it',
  'reject',
  'burst 3',
  'data',
  'file',
  'whoami',
];
const UNKNOWN_ID = '00000000-0000-4000-8000-000000000000';
const ODD_SEGMENTS = [
  '',
  '%00',
  '%zz',
  '%2e%2e',
  '..',
  '.',
  ':cancel',
  'a:cancel:cancel',
  '__proto__',
  'constructor',
  '%F0%9F%A6%80',
  'x'.repeat(3_000),
  '%2F',
  ';a=b',
];
const VERBS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS'];
const QUERIES = [
  '?',
  '?historyLength=-1',
  '?historyLength=1e9',
  '?historyLength=x',
  '?pageSize=0',
  '?pageSize=99999999999',
  '?pageToken=abc',
  '?pageToken=%00',
  '?status=TASK_STATE_WORKING',
  '?status=constructor',
  '?includeArtifacts=maybe',
  '?statusTimestampAfter=yesterday',
  '?tenant=a',
  '?A2A-Version=9',
  '?A2A-Version=0.3',
  '?a[b]=c&a=d&__proto__[x]=1',
  '?%zz=%00',
];
const HEADERS: readonly (readonly [string, string])[] = [
  ['content-type', 'application/json; charset=utf-8'],
  ['content-type', 'application/a2a+json'],
  ['content-type', 'application/json; charset=utf-7'],
  ['content-type', 'text/plain'],
  ['content-type', 'multipart/form-data; boundary=x'],
  ['content-type', ';;;'],
  ['content-type', ''],
  ['content-encoding', 'gzip'],
  ['content-encoding', 'br'],
  ['content-encoding', 'zstd'],
  ['a2a-version', '1.0'],
  ['a2a-version', '1.0.7'],
  ['a2a-version', '0.3'],
  ['a2a-version', '2.0'],
  ['a2a-version', 'x'.repeat(2_000)],
  ['a2a-extensions', 'https://example.com/ext/probe/v1'],
  ['a2a-extensions', ',,,"",\u00e9'],
  ['last-event-id', '0'],
  ['last-event-id', '-5'],
  ['last-event-id', '9'.repeat(30)],
  ['last-event-id', 'abc'],
  ['accept', 'application/json'],
  ['accept', 'text/event-stream'],
  ['accept', 'image/png;q=x'],
  ['authorization', 'Bearer'],
  ['authorization', 'Basic \u00ff'],
  ['x-forwarded-host', 'evil.example'],
  ['x-forwarded-proto', 'gopher'],
];

const OPERATIONS: readonly Operation[] = [
  send('SendMessage', 'send'),
  send('SendStreamingMessage', 'stream'),
  {
    name: 'GetTask',
    params: (known, random) => ({ id: taskOf(known, random), historyLength: random.below(3) }),
    rest: (known, random) => ({ method: 'GET', path: `/tasks/${taskOf(known, random)}?historyLength=1` }),
  },
  {
    name: 'ListTasks',
    params: ({ contextId }, random) => ({
      ...(random.chance(0.5) && { contextId }),
      pageSize: 1 + random.below(5),
      pageToken: '',
      status: random.pick(['TASK_STATE_COMPLETED', 'TASK_STATE_INPUT_REQUIRED']),
      includeArtifacts: random.chance(0.5),
      statusTimestampAfter: '2024-01-01T00:00:00Z',
    }),
    rest: ({ contextId }) => ({ method: 'GET', path: `/tasks?contextId=${contextId}&pageSize=2` }),
  },
  ofTask('CancelTask', 'cancel'),
  ofTask('SubscribeToTask', 'subscribe'),
  config('CreateTaskPushNotificationConfig', 'POST', ''),
  config('GetTaskPushNotificationConfig', 'GET', '/c1'),
  config('ListTaskPushNotificationConfigs', 'GET', ''),
  config('DeleteTaskPushNotificationConfig', 'DELETE', '/c1'),
  {
    name: 'GetExtendedAgentCard',
    params: () => ({}),
    rest: () => ({ method: 'GET', path: '/extendedAgentCard' }),
  },
];

/** Makes the request of one case: a good one that went bad at a few places. */
export class RequestFactory {
  constructor(
    private readonly seed: number,
    private readonly known: KnownTasks,
  ) {}

  make(index: number): FuzzRequest {
    const random = Random.of(this.seed, index);
    const operation = random.pick(OPERATIONS);
    const draft = random.chance(0.5) ? this.rpc(operation, random) : this.rest(operation, random);
    const headers: Record<string, string> = draft.body === undefined ? {} : { 'content-type': 'application/json' };
    if (random.chance(0.3)) {
      const [name, value] = random.pick(HEADERS);
      headers[name] = value;
    }
    if (random.chance(0.03)) return { ...draft, headers, method: random.pick(VERBS) };
    return { ...draft, headers };
  }

  private rpc(operation: Operation, random: Random): Omit<FuzzRequest, 'headers'> {
    const call: Fields = {
      jsonrpc: '2.0',
      id: 1,
      method: operation.name,
      params: operation.params(this.known, random),
    };
    const body = bytesOf(random.chance(0.9) ? mutated(call, random) : call, random);
    return { method: 'POST', path: JSON_RPC_PATH, body };
  }

  private rest(operation: Operation, random: Random): Omit<FuzzRequest, 'headers'> {
    const { method, path, body } = operation.rest(this.known, random);
    const prefix = random.chance(0.1) ? `${REST_PATH}/tenant-a` : REST_PATH;
    return {
      method,
      path: prefix + (random.chance(0.25) ? oddPath(path, random) : path),
      body: body === undefined ? undefined : bytesOf(random.chance(0.9) ? mutated(body, random) : body, random),
    };
  }
}

function send(name: string, verb: string): Operation {
  const params = (known: KnownTasks, random: Random): Fields => ({
    message: {
      messageId: `m-${random.below(1_000_000)}`,
      role: 'ROLE_USER',
      parts: [
        random.pick<Fields>([{ text: random.pick(TEXTS) }, { data: { a: [1, null] } }, { raw: 'aGk=', filename: 'a' }]),
      ],
      ...(random.chance(0.3) && { taskId: taskOf(known, random) }),
      ...(random.chance(0.3) && { contextId: known.contextId }),
      ...(random.chance(0.2) && {
        referenceTaskIds: [known.finished],
        extensions: ['https://example.com/ext/probe/v1'],
      }),
      ...(random.chance(0.2) && { metadata: { a: { b: [1, 'c'] } } }),
    },
    ...(random.chance(0.5) && {
      configuration: {
        acceptedOutputModes: ['text/plain'],
        historyLength: random.below(3),
        returnImmediately: random.chance(0.5),
      },
    }),
    ...(random.chance(0.2) && { metadata: { k: 'v' } }),
  });
  return {
    name,
    params,
    rest: (known, random) => {
      const path = random.chance(0.1) ? `/message/${verb}` : `/message:${verb}`;
      return { method: 'POST', path, body: params(known, random) };
    },
  };
}

function ofTask(name: string, verb: string): Operation {
  return {
    name,
    params: (known, random) => ({ id: taskOf(known, random), metadata: { why: 'fuzz' } }),
    rest: (known, random) => {
      const path = `/tasks/${taskOf(known, random)}${random.chance(0.1) ? '/' : ':'}${verb}`;
      return { method: 'POST', path, body: { metadata: { why: 'fuzz' } } };
    },
  };
}

function config(name: string, method: string, path: string): Operation {
  const fields: Fields = { url: 'https://example.com/hook', token: 't', authentication: { scheme: 'Bearer' } };
  return {
    name,
    params: (known) => ({ taskId: known.finished, id: 'c1', ...fields }),
    rest: (known) => ({
      method,
      path: `/tasks/${known.finished}/pushNotificationConfigs${path}`,
      ...(method === 'POST' && { body: fields }),
    }),
  };
}

function taskOf({ finished, waiting }: KnownTasks, random: Random): string {
  return random.pick([finished, finished, waiting, UNKNOWN_ID]);
}

function oddPath(path: string, random: Random): string {
  if (random.chance(0.5)) return path.split('?', 1)[0] + random.pick(QUERIES);
  const segments = path.split('/');
  segments[1 + random.below(segments.length - 1)] = random.pick(ODD_SEGMENTS);
  return segments.join('/') + (random.chance(0.2) ? '/' : '');
}

/** JSON that may be damaged once more, now as bytes. */
function bytesOf(value: Json, random: Random): Buffer {
  const bytes = Buffer.from(JSON.stringify(value) ?? '');
  if (!random.chance(0.15) || bytes.length === 0) return bytes;
  const place = random.below(bytes.length);
  switch (random.below(6)) {
    case 0:
      return bytes.subarray(0, place);
    case 1:
      bytes[place] = random.below(256);
      return bytes;
    case 2:
      return Buffer.concat([bytes.subarray(0, place), Buffer.from([0xff, 0xfe, 0x00]), bytes.subarray(place)]);
    case 3:
      return Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), bytes]);
    case 4:
      return Buffer.concat([bytes, bytes]);
    default:
      return Buffer.from(bytes.toString().replace(/\d+/, '1e9999').replace(/^\{/, '{"jsonrpc":"1.0",'));
  }
}
