import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { AgentCard } from 'nestjs-a2a/protocol';
import {
  controlPoint,
  FileExecutionJournal,
  MessageContent,
  resumePsop,
  RouteDecision,
  WorkflowStateError,
} from 'nestjs-a2a/workflow';
import { caught } from '../../support/caught.js';
import { LastingAgent } from './lasting-agent.js';
import { RUNS, type RunsOrder, type RunsReport } from './resumable-runs.js';

const PROCESS = join('test', 'workflow', 'resume', 'runs.process.mjs');
const PATIENCE_MS = 60_000;

/** A process and what it says. */
class RunsProcess {
  readonly reports: RunsReport[] = [];
  readonly ended: Promise<unknown>;
  private readonly child: ChildProcess;
  private onReport: () => void = () => undefined;
  private errors = '';

  constructor(order: RunsOrder) {
    this.child = spawn(process.execPath, [PROCESS, JSON.stringify(order)], { stdio: ['ignore', 'pipe', 'pipe'] });
    this.ended = once(this.child, 'close');
    const { stdout, stderr } = this.child;
    stderr?.on('data', (text) => (this.errors += String(text)));
    if (stdout !== null) createInterface(stdout).on('line', (line) => this.take(line));
  }

  /** Until it has said this of so many runs, or has ended. */
  async until(kind: RunsReport['kind'], count: number): Promise<void> {
    const said = new Promise<void>((resolve) => {
      this.onReport = () => {
        if (this.reports.filter((report) => report.kind === kind).length >= count) resolve();
      };
      this.onReport();
    });
    const early = this.ended.then(() => {
      if (this.errors !== '') throw new Error(this.errors);
    });
    await Promise.race([said, early]);
  }

  async kill(): Promise<void> {
    this.child.kill('SIGKILL');
    await this.ended;
  }

  over(id: string) {
    return this.reports.find((report) => report.kind === 'over' && report.id === id);
  }

  private take(line: string): void {
    this.reports.push(JSON.parse(line));
    this.onReport();
  }
}

describe('runs whose process was killed', () => {
  let folder: string;
  let card: AgentCard;
  let agent: LastingAgent;
  let second: unknown;
  let resumed: RunsProcess;
  let before: readonly string[];

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'resume-'));
    let unanswered: () => void = () => undefined;
    const withheld = new Promise<void>((resolve) => (unanswered = resolve));
    ({ agent, card } = await LastingAgent.start(unanswered));

    const first = new RunsProcess({ kind: 'begin', folder, card });
    // The one whose answer is withheld is not at a place of its own making.
    await Promise.all([first.until('at', RUNS.length - 1), withheld]);
    await first.kill();
    before = [...agent.executor.made];
    await appendFile(join(folder, 'torn.jsonl'), '{"kind":"finished","step":"B","ind');

    resumed = new RunsProcess({ kind: 'resume', folder, card });
    await resumed.until('over', RUNS.length - 1);
    second = await caught(
      resumePsop({
        executionId: 'known',
        journal: new FileExecutionJournal(folder),
        agentCards: [card],
        controlPoint: controlPoint({}),
      }).result,
    );
    agent.executor.releaseAll();
    await resumed.until('over', RUNS.length);
    // With it ends whatever goes on behind the results.
    await resumed.ended;
  }, PATIENCE_MS);

  afterAll(async () => {
    await resumed?.kill();
    await agent?.stop();
    await rm(folder, { recursive: true, force: true });
  });

  const done = (id: string) => ({ A: { [`${id} a`]: [`did ${id} a`] }, B: { [`${id} b`]: [`did ${id} b`] } });
  const rows = ['A success', 'B success'];

  it.each([
    ['asked', ['asked a', 'A->B', 'asked b']],
    ['sending-again', ['A->B', 'sending-again b']],
    ['sent', ['A->B', 'sent b']],
    ['known', ['A->B', 'known b']],
    ['finished', ['A->B', 'finished b']],
    ['torn', ['A->B', 'torn b']],
    ['routed', ['routed b']],
    ['won', ['A->B', 'won b']],
    ['ended', []],
  ])('%s: goes on where it was', (id, asked) => {
    expect(resumed.over(id)).toEqual({ kind: 'over', id, success: true, rows, outputs: done(id), asked });
  });

  it('does not guess what became of a message', () => {
    const outcome = { success: false, rows: ['A failed workflow.outcome_unknown'], asked: [] };
    expect(resumed.over('sending')).toMatchObject(outcome);
  });

  it('had left each run where it was to die', () => {
    const first = ['sent a', 'known a', 'finished a', 'torn a', 'routed a', 'won a', 'won slow', 'ended a', 'ended b'];
    expect([...before].sort()).toEqual(first.sort());
  });

  it('made each task of an agent once at most', () => {
    const twice = agent.executor.made.filter((text, at, all) => all.indexOf(text) !== at);
    expect(twice).toEqual([]);
    expect(agent.executor.made).not.toContain('sending a');
  });

  it('cancelled what had lost, once', () => {
    expect(agent.executor.canceled).toEqual(['won slow']);
    expect(agent.questions.filter((operation) => operation === 'cancel')).toEqual(['cancel']);
  });

  it('asked for the tasks of a message of unknown fate', () => {
    expect(agent.questions.filter((operation) => operation === 'list').length).toBe(3);
  });

  it('let nobody else go on with a run meanwhile', () => {
    expect(second).toBeInstanceOf(WorkflowStateError);
    expect(second).toMatchObject({ message: 'Execution is already running: known' });
  });

  it('has ended all runs', async () => {
    const journal = new FileExecutionJournal(folder);
    expect(await journal.unfinished()).toEqual([]);
  });

  it('goes on with a message of unknown fate when somebody has allowed to send it again', async () => {
    const host = controlPoint({
      onTask: ({ instruction }) => MessageContent.text(instruction),
      onRoute: () => RouteDecision.allow(),
    });
    const options = {
      executionId: 'sending',
      journal: new FileExecutionJournal(folder),
      agentCards: [card],
      controlPoint: host,
    };
    const { success, stepOutputs } = await resumePsop({ ...options, resendUnknown: true });
    expect({ success, stepOutputs }).toEqual({ success: true, stepOutputs: done('sending') });
    expect(agent.executor.made.filter((text) => text.startsWith('sending '))).toEqual(['sending a', 'sending b']);
    expect(await options.journal.unfinished()).toEqual([]);
  });
});
