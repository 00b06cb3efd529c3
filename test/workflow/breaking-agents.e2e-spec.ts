import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { getEventListeners } from 'node:events';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { AgentCard } from 'nestjs-a2a/protocol';
import {
  controlPoint,
  DefaultWorkflowEngineClient,
  executePsop,
  failureOf,
  MessageContent,
  WireLog,
  Workflow,
  workflowEngineClientConfig,
  type WorkflowEngineClientOptions,
  type WorkflowRun,
} from 'nestjs-a2a/workflow';
import { caught } from '../support/caught.js';
import { scriptedCard } from '../support/workflow/scripted-runtime.js';

const SECRET = 'hunter2-never-shown';
/** What is done with a stream; `id` is the context of the caller. */
type Behaviour = (response: ServerResponse, id: string) => void | Promise<void>;

function dataOf(content: object): string {
  return `data: ${JSON.stringify(content)}\n\n`;
}

function frame(response: ServerResponse, content: object): boolean {
  return response.write(dataOf(content));
}

function state(contextId: string, name: string, taskId = 't-1'): object {
  return { statusUpdate: { taskId, contextId, status: { state: `TASK_STATE_${name}` } } };
}

function taskNow(contextId: string, name: string, text = 'ok'): object {
  const artifacts = [{ artifactId: 'a', parts: [{ text }] }];
  return { id: 't-1', contextId, status: { state: `TASK_STATE_${name}` }, ...(name === 'COMPLETED' && { artifacts }) };
}

/** An agent of bare HTTP+JSON, which does whatever it likes. */
class BareAgent {
  readonly asked: string[] = [];
  behaviour: Behaviour = (response) => void response.end();
  /** Answers to questions about the task, in their order; the last one stays. */
  stands: string[] = ['COMPLETED'];
  cancelBreaks = false;
  private context = '';
  private readonly server: Server = createServer((request, response) => void this.serve(request, response));

  async listen(): Promise<AgentCard> {
    await new Promise<void>((resolve) => this.server.listen(0, '127.0.0.1', resolve));
    const { port } = this.server.address() as AddressInfo;
    const card = scriptedCard('X');
    return {
      ...card,
      supportedInterfaces: [
        { url: `http://127.0.0.1:${port}/a2a`, protocolBinding: 'HTTP+JSON', protocolVersion: '1.0' },
      ],
    };
  }

  connections(): Promise<number> {
    return new Promise((resolve, reject) =>
      this.server.getConnections((error, count) => (error ? reject(error) : resolve(count))),
    );
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private async serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = (request.url ?? '').replace('/a2a', '');
    this.asked.push(`${request.method} ${path}`);
    let body = '';
    for await (const chunk of request) body += String(chunk);
    if (path === '/message:stream') {
      this.context = JSON.parse(body).message.contextId;
      response.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders();
      await this.behaviour(response, this.context);
      return;
    }
    if (path.endsWith(':cancel') && this.cancelBreaks) return void response.destroy();
    const now = path.endsWith(':cancel')
      ? 'CANCELED'
      : (this.stands.length > 1 && this.stands.shift()) || this.stands[0];
    response
      .writeHead(200, { 'content-type': 'application/json' })
      .end(JSON.stringify(taskNow(this.context, now ?? '')));
  }
}

const psop = Workflow.fromMap({ name: 'w', steps: [{ name: 'A', subtasks: [{ agent: 'X', description: 'a' }] }] });
const decisions = controlPoint({ onTask: ({ instruction }) => MessageContent.text(instruction) });

