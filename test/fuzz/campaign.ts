import { Agent } from 'node:http';
import { A2ADiagnostics, AddressPushUrlPolicy, PushUrlPolicy, type A2AGauges } from 'nestjs-a2a';
import { hurried, message, rpc } from '../support/a2a-calls.js';
import { send, textAt } from '../support/http-call.js';
import { probeModule } from '../support/probe-pair.js';
import { start, type AdapterName, type RunningApp } from '../support/running-app.js';
import { faultIn } from './answer-check.js';
import { RequestFactory, type FuzzRequest } from './request-factory.js';
import { exchange, type FuzzAnswer } from './wire.js';

const LANES = 16;
const MAX_FAULTS = 20;
const MAX_SHOWN = 600;

/** Takes the URLs of the cases on, and lets none of them be called: some lead to where real people are. */
class NothingSent extends PushUrlPolicy {
  private readonly addresses = new AddressPushUrlPolicy();

  override mayRegister(url: string): boolean {
    return this.addresses.mayRegister(url);
  }

  override mayDeliver(): boolean {
    return false;
  }

  override mayConnect(): boolean {
    return false;
  }
}

export interface CampaignOptions {
  readonly adapter: AdapterName;
  readonly seed: number;
  /** The first case and the one behind the last. */
  readonly from: number;
  readonly to: number;
}

export interface CampaignResult {
  readonly answers: number;
  /** How many answers had which status. */
  readonly statuses: ReadonlyMap<number, number>;
  readonly faults: readonly string[];
  /** What the app said in the end, when everybody had left. */
  readonly gauges: A2AGauges;
}

/** Sends the cases of a seed to an agent of its own and judges each answer. */
export async function campaign({ adapter, seed, from, to }: CampaignOptions): Promise<CampaignResult> {
  const app = await start(
    adapter,
    probeModule({
      slashActionAliasesEnabled: true,
      tenantRoutes: true,
      maxRequestBytes: 200_000,
      agentTimeoutSeconds: 5,
      replayGraceSeconds: 0,
      taskTtlSeconds: 5,
      providers: [{ provide: PushUrlPolicy, useClass: NothingSent }],
    }),
  );
  const agent = new Agent({ keepAlive: true, maxSockets: LANES });
  const faults: string[] = [];
  const statuses = new Map<number, number>();
  const stray = (error: unknown): void => void faults.push(`nobody heard of: ${String(error)}`);
  process.on('unhandledRejection', stray);
  let answers = 0;
  try {
    const factory = new RequestFactory(seed, await knownTasks(app));
    const port = Number(new URL(app.url).port);
    let next = from;
    const lane = async (): Promise<void> => {
      while (next < to && faults.length < MAX_FAULTS) {
        const index = next++;
        const request = factory.make(index);
        const answer = await exchange(agent, port, request);
        const fault = typeof answer === 'string' ? answer : faultIn(request, answer);
        if (fault !== undefined) faults.push(described(index, fault, request, answer));
        if (typeof answer === 'string') continue;
        answers++;
        statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1);
      }
    };
    await Promise.all(Array.from({ length: LANES }, lane));
    const healthy = await send(app.url, rpc('SendMessage', message('echo still here')));
    if (!healthy.text.includes('TASK_STATE_COMPLETED')) faults.push(`a good call afterwards: ${healthy.text}`);
    return { answers, statuses, faults, gauges: await restOf(app) };
  } finally {
    process.off('unhandledRejection', stray);
    agent.destroy();
    await app.close();
  }
}

async function knownTasks({ url }: RunningApp) {
  const idOf = async (text: string, contextId: string): Promise<string> => {
    const { body } = await send(url, rpc('SendMessage', hurried(text, { contextId })));
    return textAt(body, 'result.task.id');
  };
  const contextId = 'fuzz-context';
  return { contextId, finished: await idOf('echo hi', contextId), waiting: await idOf('pause which?', contextId) };
}

/** The gauges once the server has noticed that its callers left. */
async function restOf({ app }: RunningApp): Promise<A2AGauges> {
  const diagnostics = app.get(A2ADiagnostics, { strict: false });
  const live = ({ runsLive, sessions, openStreams, readers, busSubscribers }: A2AGauges): number =>
    runsLive + sessions + openStreams + readers + busSubscribers;
  for (let turn = 0; turn < 3_000 && live(diagnostics.gauges()) > 0; turn++) {
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  return diagnostics.gauges();
}

function described(index: number, fault: string, request: FuzzRequest, answer: FuzzAnswer | string): string {
  const { method, path, headers, body } = request;
  const told = typeof answer === 'string' ? '' : `\n  got ${answer.status} ${answer.text.slice(0, MAX_SHOWN)}`;
  const sent = `${method} ${path.slice(0, MAX_SHOWN)} ${JSON.stringify(headers).slice(0, MAX_SHOWN)}`;
  return `case ${index}: ${fault}\n  sent ${sent}\n  ${body?.toString('latin1').slice(0, MAX_SHOWN) ?? ''}${told}`;
}
