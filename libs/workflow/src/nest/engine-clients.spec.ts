import { describe, expect, it, jest } from '@jest/globals';
import { type AgentCard, TaskState } from 'nestjs-a2a/protocol';
import { bareCard } from '../../../../test/support/bare-card.js';
import { JsonService } from '../../../../test/support/workflow/json-service.js';
import { ScriptedRuntime, stands } from '../../../../test/support/workflow/scripted-runtime.js';
import type { Awaitable } from '../awaitable.js';
import { A2ARuntime } from '../client/a2a-runtime.js';
import type { WorkflowEngineClientOptions } from '../client/workflow-engine-client.config.js';
import { AgentCardSource, OptionAgentCards } from './agent-card.source.js';
import { EngineClients, type EngineClientsParts } from './engine-clients.js';
import { workflowSettings } from './workflow-settings.js';

const NEVER = new AbortController().signal;
const supportedInterfaces = [{ url: 'http://localhost:1', protocolBinding: 'JSONRPC', protocolVersion: '1.0' }];
const card = (name: string, version = '1'): AgentCard => bareCard({ name, version, supportedInterfaces });

class ScriptedCards extends AgentCardSource {
  asked = 0;
  constructor(public answer: () => Awaitable<Iterable<AgentCard>>) {
    super();
  }
  cards(): Awaitable<Iterable<AgentCard>> {
    this.asked += 1;
    return this.answer();
  }
}

class CountingRuntime extends A2ARuntime {
  closed = 0;
  sendMessage(): AsyncIterable<never> {
    throw new Error('not scripted');
  }
  close(): Promise<void> {
    this.closed += 1;
    return Promise.resolve();
  }
}

function clientsOf(
  source: AgentCardSource,
  maxAge: number,
  parts: Partial<EngineClientsParts> = {},
  client: WorkflowEngineClientOptions = {},
) {
  const warn = jest.fn();
  const settings = workflowSettings({ agentCardsMaxAgeSeconds: maxAge, client: { log: { warn }, ...client } });
  return { warn, clients: new EngineClients({ settings, source, ...parts }) };
}

