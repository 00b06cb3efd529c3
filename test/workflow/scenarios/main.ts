import { appendFileSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { alterationsOf } from './alterations.js';
import { judge } from './judge.js';
import { playTrial } from './play-trial.js';
import { entriesOf, nameOf, scenarioOf, type Trial } from './scenario.js';

const SLOWNESS = 10;

/** What became of a scenario. */
interface Outcome {
  readonly problems: readonly string[];
  /** Alterations of its expectations that were noticed. */
  readonly noticed: number;
}

/**
 * Runs a file of scenarios and prints what becomes of each.
 *
 * @returns whether all of them passed, and there were some
 */
export async function main(args: string[]): Promise<boolean> {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: { mutate: { type: 'boolean', default: false }, only: { type: 'string', default: '' } },
  });
  const [path] = positionals;
  if (path === undefined || positionals.length > 1) {
    print('Usage: npm run scenarios -- FILE [--mutate] [--only WORD]');
    return close(0, 1);
  }
  let passed = 0;
  let failed = 0;
  let noticed = 0;
  try {
    for (const [at, entry] of entriesOf(readFileSync(fromCaller(path), 'utf8')).entries()) {
      const name = nameOf(entry, at);
      if (!name.includes(values.only)) continue;
      const outcome = await outcomeOf(() => scenarioOf(entry).trials, values.mutate);
      noticed += outcome.noticed;
      if (outcome.problems.length === 0) passed += 1;
      else failed += 1;
      print(
        `${outcome.problems.length === 0 ? 'ok  ' : 'FAIL'} ${name}${values.mutate ? ` (${outcome.noticed} alterations noticed)` : ''}`,
      );
      for (const problem of outcome.problems) print(`       ${problem}`);
    }
  } catch (error) {
    print(`${path} cannot be read: ${textOf(error)}`);
    failed += 1;
  }
  if (values.mutate) print(`${noticed} alterations noticed`);
  return close(passed, failed);
}

async function outcomeOf(trialsOf: () => readonly Trial[], mutate: boolean): Promise<Outcome> {
  const problems: string[] = [];
  let noticed = 0;
  try {
    for (const trial of trialsOf()) {
      const seen = await playTrial(trial, SLOWNESS);
      const wrong = judge(trial.expect, seen, trial.workflow);
      problems.push(...wrong);
      // Of a run that went wrong, everything would be noticed.
      if (!mutate || wrong.length > 0) continue;
      for (const { what, expect } of alterationsOf(trial)) {
        if (judge(expect, seen, trial.workflow).length > 0) noticed += 1;
        else problems.push(`nobody noticed: ${what}`);
      }
    }
  } catch (error) {
    problems.push(textOf(error));
  }
  return { problems, noticed };
}

function close(passed: number, failed: number): boolean {
  if (process.env['COUNTS']) appendFileSync(process.env['COUNTS'], `${passed} ${failed}\n`);
  if (passed + failed === 0) print('There was no scenario to run');
  print(`${passed} passed, ${failed} failed`);
  return failed === 0 && passed > 0;
}

/** A path as whoever called npm meant it: npm itself goes to the root of the package first. */
function fromCaller(path: string): string {
  return resolve(process.env['INIT_CWD'] ?? '', path);
}

function textOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function print(text: string): void {
  process.stdout.write(`${text}\n`);
}
