import 'reflect-metadata';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { AgentCardProvider, BearerScheme, type A2AUser, type AgentCardInput } from 'nestjs-a2a';
import { TaskState, type AgentCard } from 'nestjs-a2a/protocol';
import { probeCard } from '../probe-agent/probe.options.js';
import { Hook } from '../support/hook.js';
import { probeModule } from '../support/probe-pair.js';
import { ADAPTERS, start, type RunningApp } from '../support/running-app.js';
import { factsOfPythonClient, type Fact } from './python-process.js';

const BINDINGS = ['JSONRPC', 'HTTP+JSON'] as const;
const TOKEN = 'a-secret-for-python';
const { SUBMITTED, WORKING, COMPLETED, CANCELED, FAILED, REJECTED, INPUT_REQUIRED, AUTH_REQUIRED } = TaskState;
const CHUNKS = [`task ${SUBMITTED}`, WORKING, 'chunk c1 ', 'chunk c2 ', 'chunk c3 ', COMPLETED];

/** What the Python client finds out about the probe agent. */
const FACTS: Readonly<Record<string, unknown>> = {
  card: { name: 'Probe', skills: ['probe'], streaming: true },
  anonymous: 'let in',
  send: { state: COMPLETED, text: 'grüezi 🧀' },
  direct_message: 'message hello',
  stream: CHUNKS,
  stream_direct_message: ['message hello'],
  follow_up: {
    asked: [INPUT_REQUIRED, 'which one?'],
    same: true,
    answered: [COMPLETED, 'got: the red one'],
  },
  stream_follow_up: [
    [`task ${SUBMITTED}`, INPUT_REQUIRED],
    [`task ${WORKING}`, 'chunk got: the red one', COMPLETED],
  ],
  auth_required: AUTH_REQUIRED,
  failed: FAILED,
  rejected: [REJECTED, 'no way'],
  file_and_data: [
    [{ raw: 'aGVsbG8=', filename: 'hello.txt', mediaType: 'text/plain' }],
    [{ data: { key: 'value', count: 42 } }],
  ],
  parts_kept: true,
  get: { id: true, history: true, short: 0 },
  list_pages: { same: true, texts: ['0', '1', '2'], sizes: [3, 3], 'newest first': true },
  cancel: [CANCELED, CANCELED],
  subscribe: [`task ${WORKING}`, CANCELED],
  push_with_message: [`task ${COMPLETED}`],
  errors: {
    'get unknown': 'TaskNotFoundError',
    'cancel unknown': 'TaskNotFoundError',
    'cancel ended': 'TaskNotCancelableError',
    'send to ended': 'UnsupportedOperationError',
    'send to unknown': 'TaskNotFoundError',
    'stream to unknown': 'TaskNotFoundError',
    'subscribe ended': 'UnsupportedOperationError',
    'subscribe unknown': 'TaskNotFoundError',
    'no parts': 'InvalidParamsError',
    'page too large': 'InvalidParamsError',
    'unknown config': 'TaskNotFoundError',
  },
};

class ProbeCards extends AgentCardProvider {
  getCard(): AgentCardInput {
    return { ...probeCard(), capabilities: { extendedAgentCard: true } };
  }

  override async getExtendedCard(_user: A2AUser, card: AgentCard): Promise<AgentCardInput> {
    return { ...card, name: 'Probe, extended' };
  }
}

const valueOf = ({ value, error }: Partial<Fact> = {}): unknown => error ?? value;

describe.each(ADAPTERS)('The official Python client and an agent on %s', (adapter) => {
  const running: RunningApp[] = [];
  let open: RunningApp;
  let guarded: RunningApp;
  beforeAll(async () => {
    const push = { pushUrlValidator: () => true, push: { drainSeconds: 0 } };
    open = await start(adapter, probeModule(push));
    running.push(open);
    guarded = await start(
      adapter,
      probeModule({
        ...push,
        agentCard: undefined,
        authentication: [new BearerScheme({ secrets: TOKEN })],
        providers: [{ provide: AgentCardProvider, useClass: ProbeCards }],
      }),
    );
    running.push(guarded);
  });
  afterAll(async () => {
    for (const app of running) await app.close();
  });

  describe.each(BINDINGS)('over %s', (binding) => {
    let hook: Hook;
    let facts: ReadonlyMap<string, Fact>;
    beforeAll(async () => {
      hook = await Hook.open();
      facts = await factsOfPythonClient(open.url, binding, hook.url);
    });
    afterAll(() => hook.close());

    it.each(Object.entries(FACTS))('finds that %s is as it should be', (name, expected) => {
      expect(valueOf(facts.get(name))).toEqual(expected);
    });

    // Over REST we answer a deletion with 204 and nothing, of which this client wants to read JSON; it is done.
    it('manages push configurations', () => {
      expect(valueOf(facts.get('push_configs'))).toEqual({
        created: ['mine', true],
        got: ['mine', true],
        listed: [['mine'], []],
        deleted: binding === 'JSONRPC' ? 'done' : 'A2AClientError',
      });
    });

    it('has its push configuration used', async () => {
      await hook.untilWord(COMPLETED);
      const { headers } = hook.calls[hook.words.indexOf(COMPLETED)] ?? {};
      expect(headers).toMatchObject({ 'x-a2a-notification-token': 'with the message' });
    });

    it('shows what the card asks for, and sees the extended card', async () => {
      const names = ['anonymous', 'extended_card', 'send', 'stream', 'subscribe'];
      const signedIn = await factsOfPythonClient(guarded.url, binding, hook.url, TOKEN, names);
      const found = names.map((name) => [name, valueOf(signedIn.get(name))]);
      expect(Object.fromEntries(found)).toEqual({
        anonymous: 'A2AClientError',
        extended_card: 'Probe, extended',
        send: FACTS['send'],
        stream: CHUNKS,
        subscribe: FACTS['subscribe'],
      });
    });
  });
});