describe('EngineClients', () => {
  it('asks a list once, and a function again when its answer is old', async () => {
    const list = clientsOf(new OptionAgentCards([card('X')]), 0).clients;
    const [first, second] = [await list.acquire(NEVER), await list.acquire(NEVER)];
    expect([first.agents, second.client === first.client]).toEqual([['X'], true]);
    for (const [maxAge, asked] of [[0, 2] as const, [60, 1] as const]) {
      const source = new ScriptedCards(() => [card('X')]);
      const { clients } = clientsOf(source, maxAge);
      const leases = [await clients.acquire(NEVER), await clients.acquire(NEVER)];
      expect([source.asked, leases[0]?.client === leases[1]?.client]).toEqual([asked, true]);
      await clients.close();
    }
    await list.close();
  });

  it('asks once for all who come at the same time', async () => {
    const source = new ScriptedCards(async () => [card('X')]);
    const { clients } = clientsOf(source, 60);
    await Promise.all([clients.acquire(NEVER), clients.acquire(NEVER)]);
    expect(source.asked).toBe(1);
    await clients.close();
  });

  it('makes a new client when the agents have changed, and closes the old one after its last run', async () => {
    const source = new ScriptedCards(() => [card('X')]);
    const { clients } = clientsOf(source, 0);
    const before = await clients.acquire(NEVER);
    const closed = jest.spyOn(before.client, 'close');
    source.answer = () => [card('X', '2'), card('Y')];
    const after = await clients.acquire(NEVER);
    expect([after.agents, after.client === before.client, closed.mock.calls.length]).toEqual([['X', 'Y'], false, 0]);
    before.release();
    before.release();
    expect(closed).toHaveBeenCalledTimes(1);
    await clients.close();
    await expect(after.client.getTask('X', 't')).rejects.toThrow('Workflow client closed');
  });

  it('keeps the agents of before when the source fails, and says so; without any before it fails', async () => {
    const source = new ScriptedCards(() => [card('X')]);
    const { clients, warn } = clientsOf(source, 0);
    const before = await clients.acquire(NEVER);
    source.answer = () => Promise.reject(new Error('no registry'));
    expect((await clients.acquire(NEVER)).client).toBe(before.client);
    expect(warn).toHaveBeenCalledWith('The agents of the workflow engine cannot be read anew: no registry');
    await clients.close();
    const { clients: fresh } = clientsOf(new ScriptedCards(source.answer), 60);
    await expect(fresh.acquire(NEVER)).rejects.toThrow('no registry');
  });

  it('does not keep a failure', async () => {
    const source = new ScriptedCards(() => Promise.reject(new Error('no registry')));
    const { clients } = clientsOf(source, 60);
    await expect(clients.acquire(NEVER)).rejects.toThrow('no registry');
    source.answer = () => [card('X')];
    expect((await clients.acquire(NEVER)).agents).toEqual(['X']);
    await clients.close();
  });

  it('lets go of who does not want to wait for the source', async () => {
    const { clients } = clientsOf(new ScriptedCards(() => new Promise(() => undefined)), 60);
    const leaving = new AbortController();
    const waiting = clients.acquire(leaving.signal);
    leaving.abort(new Error('had enough'));
    await expect(waiting).rejects.toThrow('had enough');
  });

  it('leaves a runtime of the host open', async () => {
    const runtime = new CountingRuntime();
    const { clients } = clientsOf(new OptionAgentCards([card('X')]), 60, { runtime });
    const { client } = await clients.acquire(NEVER);
    await expect(client.getTask('X', 't')).rejects.toThrow('getTask not supported by this runtime');
    await clients.close();
    expect(runtime.closed).toBe(0);
  });

  it('makes no client after the end', async () => {
    const { clients } = clientsOf(new ScriptedCards(() => [card('X')]), 60);
    await clients.close();
    await expect(clients.acquire(NEVER)).rejects.toThrow('The app is shutting down');
  });

  it.each<readonly [what: string, client: WorkflowEngineClientOptions, text: string]>([
    ['credentials', { credentialsConfigPath: '/none' }, 'Credentials file not found: /none'],
    ['an encrypted value', { credentialsConfig: { X: { s: { login_url: 'http://a', password: 'enc:' } } } }, 'A2AT_'],
    ['certificates', { caCertsPath: '/none' }, 'Failed to build outbound TLS context'],
  ])('reads its files before any run, and fails with wrong %s', (_what, client, text) => {
    const source = new ScriptedCards(() => [card('X')]);
    expect(() => clientsOf(source, 60, {}, client)).toThrow(text);
    expect(source.asked).toBe(0);
  });

  it('keeps tokens when the agents change, and lets go of them at the end', async () => {
    const login = new JsonService();
    await login.start();
    let logins = 0;
    login.script = () => [200, { token: `t${(logins += 1)}` }];
    const secured = (version: string): AgentCard => ({
      ...card('X', version),
      securitySchemes: { s: { httpAuthSecurityScheme: { scheme: 'bearer' } } },
      securityRequirements: [{ schemes: { s: { list: [] } } }],
    });
    const source = new ScriptedCards(() => [secured('1')]);
    const seen: unknown[] = [];
    class Listening extends ScriptedRuntime {
      override getTask(...[agent, taskId, context]: Parameters<ScriptedRuntime['getTask']>) {
        seen.push([agent.version, context.headers['Authorization']]);
        return super.getTask(agent, taskId, context);
      }
    }
    const get = Array.from({ length: 2 }, () => stands(TaskState.WORKING, { id: 't' }));
    const credentialsConfig = { X: { s: { login_url: login.url } } };
    const { clients } = clientsOf(source, 0, { runtime: new Listening({ get }) }, { credentialsConfig });
    for (const version of ['1', '2']) {
      source.answer = () => [secured(version)];
      const { client, release } = await clients.acquire(NEVER);
      await client.getTask('X', 't');
      release();
    }
    expect(seen).toEqual([
      ['1', 'Bearer t1'],
      ['2', 'Bearer t1'],
    ]);
    await clients.close();
    await login.close();
  });
});
