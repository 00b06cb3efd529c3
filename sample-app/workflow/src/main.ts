import 'reflect-metadata';
import { writeFile } from 'node:fs/promises';
import { renderWorkflow } from 'nestjs-a2a/workflow';
import { readPsop } from './center/read-psop.js';
import { eventLine } from './console/event-line.js';
import { Network } from './network/network.js';
import { RepairCenter } from './repair-center.js';

/** `BOARD` breaks another board, or none when it is empty; `SVG` names a file for the picture. */
const {
  BOARD: board = 'A1-04',
  PSOP: path = 'sample-app/workflow/psop/board-fault.json',
  INTENT: intent = '东湖片区多个基站退服，请定位并修复。',
  SVG: svg = '',
} = process.env;

const print = (text: string): void => void process.stdout.write(`${text}\n`);

/** @returns whether the workflow succeeded */
async function main(): Promise<boolean> {
  const psop = await readPsop(path);
  const center = await RepairCenter.start(new Network(board === '' ? [] : [board]));
  const stop = (): void => run.cancel();
  const run = center.run(psop, intent);
  process.once('SIGINT', stop).once('SIGTERM', stop);
  try {
    run.events$.subscribe((event) => print(eventLine(event)));
    const result = await run;
    print('');
    for (const { step, agent, status } of result.history) print(`${status.padEnd(9)}${step} (${agent})`);
    print(`\n${renderWorkflow(psop, result)}`);
    if (svg !== '') await writeFile(svg, renderWorkflow(psop, result, 'svg'));
    return result.success;
  } finally {
    process.off('SIGINT', stop).off('SIGTERM', stop);
    await center.close();
  }
}

main().then(
  (success) => (process.exitCode = success ? 0 : 1),
  (error: unknown) => {
    process.stderr.write(
      `The workflow did not come to its end: ${error instanceof Error ? error.message : String(error)}\n`,
    );
    process.exitCode = 1;
  },
);
