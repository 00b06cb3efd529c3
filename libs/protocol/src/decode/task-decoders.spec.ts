import { describe, expect, it } from '@jest/globals';
import {
  decodeArtifact,
  decodeMessage,
  decodePart,
  decodeSendMessageResponse,
  decodeStreamResponse,
  decodeTask,
  decodeTaskArtifactUpdateEvent,
  decodeTaskStatus,
} from '../decoders.js';
import { isDataPart, isRawPart, isTextPart, isUrlPart } from '../types/part.js';
import type { StreamResponse } from '../types/events.js';

const status = { state: 'TASK_STATE_WORKING', timestamp: '2026-01-01T00:00:00.000Z' };
const task = { id: 't', contextId: 'c', status };
const message = { messageId: 'm', contextId: 'c', role: 'ROLE_AGENT', parts: [{ text: 'x' }] };
const artifact = { artifactId: 'a', parts: [{ text: 'x' }] };

describe('decodePart', () => {
  it.each<[unknown, unknown]>([
    [{ text: '' }, { text: '' }],
    [{ url: '' }, { url: '' }],
    [{ raw: '' }, { raw: '' }],
    [{ data: null }, { data: null }],
    [{ data: 0 }, { data: 0 }],
    [{ data: [null, { a: null }] }, { data: [null, { a: null }] }],
    [{ text: 'x', url: null, raw: null }, { text: 'x' }],
    [
      { raw: 'aGk', filename: 'o.txt', mediaType: '' },
      { raw: 'aGk=', filename: 'o.txt' },
    ],
  ])('%j is %j', (input, value) => {
    expect(decodePart(input)).toEqual({ ok: true, value });
  });

  it('lets guards tell the kinds apart', () => {
    expect([{ text: '' }, { raw: '' }, { url: '' }, { data: null }].map(isTextPart)).toEqual([
      true,
      false,
      false,
      false,
    ]);
    expect([{ text: '' }, { raw: '' }, { url: '' }, { data: null }].map(isRawPart)).toEqual([
      false,
      true,
      false,
      false,
    ]);
    expect([{ text: '' }, { raw: '' }, { url: '' }, { data: null }].map(isUrlPart)).toEqual([
      false,
      false,
      true,
      false,
    ]);
    expect([{ text: '' }, { raw: '' }, { url: '' }, { data: null }].map(isDataPart)).toEqual([
      false,
      false,
      false,
      true,
    ]);
  });
});

describe('decodeStreamResponse', () => {
  it.each<[StreamResponse]>([
    [{ task: { id: 't', status: { state: 'TASK_STATE_COMPLETED' } } }],
    [{ message: { messageId: 'm', role: 'ROLE_AGENT', parts: [{ data: { a: 1 } }] } }],
    [{ statusUpdate: { taskId: 't', contextId: 'c', status: { state: 'TASK_STATE_WORKING' } } }],
    [{ artifactUpdate: { taskId: 't', contextId: 'c', artifact, append: false, lastChunk: true } }],
  ])('%j passes as it is', (frame) => {
    expect(decodeStreamResponse(frame)).toEqual({ ok: true, value: frame });
  });

  it('narrows by the member', () => {
    const result = decodeStreamResponse({ task });
    if (!result.ok || !('task' in result.value)) throw new Error('not a task');
    expect(result.value.task.status.state).toBe('TASK_STATE_WORKING');
  });

  it.each<[unknown]>([[{}], [{ task, message }], [{ kind: 'task', id: 't', status }], [[]]])(
    '%j is refused',
    (frame) => {
      expect(decodeStreamResponse(frame)).toMatchObject({ ok: false, violations: [{ field: '' }] });
    },
  );

  it('forgives peers that write no parts or empty ones', () => {
    const update = { taskId: 't', contextId: 'c', artifact: { artifactId: 'a', parts: [] }, lastChunk: true };
    expect(decodeTaskArtifactUpdateEvent(update)).toEqual({ ok: true, value: update });
    expect(decodeStreamResponse({ artifactUpdate: { ...update, artifact: { artifactId: 'a' } } })).toEqual({
      ok: true,
      value: { artifactUpdate: update },
    });
    expect(decodeArtifact({ artifactId: 'a', parts: [] }).ok).toBe(false);
    expect(decodeMessage({ ...message, parts: [] }).ok).toBe(false);
  });
});

describe('decodeTask', () => {
  it('passes a whole task', () => {
    const whole = {
      ...task,
      status: { ...status, message },
      artifacts: [{ ...artifact, name: 'n', description: 'd', metadata: { a: 1 }, extensions: ['x'] }],
      history: [message],
      metadata: { k: [true] },
    };
    expect(decodeTask(whole)).toEqual({ ok: true, value: whole });
  });

  it.each<[unknown, string]>([
    [{ ...task, id: '' }, 'id'],
    [{ id: 't' }, 'status'],
    [{ ...task, status: { state: 'TASK_STATE_UNSPECIFIED' } }, 'status.state'],
    [{ ...task, status: { state: 'working' } }, 'status.state'],
    [{ ...task, status: { ...status, timestamp: '2026-02-30T00:00:00Z' } }, 'status.timestamp'],
    [{ ...task, artifacts: [artifact, { parts: [{ text: 'x' }] }] }, 'artifacts[1].artifactId'],
    [{ ...task, history: [{ ...message, parts: [{ raw: 'a' }] }] }, 'history[0].parts[0].raw'],
  ])('%j is refused at %s', (value, field) => {
    expect(decodeTask(value)).toMatchObject({ ok: false, violations: [{ field }] });
  });

  it('reads states by number', () => {
    expect(decodeTaskStatus({ state: 8 })).toEqual({ ok: true, value: { state: 'TASK_STATE_AUTH_REQUIRED' } });
  });

  it('is one of two answers to a message', () => {
    expect(decodeSendMessageResponse({ task })).toEqual({ ok: true, value: { task } });
    expect(decodeSendMessageResponse({ statusUpdate: {} }).ok).toBe(false);
  });
});
