import { createServer } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { AgentCard as SdkCard, Role, TaskState, type Message, type Part, type Task } from '@a2a-js/sdk';
import {
  AgentEvent,
  DefaultRequestHandler,
  InMemoryTaskStore,
  type AgentExecutor,
  type ExecutionEventBus,
  type RequestContext,
} from '@a2a-js/sdk/server';
import { agentCardHandler, jsonRpcHandler, restHandler, UserBuilder } from '@a2a-js/sdk/server/express';
import express from 'express';
import { closeServer, portOf } from '../net/canary.js';

export interface OfficialAgent {
  readonly url: string;
  /** Lets tasks go on that are held. */
  goOn(): void;
  close(): Promise<void>;
}

const partOf = (value: string): Part => ({
  content: { $case: 'text', value },
  metadata: undefined,
  filename: '',
  mediaType: '',
});
const textOf = ({ parts }: Message): string => {
  const content = parts[0]?.content;
  return content?.$case === 'text' ? content.value : '';
};

/** `slow N MS`, `held N`, `chunks [MS, TEXT...]`, `pause`, `message T`, anything else is echoed. */
class OfficialExecutor implements AgentExecutor {
  private readonly canceled = new Set<string>();
  private readonly held: (() => void)[] = [];

  async execute({ userMessage, taskId, contextId, task }: RequestContext, bus: ExecutionEventBus): Promise<void> {
    const [word = '', ...rest] = textOf(userMessage).split(' ');
    const ids = { taskId, contextId };
    const status = (state: TaskState): Task['status'] => ({
      state,
      message: undefined,
      timestamp: new Date().toISOString(),
    });
    const update = (state: TaskState): void =>
      bus.publish(AgentEvent.statusUpdate({ ...ids, status: status(state), metadata: undefined }));
    const chunk = (parts: Part[], append: boolean): void => {
      const artifact = { artifactId: 'a', name: '', description: '', metadata: undefined, extensions: [] };
      bus.publish(
        AgentEvent.artifactUpdate({
          ...ids,
          artifact: { ...artifact, parts },
          append,
          lastChunk: false,
          metadata: undefined,
        }),
      );
    };
    if (word === 'message') {
      bus.publish(
        AgentEvent.message({
          ...ids,
          messageId: 'm',
          role: Role.ROLE_AGENT,
          parts: [partOf(rest.join(' '))],
          metadata: undefined,
          extensions: [],
          referenceTaskIds: [],
        }),
      );
      return bus.finished();
    }
    if (task === undefined) {
      const state = status(TaskState.TASK_STATE_SUBMITTED);
      bus.publish(
        AgentEvent.task({
          id: taskId,
          contextId,
          status: state,
          artifacts: [],
          history: [userMessage],
          metadata: undefined,
        }),
      );
    }
    update(TaskState.TASK_STATE_WORKING);
    if (word === 'pause') {
      update(TaskState.TASK_STATE_INPUT_REQUIRED);
      return bus.finished();
    }
    const [count = 1, pause = 0] = rest.map(Number);
    if (word === 'held') await new Promise<void>((resolve) => this.held.push(resolve));
    if (word === 'slow' || word === 'held') {
      for (let n = 1; n <= count && !this.canceled.has(taskId); n += 1) {
        await delay(pause);
        chunk([partOf(`c${n} `)], n > 1);
      }
    } else if (word === 'chunks') {
      const [wait = 0, ...texts]: [number, ...string[]] = JSON.parse(rest.join(' '));
      for (const [index, text] of texts.entries()) {
        if (wait > 0) await delay(wait);
        chunk([partOf(text)], index > 0);
      }
    } else chunk(userMessage.parts, false);
    update(this.canceled.delete(taskId) ? TaskState.TASK_STATE_CANCELED : TaskState.TASK_STATE_COMPLETED);
    bus.finished();
  }

  cancelTask = async (taskId: string): Promise<void> => {
    this.canceled.add(taskId);
  };

  goOn(): void {
    for (const resolve of this.held.splice(0)) resolve();
  }
}

/** An agent of the official JavaScript SDK on Express, over JSON-RPC and HTTP+JSON. */
export async function startOfficialAgent(): Promise<OfficialAgent> {
  const app = express();
  const server = createServer(app);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${portOf(server)}`;
  const card = SdkCard.fromJSON({
    name: 'Official',
    description: 'An agent of the official SDK',
    version: '1.0.0',
    supportedInterfaces: [
      { url: `${url}/rpc`, protocolBinding: 'JSONRPC', protocolVersion: '1.0' },
      { url: `${url}/rest`, protocolBinding: 'HTTP+JSON', protocolVersion: '1.0' },
    ],
    capabilities: { streaming: true, pushNotifications: true },
    defaultInputModes: ['text/plain'],
    defaultOutputModes: ['text/plain'],
    skills: [{ id: 's', name: 'S', description: 'Does s', tags: ['t'] }],
  });
  const executor = new OfficialExecutor();
  const requestHandler = new DefaultRequestHandler(card, new InMemoryTaskStore(), executor);
  const options = { requestHandler, userBuilder: UserBuilder.noAuthentication };
  app.use('/.well-known/agent-card.json', agentCardHandler({ agentCardProvider: async () => card }));
  app.use('/rpc', jsonRpcHandler(options));
  app.use('/rest', restHandler(options));
  return { url, goOn: () => executor.goOn(), close: () => closeServer(server) };
}