describe('agents over HTTP that break the rules', () => {
  const unhandled: unknown[] = [];
  const onUnhandled = (reason: unknown): void => void unhandled.push(reason);
  let agent: BareAgent;
  let card: AgentCard;
  const clients: DefaultWorkflowEngineClient[] = [];

  beforeAll(async () => {
    process.on('unhandledRejection', onUnhandled);
    agent = new BareAgent();
    card = await agent.listen();
  });
  afterEach(async () => {
    for (const client of clients.splice(0)) {
      await client.close();
      expect(client.gauges()).toEqual({ interactions: 0, cleanUps: 0, sends: 0, subscriptions: 0 });
    }
    agent.asked.length = 0;
    agent.stands = ['COMPLETED'];
    agent.cancelBreaks = false;
    expect(unhandled.splice(0)).toEqual([]);
  });
  afterAll(async () => {
    process.off('unhandledRejection', onUnhandled);
    await agent.close();
  });

  function clientOf(options: WorkflowEngineClientOptions = {}): DefaultWorkflowEngineClient {
    const config = workflowEngineClientConfig({ taskPollIntervalMillis: 100, ...options });
    const client = new DefaultWorkflowEngineClient([card], { config, wait: () => Promise.resolve() });
    clients.push(client);
    return client;
  }

  function runOn(engineClient: DefaultWorkflowEngineClient, signal?: AbortSignal): WorkflowRun {
    return executePsop({ psop, controlPoint: decisions, engineClient, signal });
  }

  /** What was given up before its task was known is cancelled behind the result. */
  async function cleanedUp(client: DefaultWorkflowEngineClient): Promise<void> {
    while (client.gauges().cleanUps > 0) await new Promise((resolve) => setImmediate(resolve));
  }

  it.each<[string, Behaviour]>([
    [
      'cuts the line after its first frame',
      (response, id) => void response.write(dataOf(state(id, 'WORKING')), () => response.destroy()),
    ],
    [
      'cuts it in the middle of a frame',
      (response, id) => {
        frame(response, { task: taskNow(id, 'WORKING') });
        response.write('data: {"statusUpdate":{"task');
        setImmediate(() => response.destroy());
      },
    ],
    ['ends it early', (response, id) => void (frame(response, state(id, 'SUBMITTED')), response.end())],
  ])('asks one that %s, and sends nothing again', async (_, behaviour) => {
    agent.behaviour = behaviour;
    agent.stands = ['WORKING', 'WORKING', 'COMPLETED'];
    const result = await runOn(clientOf());
    expect(result).toMatchObject({ success: true, stepOutputs: { A: { a: ['ok'] } } });
    expect(agent.asked).toEqual(['POST /message:stream', 'GET /tasks/t-1', 'GET /tasks/t-1', 'GET /tasks/t-1']);
  });

  it('takes in ten thousand pieces', async () => {
    agent.behaviour = async (response, id) => {
      frame(response, state(id, 'WORKING'));
      for (let at = 0; at < 10_000; at += 1) {
        const artifact = { artifactId: 'a', parts: [{ text: `${at}` }] };
        const isFull = !frame(response, { artifactUpdate: { taskId: 't-1', contextId: id, artifact, append: true } });
        if (isFull) await new Promise((resolve) => response.once('drain', resolve));
      }
      frame(response, state(id, 'COMPLETED'));
      // And never ends.
    };
    const { success, stepOutputs } = await runOn(clientOf());
    expect(success).toBe(true);
    expect(stepOutputs['A']?.['a']).toHaveLength(10_000);
  });

  it.each<[string, Behaviour, string]>([
    [
      'of another task',
      (response, id) => void (frame(response, state(id, 'WORKING')), frame(response, state(id, 'WORKING', 't-2'))),
      'workflow.execution_failed:WorkflowStateError',
    ],
    [
      'of another context',
      (response) => void frame(response, state('other', 'WORKING')),
      'workflow.execution_failed:WorkflowStateError',
    ],
    ['that is no JSON', (response) => void response.write('data: {{{\n\n'), 'workflow.execution_failed:'],
    [
      'that is no event',
      (response) => void frame(response, { hello: 'world' }),
      'workflow.execution_failed:A2AClientError',
    ],
    [
      'that is an envelope with a secret',
      (response) => void frame(response, { error: { code: 503, message: `token=${SECRET}` } }),
      'a2a.http.503:token=***',
    ],
  ])('fails with a frame %s, whatever else the line does', async (_, behaviour, failure) => {
    agent.behaviour = behaviour;
    const wire: string[] = [];
    const client = clientOf({ wireLog: new WireLog((entry) => void wire.push(WireLog.format(entry))) });
    const events: unknown[] = [];
    const run = runOn(client);
    run.events$.subscribe((event) => events.push(event));
    const result = await run;
    const [row] = result.history;
    expect(`${row?.errorCode}:${row?.error}`).toContain(failure);
    expect(JSON.stringify([result, events, wire])).not.toContain(SECRET);
    expect(agent.asked.filter((line) => line.includes('message'))).toHaveLength(1);
  });

  it('ends with the time although the agent never does, nor takes a cancellation', async () => {
    agent.behaviour = (response, id) => {
      const beat = setInterval(() => response.write(':beat\n\n'), 5);
      response.on('close', () => clearInterval(beat));
      frame(response, state(id, 'WORKING'));
    };
    agent.cancelBreaks = true;
    const client = clientOf({ sendTimeoutSeconds: 0.1 });
    const result = await runOn(client).result.then(({ history }) => history[0]);
    expect(result).toMatchObject({ errorCode: 'workflow.timeout' });
    await cleanedUp(client);
    expect(agent.asked).toEqual(['POST /message:stream', 'POST /tasks/t-1:cancel']);
  });

  it('gives two runs on one client what is theirs: one is cancelled, the other ends well', async () => {
    const streams: [ServerResponse, string][] = [];
    const opened: (() => void)[] = [];
    const [one, both] = [0, 1].map((at) => new Promise<void>((resolve) => (opened[at] = resolve)));
    agent.behaviour = (response, id) => {
      frame(response, state(id, 'WORKING', `t-${streams.length}`));
      opened[streams.push([response, id]) - 1]?.();
    };
    const client = clientOf();
    const stop = new AbortController();
    const first = caught(runOn(client, stop.signal).result);
    await one;
    const second = runOn(client);
    await both;
    stop.abort();
    expect((await first).name).toBe('CancellationException');
    const [response, id] = streams[1] ?? [];
    if (response === undefined || id === undefined) throw new Error('There is no second stream');
    frame(response, state(id, 'COMPLETED', 't-1'));
    await expect(second).resolves.toMatchObject({ success: true });
    await cleanedUp(client);
    expect(agent.asked.filter((line) => line.endsWith(':cancel'))).toEqual(['POST /tasks/t-0:cancel']);
    expect(getEventListeners(stop.signal, 'abort')).toEqual([]);
  });

  it('can be closed in the middle of everything', async () => {
    let started = 0;
    let all: () => void = () => undefined;
    const open = new Promise<void>((resolve) => (all = resolve));
    agent.behaviour = (response, id) => {
      frame(response, state(id, 'WORKING', `t-${started}`));
      if ((started += 1) === 8) all();
    };
    const client = clientOf();
    const runs = Array.from({ length: 8 }, () => runOn(client).result);
    const direct = caught(client.sendTask('X', MessageContent.text('x')));
    await open;
    await client.close();
    for (const { success, history } of await Promise.all(runs)) {
      expect({ success, code: history[0]?.errorCode }).toEqual({ success: false, code: 'workflow.cancelled' });
    }
    expect(failureOf(await direct).code).toBe('workflow.cancelled');
    const cancels = agent.asked.filter((line) => line.endsWith(':cancel'));
    expect(new Set(cancels).size).toBe(cancels.length);
    expect(cancels.length).toBeGreaterThanOrEqual(8);
    expect((await caught(client.sendTask('X', MessageContent.text('x')))).message).toBe('Workflow client closed');
  });
});
