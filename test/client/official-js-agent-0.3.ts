import { createServer } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import type {
  AgentCard,
  Message,
  Part,
  TaskArtifactUpdateEvent,
  TaskState,
  TaskStatusUpdateEvent,
} from 'a2a-js-sdk-0.3';
import {
  DefaultRequestHandler,
  InMemoryTaskStore,
  type AgentExecutor,
  type ExecutionEventBus,
  type RequestContext,
} from 'a2a-js-sdk-0.3/server';
import { agentCardHandler, jsonRpcHandler, restHandler, UserBuilder } from 'a2a-js-sdk-0.3/server/express';
import express from 'express';
import { closeServer, portOf } from '../net/canary.js';
import type { OfficialAgent } from './official-js-agent.js';

const textOf = ({ parts }: Message): string => (parts[0]?.kind === 'text' ? parts[0].text : '');
const text = (value: string): Part => ({ kind: 'text', text: value });

/** As the executor of the newer line: `slow N MS`, `held N`, `pause`, `message T`, `parts`; anything else is echoed. */
class OfficialV03Executor implements AgentExecutor {
  private readonly canceled = new Set<string>();
  private readonly held: (() => void)[] = [];

  async execute({ userMessage, taskId, contextId, task }: RequestContext, bus: ExecutionEventBus): Promise<void> {
    const [word = '', ...rest] = textOf(userMessage).split(' ');
    const ids = { taskId, contextId };
    const update = (state: TaskState, final = false): void => {
      const status = { state, timestamp: new Date().toISOString() };
      bus.publish({ kind: 'status-update', ...ids, status, final } satisfies TaskStatusUpdateEvent);
    };
    const chunk = (parts: Part[], append: boolean): void => {
      const artifact = { artifactId: 'a', parts };
      bus.publish({ kind: 'artifact-update', ...ids, artifact, append } satisfies TaskArtifactUpdateEvent);
    };
    if (word === 'message') {
      const parts = [text(rest.join(' '))];
      bus.publish({ kind: 'message', ...ids, messageId: 'm', role: 'agent', parts });
      return bus.finished();
    }
    if (task === undefined) {
      const status = { state: 'submitted' as const, timestamp: new Date().toISOString() };
      bus.publish({ kind: 'task', id: taskId, contextId, status, artifacts: [], history: [userMessage] });
    }
    update('working');
    if (word === 'pause') {
      update('input-required', true);
      return bus.finished();
    }
    const [count = 1, pause = 0] = rest.map(Number);
    if (word === 'held') await new Promise<void>((resolve) => this.held.push(resolve));
    if (word === 'slow' || word === 'held') {
      for (let n = 1; n <= count && !this.canceled.has(taskId); n += 1) {
        await delay(pause);
        chunk([text(`c${n} `)], n > 1);
      }
    } else chunk(userMessage.parts, false);
    update(this.canceled.delete(taskId) ? 'canceled' : 'completed', true);
    bus.finished();
  }

  cancelTask = async (taskId: string): Promise<void> => {
    this.canceled.add(taskId);
  };

  goOn(): void {
    for (const resolve of this.held.splice(0)) resolve();
  }
}

/** An agent of the 0.3 line of the official JavaScript SDK on Express, over JSON-RPC and HTTP+JSON. */
export async function startOfficialV03Agent(): Promise<OfficialAgent> {
  const app = express();
  const server = createServer(app);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${portOf(server)}`;
  const card: AgentCard = {
    name: 'Official',
    description: 'An agent of the official SDK',
    version: '1.0.0',
    protocolVersion: '0.3.0',
    url: `${url}/rpc`,
    preferredTransport: 'JSONRPC',
    additionalInterfaces: [
      { url: `${url}/rpc`, transport: 'JSONRPC' },
      { url: `${url}/rest`, transport: 'HTTP+JSON' },
    ],
    capabilities: { streaming: true, pushNotifications: true },
    supportsAuthenticatedExtendedCard: true,
    defaultInputModes: ['text/plain'],
    defaultOutputModes: ['text/plain'],
    skills: [{ id: 's', name: 'S', description: 'Does s', tags: ['t'] }],
  };
  const more = { id: 'x', name: 'X', description: 'Does x', tags: [] };
  const extended = async (): Promise<AgentCard> => ({ ...card, skills: [...card.skills, more] });
  const store = new InMemoryTaskStore();
  const executor = new OfficialV03Executor();
  // What is left out has a default; the configurations of hooks are what is tested, not their calls.
  const sender = { send: async () => undefined };
  const requestHandler = new DefaultRequestHandler(card, store, executor, undefined, undefined, sender, extended);
  const options = { requestHandler, userBuilder: UserBuilder.noAuthentication };
  app.use('/.well-known/agent-card.json', agentCardHandler({ agentCardProvider: async () => card }));
  app.use('/rpc', jsonRpcHandler(options));
  app.use('/rest', restHandler(options));
  return { url, goOn: () => executor.goOn(), close: () => closeServer(server) };
}
