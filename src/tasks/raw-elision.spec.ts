import { createHash } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { Role, type Message, type Part } from 'nestjs-a2a/protocol';
import { elideRaw, OMITTED_RAW_KEY, rawBytes } from './raw-elision.js';

function message(...parts: Part[]): Message {
  return { messageId: 'm', role: Role.USER, parts };
}

function base64(bytes: number): string {
  return Buffer.alloc(bytes, 7).toString('base64');
}

describe('rawBytes', () => {
  it.each([0, 1, 2, 3, 4, 5, 6, 100, 101, 102])('knows the size of %i bytes', (bytes) => {
    expect(rawBytes(base64(bytes))).toBe(bytes);
  });
});

describe('elideRaw', () => {
  it('leaves out the bytes, and keeps what tells of them', () => {
    const long = message(
      { text: 'look at this' },
      { raw: base64(101), filename: 'cat.png', mediaType: 'image/png', metadata: { mine: 1 } },
    );
    const sha256 = createHash('sha256').update(Buffer.alloc(101, 7)).digest('hex');
    expect(elideRaw(long, 100)).toEqual(
      message(
        { text: 'look at this' },
        {
          raw: '',
          filename: 'cat.png',
          mediaType: 'image/png',
          metadata: { mine: 1, [OMITTED_RAW_KEY]: { bytes: 101, sha256 } },
        },
      ),
    );
  });

  it('does not change the message that it was given', () => {
    const long = message({ raw: base64(200) });
    elideRaw(long, 100);
    expect(long).toEqual(message({ raw: base64(200) }));
  });

  it.each<[string, Message]>([
    ['no parts', message()],
    [
      'no file part',
      message({ text: 'x'.repeat(1000) }, { data: { raw: 'x'.repeat(1000) } }, { url: 'https://a.example' }),
    ],
    ['a file part at the limit', message({ raw: base64(100) })],
    ['an empty file part', message({ raw: '' })],
  ])('gives back the very message when it has %s', (_name, short) => {
    expect(elideRaw(short, 100)).toBe(short);
  });

  it('makes the short form once, and finds nothing more to leave out of it', () => {
    const long = message({ raw: base64(200) });
    const short = elideRaw(long, 100);
    expect(elideRaw(long, 100)).toBe(short);
    expect(elideRaw(short, 100)).toBe(short);
  });

  it('keeps the other parts as they are', () => {
    const small = { raw: base64(10) };
    expect(elideRaw(message(small, { raw: base64(200) }), 100).parts[0]).toBe(small);
  });
});
