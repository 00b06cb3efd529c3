import { setTimeout as delay } from 'node:timers/promises';
import {
  controlPoint,
  executePsop,
  FileExecutionJournal,
  type JournalRecord,
  MessageContent,
  resumePsop,
  RouteDecision,
  type WorkflowRun,
} from 'nestjs-a2a/workflow';
import { type ResumableRun, RUNS, type RunsOrder, type RunsReport, workflowOf } from './resumable-runs.js';

const CLIENT = { preferredProtocol: 'HTTP+JSON', sendTimeoutSeconds: 30, taskPollIntervalMillis: 100 };

/** Begins all runs and lets each come as far as it is to come, or goes on with all of them. */
export async function main(order: RunsOrder): Promise<void> {
  // A process that has nothing else to do must still wait to be killed.
  const alive = setInterval(() => undefined, 1000);
  await Promise.all(RUNS.map((run) => (order.kind === 'begin' ? begin(run, order) : goOn(run, order))));
  if (order.kind === 'resume') clearInterval(alive);
}

async function begin(run: ResumableRun, { folder, card }: RunsOrder): Promise<void> {
  const journal = new StoppingJournal(folder, run);
  const { host } = hostOf(run, async () => (run.diesAt === 'asked' ? stop(run) : undefined));
  await executePsop({
    psop: workflowOf(run),
    executionId: run.id,
    agentCards: [card],
    clientOptions: CLIENT,
    controlPoint: host,
    journal,
  });
  if (run.diesAt === 'ended') await stop(run);
}

async function goOn(run: ResumableRun, { folder, card }: RunsOrder): Promise<void> {
  const { host, asked } = hostOf(run, async () => undefined);
  const resumed: WorkflowRun = resumePsop({
    executionId: run.id,
    journal: new FileExecutionJournal(folder),
    agentCards: [card],
    clientOptions: CLIENT,
    controlPoint: host,
    resendUnknown: run.resendUnknown,
  });
  const { success, history, stepOutputs: outputs } = await resumed.result;
  const rows = history.map(({ step, status, errorCode }) => [step, status, errorCode].join(' ').trimEnd());
  report({ kind: 'over', id: run.id, success, rows, outputs, asked });
}

function hostOf(_run: ResumableRun, beforeContent: () => Promise<unknown>) {
  const asked: string[] = [];
  const host = controlPoint({
    onTask: async ({ instruction }) => {
      asked.push(instruction);
      await beforeContent();
      return MessageContent.text(instruction);
    },
    onRoute: ({ stepName, nextStep }) => {
      asked.push(`${stepName}->${nextStep}`);
      return RouteDecision.allow();
    },
  });
  return { host, asked };
}

/** Goes no further than its run is to come. */
class StoppingJournal extends FileExecutionJournal {
  private isLoserKnown = false;

  constructor(
    folder: string,
    private readonly run: ResumableRun,
  ) {
    super(folder);
  }

  override async append(executionId: string, record: JournalRecord): Promise<void> {
    await super.append(executionId, record);
    if (record.kind === 'task' && record.index === 0) this.isLoserKnown = true;
    // The winner must not win before the loser has something to lose.
    if (record.kind === 'finished' && this.run.diesAt === 'won') while (!this.isLoserKnown) await delay(1);
    if (isThere(this.run, record)) await stop(this.run);
  }
}

function isThere({ diesAt }: ResumableRun, { kind }: JournalRecord): boolean {
  switch (diesAt) {
    case 'sending':
      return kind === 'send';
    case 'known':
      return kind === 'task';
    case 'finished':
    case 'won':
      return kind === 'finished';
    default:
      return kind === diesAt;
  }
}

/** Says where it is, and goes no further. */
function stop({ id }: ResumableRun): Promise<never> {
  report({ kind: 'at', id });
  return new Promise<never>(() => undefined);
}

function report(line: RunsReport): void {
  process.stdout.write(`${JSON.stringify(line)}\n`);
}
