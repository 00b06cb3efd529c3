import type { IncomingMessage } from 'node:http';
import { Role } from 'nestjs-a2a/protocol';
import { type GatewayCall, textOf } from './agent-gateway.js';
import type { ScriptedAnswer } from './agent-script.js';
import { ANSWER_HEADER, type AnswerExecutor } from './answer-executor.js';
import { deferred } from './deferred.js';
import { toldTask } from './told-task.js';

/** Calls the agent, of which nobody hears. */
export type CallAgent = (
  method: string,
  path: string,
  body: string,
  headers: Readonly<Record<string, string>>,
) => Promise<IncomingMessage>;

/** Questions about tasks: brings a task to where the script has it, then lets our server tell. */
export class TaskQuestions {
  constructor(
    private readonly executor: AnswerExecutor,
    private readonly callAgent: CallAgent,
  ) {}

  /** @throws Error when our server does not let the task come to this */
  async answer(call: GatewayCall, taskId: string, answer: ScriptedAnswer): Promise<void> {
    if (!(await this.executor.continueWith(taskId, answer))) await this.takeUp(taskId, answer);
    const told = await call.forward();
    const text = await textOf(told);
    if (told.statusCode !== 200) throw new Error(`The agent does not tell its task: ${text}`);
    call.response.writeHead(200, { 'content-type': String(told.headers['content-type']) });
    call.response.end(JSON.stringify(toldTask(text, answer.saying)));
  }

  /** The task waits for somebody: a word from elsewhere makes the agent go on with it. */
  private async takeUp(taskId: string, answer: ScriptedAnswer): Promise<void> {
    const played = deferred<string>();
    const body = JSON.stringify({
      message: { messageId: crypto.randomUUID(), role: Role.USER, taskId, parts: [{ text: 'go on' }] },
      configuration: { returnImmediately: true },
    });
    const cue = { answer, reveal: false, waitMs: 0, played: played.resolve };
    const headers = { 'content-type': 'application/json', [ANSWER_HEADER]: this.executor.cue(cue) };
    const taken = await this.callAgent('POST', '/a2a/json/message:send', body, headers);
    const text = await textOf(taken);
    if (taken.statusCode !== 200) throw new Error(`The agent cannot go on with its task: ${text}`);
    await played.promise;
  }
}
