import type { Decode } from '../decode/decoder.js';
import { oneof, required } from '../decode/message-decoder.js';
import { isRecord } from '../is-record.js';
import type { SendMessageResponse, StreamResponse } from '../types/events.js';
import { mapped } from './mapped.js';
import { type FinalStatus, v03Objects, v03ProtoObjects } from './task-decoders.js';

/** A frame of a stream. */
export interface V03Frame {
  response: StreamResponse;
  /** Has the agent said that nothing comes after it? */
  final: boolean;
}

type Kinds<T> = ReadonlyMap<unknown, Decode<T>>;

function byKind<T>(kinds: Kinds<T>): Decode<T> {
  const names = [...kinds.keys()].join(', ');
  return (value, issues) => {
    if (!isRecord(value)) return issues.add('must be an object');
    const decode = kinds.get(value['kind']);
    return decode === undefined ? issues.add(`must be one of ${names}`, 'kind') : decode(value, issues);
  };
}

const answers: Kinds<SendMessageResponse> = new Map<unknown, Decode<SendMessageResponse>>([
  ['task', mapped(v03Objects.task, (task) => ({ task }))],
  ['message', mapped(v03Objects.message, (message) => ({ message }))],
]);

/** What a message is answered with: a bare task or message. */
export const v03SendResult = byKind(answers);

/** A bare task, message or event. */
export const v03StreamFrame: Decode<V03Frame> = byKind(
  new Map<unknown, Decode<V03Frame>>([
    ...[...answers].map(([kind, decode]): [unknown, Decode<V03Frame>] => [
      kind,
      mapped(decode, (response) => ({ response, final: false })),
    ]),
    ['status-update', mapped(v03Objects.statusUpdate, frameOfStatus)],
    ['artifact-update', mapped(v03Objects.artifactUpdate, (artifactUpdate) => frameOf({ artifactUpdate }))],
  ]),
);

/** The same in the JSON of the proto file. */
export const v03ProtoSendResult = oneof(
  { task: required(v03ProtoObjects.task), message: required(v03ProtoObjects.message) },
  {},
);

/** The same in the JSON of the proto file. */
export const v03ProtoStreamFrame: Decode<V03Frame> = mapped(
  oneof(
    {
      task: required(v03ProtoObjects.task),
      message: required(v03ProtoObjects.message),
      statusUpdate: required(v03ProtoObjects.statusUpdate),
      artifactUpdate: required(v03ProtoObjects.artifactUpdate),
    },
    {},
  ),
  (frame) => ('statusUpdate' in frame ? frameOfStatus(frame.statusUpdate) : frameOf(frame)),
);

function frameOf(response: StreamResponse): V03Frame {
  return { response, final: false };
}

function frameOfStatus({ statusUpdate, final }: FinalStatus): V03Frame {
  return { response: { statusUpdate }, final };
}
