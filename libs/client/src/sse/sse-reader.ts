import { createParser } from 'eventsource-parser';
import { A2AClientError } from '../client-error.js';

/** One event of a stream of server-sent events. */
export interface SseFrame {
  readonly id: string | undefined;
  readonly event: string | undefined;
  /** Its data lines, joined with LF. */
  readonly data: string;
  /** False for a last frame without the blank line: the stream may have been cut in it. */
  readonly whole: boolean;
}

/**
 * Reads server-sent events, however their bytes are cut and whichever way their lines end. A last frame without a blank
 * line is a frame. What comes together is given together: a turn for each frame is what long streams would cost most.
 *
 * @param maxLength of a frame, in UTF-16 units
 * @throws A2AClientError `FRAME_TOO_LARGE`
 * @see WHATWG HTML, section 9.2.6
 */
export async function* readSse(
  chunks: AsyncIterable<Uint8Array>,
  maxLength: number,
): AsyncGenerator<readonly SseFrame[], void, undefined> {
  const decoder = new TextDecoder();
  const lines = new LineEnds();
  let frames: SseFrame[] = [];
  let whole = true;
  let tooLarge = false;
  const parser = createParser({
    maxBufferSize: maxLength,
    onEvent: ({ id, event, data }) => {
      tooLarge ||= data.length > maxLength;
      frames.push({ id, event, data, whole });
    },
    onError: ({ type }) => {
      tooLarge ||= type === 'max-buffer-size-exceeded';
    },
  });
  const feed = (text: string): readonly SseFrame[] => {
    if (text !== '') parser.feed(text);
    if (tooLarge) throw new A2AClientError('FRAME_TOO_LARGE', `A frame of the stream is longer than ${maxLength}`);
    const ready = frames;
    frames = [];
    return ready;
  };
  for await (const chunk of chunks) {
    const ready = feed(lines.toLf(decoder.decode(chunk, { stream: true })));
    if (ready.length > 0) yield ready;
  }
  // What the decoder still holds is a piece of a character, hence of a line.
  const last = feed(lines.toLf(decoder.decode()));
  whole = false;
  const unfinished = feed('\n\n');
  if (last.length + unfinished.length > 0) yield [...last, ...unfinished];
}

/**
 * Turns CR and CRLF into LF. The parser understands them too, but waits after a CR for what follows: on a stream that
 * uses CR alone each event would come one event late.
 */
class LineEnds {
  private afterCr = false;

  toLf(text: string): string {
    if (text === '') return text;
    const rest = this.afterCr && text.startsWith('\n') ? text.slice(1) : text;
    this.afterCr = text.endsWith('\r');
    return rest.includes('\r') ? rest.replace(/\r\n?/g, '\n') : rest;
  }
}
