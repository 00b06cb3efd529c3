import { AgentExecutor, type AgentEmitter, type RequestContext } from 'nestjs-a2a';
import type { Struct } from 'nestjs-a2a/protocol';
import { assignmentIn } from './assignment.js';
import { CannotDo, type Evidence } from './evidence.js';

/** What came of a skill: data for the next step, and a line for people. */
export interface SkillResult {
  readonly data: Struct;
  readonly summary: string;
}

export type Skill = (evidence: Evidence, emitter: AgentEmitter) => SkillResult | Promise<SkillResult>;

/** An agent with several skills, of which a message names one. */
export abstract class SkilledAgent extends AgentExecutor {
  protected abstract readonly skills: Readonly<Record<string, Skill>>;

  override async execute(context: RequestContext, emitter: AgentEmitter): Promise<void> {
    try {
      const { skill, evidence } = assignmentIn(context.message);
      if (!Object.hasOwn(this.skills, skill)) return await emitter.reject(`没有这项技能：${skill}`);
      await emitter.working(`正在执行：${skill}`);
      const result = await this.skills[skill]?.(evidence, emitter);
      if (result !== undefined) await finish(emitter, skill, result);
    } catch (error) {
      if (!(error instanceof CannotDo)) throw error;
      await emitter.fail(error.message);
    }
  }
}

export async function finish(emitter: AgentEmitter, skill: string, { data, summary }: SkillResult): Promise<void> {
  await emitter.addArtifact([{ data }], { name: skill });
  await emitter.complete(summary);
}
