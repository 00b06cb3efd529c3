import { expect, it } from '@jest/globals';
import { type StreamResponse, TaskState } from 'nestjs-a2a/protocol';
import { ClientEventMapper } from 'nestjs-a2a/workflow';
import { artifactOf, messageOf, taskOf } from '../../../../../test/support/workflow/scripted-runtime.js';

const { COMPLETED, WORKING } = TaskState;
const ids = { taskId: 't', contextId: 'c' };

it.each<[StreamResponse, object, string | undefined]>([
  [
    { statusUpdate: { ...ids, status: { state: WORKING, message: messageOf('half') }, metadata: { a: 1 } } },
    {
      agent: 'X',
      event_kind: 'status',
      task_id: 't',
      state: WORKING,
      is_final: false,
      text: 'half',
      metadata: { a: 1 },
    },
    'agent_status_update',
  ],
  [
    { statusUpdate: { ...ids, status: { state: COMPLETED } } },
    { agent: 'X', event_kind: 'status', task_id: 't', state: COMPLETED, is_final: true },
    'agent_status_update',
  ],
  [
    {
      artifactUpdate: {
        ...ids,
        artifact: { ...artifactOf('a', ['x', 1]), name: 'n', metadata: { a: 1 } },
        append: true,
        lastChunk: true,
        metadata: { b: 1 },
      },
    },
    {
      agent: 'X',
      event_kind: 'artifact',
      task_id: 't',
      artifact_id: 'a',
      artifact_name: 'n',
      append: true,
      last_chunk: true,
      text: 'x',
      metadata: { a: 1 },
    },
    'agent_artifact_update',
  ],
  [
    { artifactUpdate: { ...ids, artifact: artifactOf('a', [1]), metadata: { b: 1 } } },
    {
      agent: 'X',
      event_kind: 'artifact',
      task_id: 't',
      artifact_id: 'a',
      artifact_name: '',
      append: false,
      last_chunk: false,
      metadata: { b: 1 },
    },
    'agent_artifact_update',
  ],
  [
    { message: messageOf('hi') },
    { agent: 'X', event_kind: 'message', role: 'ROLE_AGENT', text: 'hi' },
    'agent_message_event',
  ],
  [
    { task: { ...taskOf('c', COMPLETED, { artifacts: [['x'], ['y']] }), metadata: { a: 1 } } },
    { agent: 'X', event_kind: 'task', task_id: 't', state: COMPLETED, is_final: true, text: 'xy', metadata: { a: 1 } },
    undefined,
  ],
])('%j', (event, shown, type) => {
  expect(ClientEventMapper.toAgentEvent('X', event)).toEqual(shown);
  const emitted: unknown[] = [];
  ClientEventMapper.emit((kind, data) => void emitted.push(kind, data), 'X', event);
  expect(emitted).toEqual(type === undefined ? [] : [type, shown]);
});
