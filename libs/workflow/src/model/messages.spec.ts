import { describe, expect, it } from '@jest/globals';
import type { Part } from 'nestjs-a2a/protocol';
import { MessageContent } from './message-content.js';
import { ReceivedMessage } from './received-message.js';

describe('MessageContent', () => {
  it('is a frozen copy of what it was made of', () => {
    const part: Part = { data: { list: [1] }, metadata: { m: 1 } };
    const metadata = { contextId: 'business', deep: { a: [1] } };
    const content = new MessageContent([part, { text: '' }], metadata, ['u:1', 'u:2', 'u:1']);
    metadata.deep.a.push(2);
    part.metadata = {};
    expect(content).toEqual({
      parts: [{ data: { list: [1] }, metadata: { m: 1 } }, { text: '' }],
      metadata: { contextId: 'business', deep: { a: [1] } },
      extensions: ['u:1', 'u:2'],
    });
    for (const value of [content, content.parts, content.parts[0], content.metadata, content.extensions]) {
      expect(Object.isFrozen(value)).toBe(true);
    }
  });

  it('is made of a text, of parts, or of nothing', () => {
    expect(MessageContent.text('').parts).toEqual([{ text: '' }]);
    expect(MessageContent.parts([]).parts).toEqual([]);
    expect(new MessageContent([], null, null)).toEqual({ parts: [], metadata: {}, extensions: [] });
    const file = { url: 'https://never.fetched/x', mediaType: 'image/png', filename: 'x.png' };
    expect(MessageContent.parts([file]).parts).toEqual([file]);
  });

  it('gains an extension, once and in order, and stays what it was', () => {
    const plain = MessageContent.text('a');
    const with2 = plain.withExtension('u:1').withExtension('u:2').withExtension('u:1');
    expect(with2.extensions).toEqual(['u:1', 'u:2']);
    expect(with2.metadata).toEqual({});
    expect(plain.extensions).toEqual([]);
  });

  it('refuses blank URIs, parts of no kind, and what is no JSON', () => {
    expect(() => MessageContent.text('a').withExtension(' ')).toThrow('Extension URI must not be blank');
    // @ts-expect-error: hosts without types can do so
    expect(() => MessageContent.parts([{ picture: 'x' }])).toThrow('Not a part');
    expect(() => new MessageContent([], { f: () => 1 })).toThrow('Not a JSON value at $.f: function');
  });
});

describe('ReceivedMessage', () => {
  const message = new MessageContent([{ text: '{"not":"read"}' }, { data: [[1, 2]] }, { url: 'https://x/y' }]);

  it.each<[string, ReceivedMessage, boolean, unknown[]]>([
    ['the message', new ReceivedMessage(message), true, ['{"not":"read"}', [[1, 2]]]],
    ['nothing of a message that is evidence only', new ReceivedMessage(message), false, []],
    [
      'artifacts before the message, in order, texts not joined',
      new ReceivedMessage(message, {}, [
        { artifactId: '1', parts: [{ text: 'a' }, { text: 'b' }, { raw: 'eA==' }] },
        { artifactId: '2', parts: [{ data: [1] }] },
      ]),
      true,
      ['a', 'b', [1]],
    ],
    [
      'artifacts of a failure',
      new ReceivedMessage(null, {}, [{ artifactId: '1', parts: [{ text: 'a' }] }]),
      false,
      ['a'],
    ],
    ['nothing of files', new ReceivedMessage(message, {}, [{ artifactId: '1', parts: [{ url: 'u:1' }] }]), true, []],
    ['nothing of metadata', new ReceivedMessage(null, { a: 1 }), true, []],
  ])('has for outputs %s', (_, received, includeMessage, outputs) => {
    expect(received.outputs(includeMessage)).toEqual(outputs);
  });

  it('keeps its levels apart and frozen', () => {
    const artifact = { artifactId: '1', name: 'n', parts: [{ text: 'a', metadata: { p: 1 } }], metadata: { a: 1 } };
    const received = new ReceivedMessage(message, { t: 1 }, [artifact]);
    expect(received.artifacts).toEqual([artifact]);
    expect(received.taskMetadata).toEqual({ t: 1 });
    for (const value of [received, received.artifacts, received.artifacts[0], received.artifacts[0]?.metadata]) {
      expect(Object.isFrozen(value)).toBe(true);
    }
  });
});
