import { describe, expect, it } from '@jest/globals';
import * as samples from '../../../../test/support/wire-samples.js';
import type { Decoder } from '../decode/decoder.js';
import { TaskState } from '../types/enums.js';
import type { Message } from '../types/message.js';
import type { Part } from '../types/part.js';
import type { Task } from '../types/task.js';
import { toV03ProtoPart, toV03Part } from './part-writers.js';
import * as proto from './proto-writers.js';
import * as read from './readers.js';
import * as request from './request-writers.js';
import * as text from './writers.js';

/** There, over the wire, and back. */
function roundTrip<T>(write: (value: T) => unknown, decode: Decoder<unknown>, value: T): unknown {
  const wire: unknown = JSON.parse(JSON.stringify(write(value)));
  const back = decode(wire);
  return back.ok ? back.value : back.violations;
}

const { message, task, statusUpdate, artifactUpdate, pushConfig, configuration } = samples;
const { metadata } = message;
// The proto file has no place for the tasks a message refers to.
const plain: Message = { ...message };
delete plain.referenceTaskIds;
const plainTask: Task = {
  ...task,
  status: { ...task.status, message: plain },
  history: [{ ...plain, role: 'ROLE_USER' }],
};
const plainUpdate = { ...statusUpdate, status: plainTask.status };
const configs = [pushConfig, { ...pushConfig, id: 'p2' }];

describe('objects of 1.0, over 0.3 and back', () => {
  it.each<readonly [string, () => unknown, unknown]>([
    ['parts', () => samples.parts.map((part) => roundTrip(toV03Part, read.fromV03Part, part)), samples.parts],
    ['message', () => roundTrip(text.toV03Message, read.fromV03Message, message), message],
    ['task', () => roundTrip(text.toV03Task, read.fromV03Task, task), task],
    ['answer: task', () => roundTrip(text.toV03SendResult, read.fromV03SendResult, { task }), { task }],
    ['answer: message', () => roundTrip(text.toV03SendResult, read.fromV03SendResult, { message }), { message }],
    ['push config', () => roundTrip(request.toV03TaskPushConfig, read.fromV03TaskPushConfig, pushConfig), pushConfig],
    [
      'push configs',
      () => roundTrip(request.toV03PushConfigList, read.fromV03PushConfigList, { configs }),
      { configs },
    ],
    ['no push configs', () => roundTrip(request.toV03PushConfigList, read.fromV03PushConfigList, {}), {}],
    [
      'send',
      () => roundTrip(request.toV03SendParams, read.fromV03SendParams, { message, configuration, metadata }),
      { message, configuration, metadata },
    ],
    [
      'send that waits',
      () => roundTrip(request.toV03SendParams, read.fromV03SendParams, { message }),
      { message, configuration: { returnImmediately: false } },
    ],
  ])('%s', (_what, back, given) => {
    expect(back()).toEqual(given);
  });

  it.each<readonly [string, () => unknown, unknown]>([
    ['parts', () => samples.parts.map((part) => roundTrip(toV03ProtoPart, read.fromV03ProtoPart, part)), samples.parts],
    ['message', () => roundTrip(proto.toV03ProtoMessage, read.fromV03ProtoMessage, message), plain],
    ['task', () => roundTrip(proto.toV03ProtoTask, read.fromV03ProtoTask, task), plainTask],
    [
      'answer',
      () => roundTrip(proto.toV03ProtoSendResult, read.fromV03ProtoSendResult, { message }),
      { message: plain },
    ],
    ['push config', () => roundTrip(request.toV03ProtoPushConfig, read.fromV03ProtoPushConfig, pushConfig), pushConfig],
    [
      'push configs',
      () =>
        roundTrip(request.toV03ProtoPushConfigList, read.fromV03ProtoPushConfigList, { configs, nextPageToken: '2' }),
      { configs, nextPageToken: '2' },
    ],
    [
      'new push config',
      () => roundTrip(request.toV03ProtoCreatePushConfig, read.fromV03ProtoCreatePushConfig, pushConfig),
      pushConfig,
    ],
    [
      'send',
      () =>
        roundTrip(request.toV03ProtoSendRequest, read.fromV03ProtoSendRequest, { message, configuration, metadata }),
      { message: plain, configuration, metadata },
    ],
  ])('in the JSON of the proto file: %s', (_what, back, given) => {
    expect(back()).toEqual(given);
  });

  it.each([
    [{ task }, { task: plainTask }, false],
    [{ message }, { message: plain }, false],
    [{ statusUpdate }, { statusUpdate: plainUpdate }, true],
    [{ artifactUpdate }, { artifactUpdate }, false],
  ])('frames of streams, the last of which says so', (frame, plainFrame, final) => {
    const { toV03StreamEvent: write } = text;
    expect(roundTrip((value) => write(value), read.fromV03StreamEvent, frame)).toEqual({ response: frame, final });
    const { toV03ProtoStreamEvent: writeProto } = proto;
    expect(roundTrip((value) => writeProto(value), read.fromV03ProtoStreamEvent, frame)).toEqual({
      response: plainFrame,
      final,
    });
  });

  it.each(Object.values(TaskState).filter((state) => state !== TaskState.UNSPECIFIED))('%s', (state) => {
    const one = { id: 't', contextId: 'c', status: { state } };
    expect(roundTrip(text.toV03Task, read.fromV03Task, one)).toEqual(one);
    expect(roundTrip(proto.toV03ProtoTask, read.fromV03ProtoTask, one)).toEqual(one);
  });

  it('a question ends a stream where the caller of the translation says so', () => {
    const question = { ...statusUpdate, status: { state: TaskState.INPUT_REQUIRED } };
    expect(text.toV03StreamEvent({ statusUpdate: question })).toMatchObject({ final: false });
    expect(text.toV03StreamEvent({ statusUpdate: question }, true)).toMatchObject({ final: true });
    expect(proto.toV03ProtoStreamEvent({ statusUpdate: question }, true)).toMatchObject({
      statusUpdate: { final: true },
    });
  });
});

describe('parts of 1.0 as 0.3 has them', () => {
  it.each<readonly [Part, object, object]>([
    [{ text: 'x', filename: 'lost', mediaType: 'lost' }, { kind: 'text', text: 'x' }, { text: 'x' }],
    [
      { raw: 'aGk=', filename: 'f', mediaType: 'text/plain' },
      { kind: 'file', file: { bytes: 'aGk=', mimeType: 'text/plain', name: 'f' } },
      { file: { fileWithBytes: 'aGk=', mimeType: 'text/plain', name: 'f' } },
    ],
    [{ url: 'https://a' }, { kind: 'file', file: { uri: 'https://a' } }, { file: { fileWithUri: 'https://a' } }],
    [{ data: { a: 1 } }, { kind: 'data', data: { a: 1 } }, { data: { data: { a: 1 } } }],
    [
      { data: 'x' },
      { kind: 'data', data: { value: 'x' }, metadata: { data_part_compat: true } },
      { data: { data: { value: 'x' } }, metadata: { data_part_compat: true } },
    ],
  ])('%j', (part, inText, inProto) => {
    expect(toV03Part(part)).toStrictEqual(inText);
    expect(toV03ProtoPart(part)).toStrictEqual(inProto);
  });
});
