import type { IncomingMessage, ServerResponse } from 'node:http';

/** What to do after a frame of a stream. */
export type AfterFrame = 'on' | 'end' | 'break';

/** A frame of a stream, as far as a script looks at it. */
export interface StreamFrame {
  /** What the task came to with it. */
  readonly state: string | undefined;
  readonly taskId: string | undefined;
}

/** Hands a stream on frame by frame, until it ends or is ended. */
export async function relayStream(
  source: IncomingMessage,
  target: ServerResponse,
  onFrame: (frame: StreamFrame) => Promise<AfterFrame>,
): Promise<void> {
  target.writeHead(source.statusCode ?? 500, source.headers);
  let rest = '';
  source.setEncoding('utf8');
  try {
    for await (const piece of source) {
      const frames = (rest + String(piece)).split('\n\n');
      rest = frames.pop() ?? '';
      for (const text of frames) {
        await written(target, `${text}\n\n`);
        const next = await onFrame(frameOf(text));
        if (next === 'on') continue;
        if (next === 'break') target.destroy();
        else target.end();
        return;
      }
    }
    target.end(rest);
  } catch {
    target.destroy();
  } finally {
    source.destroy();
  }
}

/** Resolves when it is on its way, or nobody is there to take it. */
export function written(target: ServerResponse, text: string): Promise<void> {
  if (target.destroyed) return Promise.resolve();
  return new Promise((resolve) => target.write(text, () => resolve()));
}

function frameOf(text: string): StreamFrame {
  const line = text.split('\n').find((entry) => entry.startsWith('data:'));
  if (line === undefined) return { state: undefined, taskId: undefined };
  const { task, statusUpdate }: Partial<Record<string, { id?: string; taskId?: string; status?: { state?: string } }>> =
    JSON.parse(line.slice(5));
  return { state: (task ?? statusUpdate)?.status?.state, taskId: task?.id ?? statusUpdate?.taskId };
}
