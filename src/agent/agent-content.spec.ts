import { describe, expect, it } from '@jest/globals';
import { Role } from 'nestjs-a2a/protocol';
import { agentMessageOf, partsOf, plainCopy, sizeOf } from './agent-content.js';
import { AgentEmitterError } from './agent-emitter.error.js';
import type { AgentContent } from './agent-output.js';

describe('partsOf', () => {
  it.each<[AgentContent, unknown[]]>([
    ['text', [{ text: 'text' }]],
    ['', [{ text: '' }]],
    [{ text: 'a' }, [{ text: 'a' }]],
    [
      [{ text: 'a' }, { data: [1, null] }],
      [{ text: 'a' }, { data: [1, null] }],
    ],
    [
      { raw: 'aGk=', filename: 'f', mediaType: 'text/plain' },
      [{ raw: 'aGk=', filename: 'f', mediaType: 'text/plain' }],
    ],
    [{ url: 'https://example.com/f' }, [{ url: 'https://example.com/f' }]],
    [{ data: null }, [{ data: null }]],
  ])('%j', (content, parts) => {
    expect(partsOf(content).value).toEqual(parts);
  });

  it.each([[[]], [{}], [{ nothing: 1 }], [[null]], [['text']], [{ raw: 7 }], [{ text: 'a', raw: 'aGk=' }]])(
    '%j is no content',
    (content) => {
      const attempt = (): unknown => Reflect.apply(partsOf, undefined, [content]);
      expect(attempt).toThrow(AgentEmitterError);
      expect(attempt).toThrow(expect.objectContaining({ code: 'INVALID_CONTENT' }));
    },
  );

  it('does not copy the bytes of a file, and copies all else', () => {
    const metadata = { k: 'v' };
    const part = { raw: 'aGk=', metadata };
    const [copy] = partsOf(part).value;
    metadata.k = 'changed';
    expect(copy).toEqual({ raw: 'aGk=', metadata: { k: 'v' } });
  });

  it.each<[AgentContent, number]>([
    ['x'.repeat(100), 100],
    [{ raw: 'A'.repeat(400) }, 400],
    [{ data: { text: 'x'.repeat(50) } }, 61],
    [{ text: 'x', metadata: { k: 'x'.repeat(30) } }, 39],
  ])('%# knows roughly how much it holds', (content, least) => {
    const { bytes, value } = partsOf(content);
    expect(bytes).toBeGreaterThanOrEqual(least);
    expect(bytes).toBeLessThan(least + 50);
    const [part] = value;
    if (part !== undefined && typeof content !== 'string') expect(bytes).toBe(sizeOf(part));
  });
});

describe('agentMessageOf', () => {
  it.each([
    ['text', { parts: [{ text: 'text' }] }],
    [
      { parts: 'text', metadata: { k: 1 }, extensions: ['e'] },
      { parts: [{ text: 'text' }], metadata: { k: 1 } },
    ],
    [[{ text: 'a' }], { parts: [{ text: 'a' }] }],
  ])('%j', (message, expected) => {
    const { value, bytes } = agentMessageOf(message, { contextId: 'c', taskId: 't' });
    expect(value).toMatchObject({ ...expected, contextId: 'c', taskId: 't', role: Role.AGENT });
    expect(value.messageId).toMatch(/^[0-9a-f-]{36}$/);
    expect(bytes).toBeGreaterThan(0);
  });

  it('has no taskId of its own when it is a direct message', () => {
    expect(agentMessageOf('hi', { contextId: 'c' }).value).not.toHaveProperty('taskId');
  });
});

describe('plainCopy', () => {
  const cyclic: Record<string, unknown> = {};
  cyclic.self = cyclic;

  it.each([
    ['a BigInt', { n: 1n }],
    ['a cycle', cyclic],
    [
      'a toJSON that throws',
      {
        toJSON: () => {
          throw new Error('no');
        },
      },
    ],
    ['a toJSON that gives nothing', { toJSON: () => undefined }],
  ])('%s cannot be written', (_, value) => {
    expect(() => Reflect.apply(plainCopy, undefined, [value, 'metadata'])).toThrow(
      expect.objectContaining({ code: 'NOT_SERIALISABLE' }),
    );
  });
});
