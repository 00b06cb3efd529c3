import { describe, expect, it } from '@jest/globals';
import { readSse, type SseFrame } from './sse-reader.js';

async function* pieces(parts: Iterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  yield* parts;
}

async function read(text: string | Uint8Array, size = Number.POSITIVE_INFINITY, maxLength = 1000): Promise<SseFrame[]> {
  const bytes = typeof text === 'string' ? new TextEncoder().encode(text) : text;
  const parts: Uint8Array[] = [];
  for (let start = 0; start < bytes.length; start += size) parts.push(bytes.subarray(start, start + size));
  const frames: SseFrame[] = [];
  for await (const ready of readSse(pieces(parts), maxLength)) frames.push(...ready);
  return frames;
}

const frame = (data: string, more: Partial<SseFrame> = {}): SseFrame => ({
  id: undefined,
  event: undefined,
  data,
  whole: true,
  ...more,
});

const STREAM = [
  '\ufeff: a comment',
  'id: 1',
  'data: {"a":',
  'data: "grüezi 👋"}',
  '',
  ': heartbeat',
  '',
  'event: error',
  'data:no space',
  'retry: 10',
  'unknown: field',
  '',
  'id',
  'data',
  '',
  'id: 2',
  '',
  '',
].join('\n');
const FRAMES = [
  frame('{"a":\n"grüezi 👋"}', { id: '1' }),
  frame('no space', { event: 'error' }),
  frame('', { id: '' }),
];

describe('readSse', () => {
  describe.each([
    ['LF', '\n'],
    ['CRLF', '\r\n'],
    ['CR', '\r'],
  ])('with %s', (_name, ending) => {
    it.each([1, 2, 3, 5, 7, 64, 10_000])('in pieces of %i bytes', async (size) => {
      expect(await read(STREAM.replaceAll('\n', ending), size)).toEqual(FRAMES);
    });

    it('hands out a frame as soon as its blank line is there', async () => {
      let more = (): void => undefined;
      const rest = new Promise<void>((resolve) => (more = resolve));
      const source = async function* (): AsyncGenerator<Uint8Array> {
        yield new TextEncoder().encode(`data: 1${ending}${ending}`);
        await rest;
        yield new TextEncoder().encode(`data: 2${ending}${ending}`);
      };
      const frames = readSse(source(), 100);
      expect(await frames.next()).toEqual({ done: false, value: [frame('1')] });
      more();
      expect(await frames.next()).toEqual({ done: false, value: [frame('2')] });
      expect(await frames.next()).toEqual({ done: true, value: undefined });
    });

    it.each(['data: 1', 'data: 1\n', 'data: 1\n: x'])('takes a last frame without a blank line: %j', async (text) => {
      expect(await read(text.replaceAll('\n', ending))).toEqual([frame('1', { whole: false })]);
    });
  });

  it('reads mixed line ends', async () => {
    expect(await read('data: 1\r\n\ndata: 2\r\rdata: 3\n\r\n')).toEqual([frame('1'), frame('2'), frame('3')]);
  });

  it.each(['', '\n\n\n', ': only a comment\n\n', 'id: 7\n\n'])('finds nothing in %j', async (text) => {
    expect(await read(text)).toEqual([]);
  });

  it('shows half a character as what it is', async () => {
    const bytes = new TextEncoder().encode('data: é');
    expect(await read(bytes.subarray(0, -1))).toEqual([frame('\ufffd', { whole: false })]);
  });

  it.each<[string, string, number]>([
    ['one line', `data: ${'x'.repeat(101)}\n\n`, 1000],
    ['one line in pieces', `data: ${'x'.repeat(200)}`, 10],
    ['many lines', 'data: 12345\n'.repeat(50), 10],
    ['many empty lines', 'data\n'.repeat(200), 10],
    ['a line that is no field', 'x'.repeat(200), 10],
  ])('refuses a frame that is too long: %s', async (_name, text, size) => {
    await expect(read(text, size, 100)).rejects.toMatchObject({ code: 'FRAME_TOO_LARGE' });
  });

  it('counts each frame anew, and comments not at all', async () => {
    const text = `data: ${'x'.repeat(90)}\n\n${': heartbeat\n\n'.repeat(50)}`.repeat(5);
    expect(await read(text, 8, 100)).toHaveLength(5);
  });

  it('closes its source when it is left', async () => {
    let closed = false;
    const source = async function* (): AsyncGenerator<Uint8Array> {
      try {
        for (;;) yield new TextEncoder().encode('data: 1\n\n');
      } finally {
        closed = true;
      }
    };
    for await (const [first] of readSse(source(), 100)) {
      expect(first).toEqual(frame('1'));
      break;
    }
    expect(closed).toBe(true);
  });
});
