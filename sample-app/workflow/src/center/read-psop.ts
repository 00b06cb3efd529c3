import { readFile } from 'node:fs/promises';
import { Workflow } from 'nestjs-a2a/workflow';
import { z } from 'zod';

const ENVELOPE = z.object({ data: z.record(z.string(), z.unknown()) });

/** Reads a PSOP as the orchestration center answers with it. */
export async function readPsop(path: string): Promise<Workflow> {
  return Workflow.fromMap(ENVELOPE.parse(JSON.parse(await readFile(path, 'utf8'))).data);
}
