import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ScriptedAnswer } from './agent-script.js';
import { errorBody } from './error-body.js';
import { type AfterFrame, relayStream, written } from './stream-relay.js';
import { toldTask } from './told-task.js';

const WORKING = 'TASK_STATE_WORKING';

export interface AnswerStreamOptions {
  readonly answer: ScriptedAnswer;
  /** The agent has said what the answer says, about this task. */
  readonly played: Promise<string>;
  /** What our server tells of a task. */
  readonly ask: (taskId: string) => Promise<string>;
  /** Waits as long as the script has it. */
  readonly wait: () => Promise<void>;
  readonly onTask: (taskId: string) => void;
}

/** Hands a stream of our server on as the script has it. */
export async function relayAnswer(
  source: IncomingMessage,
  target: ServerResponse,
  options: AnswerStreamOptions,
): Promise<void> {
  const { saying, reveal } = options.answer;
  const isWhole = reveal || saying.kind === 'drop' || saying.kind === 'msg' || source.statusCode !== 200;
  await (isWhole ? relayFrames : tellAtOnce)(source, target, options);
}

/** The agent shows nothing before it has come to its answer, which is the task as it stands then. */
async function tellAtOnce(
  source: IncomingMessage,
  target: ServerResponse,
  { answer, played, ask, onTask }: AnswerStreamOptions,
): Promise<void> {
  source.resume();
  const taskId = await played;
  onTask(taskId);
  const task = toldTask(await ask(taskId), answer.saying);
  target.writeHead(200, source.headers).end(`data: ${JSON.stringify({ task })}\n\n`);
  source.destroy();
}

/** Frame by frame, until the stream ends, or is to break or to tell an error. */
async function relayFrames(
  source: IncomingMessage,
  target: ServerResponse,
  { answer, played, ask, wait, onTask }: AnswerStreamOptions,
): Promise<void> {
  const { saying } = answer;
  let isShown = false;
  await relayStream(source, target, async ({ state, taskId }): Promise<AfterFrame> => {
    if (taskId !== undefined) onTask(taskId);
    if (isShown || state !== WORKING) return 'on';
    isShown = true;
    if (saying.kind === 'drop') {
      await played;
      return 'break';
    }
    if (saying.kind === 'err') {
      await wait();
      await written(target, `data: ${JSON.stringify(errorBody(saying.failure))}\n\n`);
      return 'end';
    }
    if (saying.kind !== 'state') return 'on';
    const task = toldTask(await ask(await played), saying);
    await written(target, `data: ${JSON.stringify({ task })}\n\n`);
    return 'end';
  });
}
