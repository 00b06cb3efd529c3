import { isDataPart, type Message } from 'nestjs-a2a/protocol';
import { z } from 'zod';
import { CannotDo, Evidence } from './evidence.js';

const ASSIGNMENT = z.object({ skill: z.string(), evidence: z.record(z.string(), z.unknown()) });

/** What an agent is to do, and what it may know. */
export interface Assignment {
  readonly skill: string;
  readonly evidence: Evidence;
}

/** @throws CannotDo when the message has no assignment */
export function assignmentIn({ parts }: Message): Assignment {
  for (const part of parts.filter(isDataPart)) {
    const read = ASSIGNMENT.safeParse(part.data);
    if (read.success) return { skill: read.data.skill, evidence: new Evidence(read.data.evidence) };
  }
  throw new CannotDo('消息中没有任务：需要 data 部件 { skill, evidence }');
}
