import { AgentExecutor, type AgentEmitter, type AgentMessage, type RequestContext } from 'nestjs-a2a';
import { isTerminal, type JsonValue, type Part, TaskState } from 'nestjs-a2a/protocol';
import { A2ATExtension } from 'nestjs-a2a/workflow';
import type { ScriptedAnswer } from './agent-script.js';
import { pause } from './pause.js';
import { ScenarioError } from './reading.js';

/** Names the answer that a run is to play. */
export const ANSWER_HEADER = 'x-scenario-answer';

/** An answer on its way to the run that plays it. */
export interface Cue {
  readonly answer: ScriptedAnswer;
  /** The task is shown at work before. */
  readonly reveal: boolean;
  /** How long the run waits after that. */
  readonly waitMs: number;
  /** The run has said what the answer says, about this task. */
  played(taskId: string): void;
}

interface LiveRun {
  readonly emitter: AgentEmitter;
  end(): void;
}

/** The agent behind our server: says what it is told to, and stays at work when its answer does not end the task. */
export class AnswerExecutor extends AgentExecutor {
  private readonly cues = new Map<string, Cue>();
  private readonly live = new Map<string, LiveRun>();
  private cueCount = 0;

  /** @returns what the request that is to get the answer carries in its {@link ANSWER_HEADER} */
  cue(cue: Cue): string {
    this.cueCount += 1;
    const id = String(this.cueCount);
    this.cues.set(id, cue);
    return id;
  }

  override async execute({ call, taskId, task, signal }: RequestContext, emitter: AgentEmitter): Promise<void> {
    const id = String(call.headers[ANSWER_HEADER]);
    const cue = this.cues.get(id);
    this.cues.delete(id);
    if (cue === undefined) throw new ScenarioError(`No answer is ready for ${id}`);
    if (cue.reveal) await emitter.working();
    await pause(cue.waitMs, signal);
    if (!(await say(cue.answer, emitter, task === undefined && !cue.reveal))) return cue.played(taskId);
    await new Promise<void>((resolve) => {
      this.live.set(taskId, { emitter, end: resolve });
      if (signal.aborted) resolve();
      signal.addEventListener('abort', () => resolve(), { once: true });
      cue.played(taskId);
    });
    this.live.delete(taskId);
  }

  /**
   * Lets a run that is still at work say this.
   *
   * @returns whether there is one
   */
  async continueWith(taskId: string, answer: ScriptedAnswer): Promise<boolean> {
    const run = this.live.get(taskId);
    if (run === undefined) return false;
    if (!(await say(answer, run.emitter, false))) run.end();
    return true;
  }

  /** Nobody is at work any more. */
  endAll(): void {
    for (const { end } of this.live.values()) end();
  }
}

/**
 * @param isFirst whether nothing has been said about the task before
 * @returns whether the run has more to say later
 */
async function say({ saying, art, neg }: ScriptedAnswer, emitter: AgentEmitter, isFirst: boolean): Promise<boolean> {
  if (art !== undefined && art.length > 0) await emitter.addArtifact(art.map(partOf));
  switch (saying.kind) {
    case 'done':
      if (saying.values.length > 0) await emitter.addArtifact(saying.values.map(partOf));
      await emitter.complete(neg && proposal(neg));
      return false;
    case 'fail':
      await emitter.fail(neg ? { ...proposal(neg), parts: saying.text } : saying.text);
      return false;
    case 'msg':
      await emitter.sendMessage({ ...(neg && proposal(neg)), parts: saying.values.map(partOf) });
      return false;
    case 'state': {
      const state = onServer(saying.state, isFirst);
      await emitter.updateStatus(state, neg && proposal(neg));
      return !isTerminal(state) && state !== TaskState.INPUT_REQUIRED;
    }
    default:
      // What goes wrong on the way is the gateway's part.
      return true;
  }
}

/** The state that our server has in place of one to which its tasks do not come; on the way it is put back. */
export function onServer(state: string, isFirst = false): TaskState {
  const isOwn = (known: TaskState): boolean =>
    known === state && known !== TaskState.UNSPECIFIED && (isFirst || known !== TaskState.SUBMITTED);
  return Object.values(TaskState).find(isOwn) ?? TaskState.WORKING;
}

export function partOf(value: JsonValue): Part {
  return typeof value === 'string' ? { text: value } : { data: value };
}

function proposal(neg: NonNullable<ScriptedAnswer['neg']>): Exclude<AgentMessage, string | Part | readonly Part[]> {
  return { parts: 'proposal', metadata: proposalMetadata(neg) };
}

export function proposalMetadata(neg: NonNullable<ScriptedAnswer['neg']>) {
  return { [A2ATExtension.NEGOTIATION_T.uri]: 'proposal', negotiationContext: neg };
}
