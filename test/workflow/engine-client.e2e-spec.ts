import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { A2AModule, AgentExecutor, type AgentEmitter, type RequestContext } from 'nestjs-a2a';
import { A2AClient, ClientHttp, type ClientHttpStream } from 'nestjs-a2a/client';
import { type AgentCard, type AgentExtension, TaskState } from 'nestjs-a2a/protocol';
import {
  A2ATExtension,
  A2atMessages,
  createA2ATransport,
  DefaultA2ARuntime,
  DefaultExtensionSender,
  DefaultWorkflowEngineClient,
  failureOf,
  MessageContent,
  type NegotiationRequest,
  RemoteA2AError,
  workflowEngineClientConfig,
} from 'nestjs-a2a/workflow';
import { caught } from '../support/caught.js';
import { ADAPTERS, type RunningApp, start } from '../support/running-app.js';
import { negotiable, replyWith } from '../support/workflow/engine-client-bench.js';
import { proposes } from '../support/workflow/scripted-runtime.js';

const { NEGOTIATION_T, NOTIFICATION_T } = A2ATExtension;
const AGENT = 'Scripted agent';

/** Does what it is told to. */
class ObedientAgent extends AgentExecutor {
  override async execute({ text, task, message, signal }: RequestContext, emitter: AgentEmitter): Promise<void> {
    if (task !== undefined) {
      await emitter.addArtifact(String(performativeIn(message.metadata)));
      return emitter.complete();
    }
    await emitter.working('at it');
    switch (text) {
      case 'stream':
        for (const chunk of ['one ', 'two ', 'three']) await emitter.text(chunk);
        return emitter.complete();
      case 'negotiate':
        return emitter.requireInput({ parts: [{ text: 'agreed?' }], metadata: proposes() });
      case 'finish later':
        await new Promise((resolve) => setImmediate(resolve));
        await emitter.addArtifact('late');
        return emitter.complete();
      default:
        await new Promise((resolve) => signal.addEventListener('abort', resolve));
    }
  }
}

function performativeIn(metadata: Record<string, unknown> | undefined): unknown {
  const context = metadata?.['negotiationContext'];
  return typeof context === 'object' && context !== null && 'performative' in context ? context.performative : '';
}

/** Cuts each stream after its first frame. */
class CuttingHttp extends ClientHttp {
  constructor(private readonly http: ClientHttp) {
    super();
  }

  request(...call: Parameters<ClientHttp['request']>): ReturnType<ClientHttp['request']> {
    return this.http.request(...call);
  }

  async open(...call: Parameters<ClientHttp['open']>): Promise<ClientHttpStream> {
    const stream = await this.http.open(...call);
    return { ...stream, chunks: cut(stream) };
  }

  close(): Promise<void> {
    return this.http.close();
  }
}

async function* cut({ chunks, close }: ClientHttpStream): AsyncGenerator<Uint8Array> {
  for await (const chunk of chunks) {
    yield chunk;
    close();
    throw new Error('The line was cut');
  }
}

class CutRuntime extends DefaultA2ARuntime {
  protected override customizeHttpClient(http: ClientHttp): ClientHttp {
    return new CuttingHttp(http);
  }
}

describe.each(ADAPTERS)('the engine client and an agent on %s', (adapter) => {
  let running: RunningApp;
  let card: AgentCard;
  const clients: { close(): Promise<void> }[] = [];
  const unhandled: unknown[] = [];
  const onUnhandled = (reason: unknown): void => void unhandled.push(reason);

  beforeAll(async () => {
    process.on('unhandledRejection', onUnhandled);
    const extensions: AgentExtension[] = [{ uri: NEGOTIATION_T.uri }, { uri: NOTIFICATION_T.uri }];
    running = await start(
      adapter,
      A2AModule.forRoot({
        agentCard: {
          name: AGENT,
          description: 'Does as it is told',
          version: '1',
          capabilities: { streaming: true, extensions },
          skills: [],
        },
        executor: ObedientAgent,
        heartbeatIntervalSeconds: 0.02,
        shutdownTimeoutSeconds: 0,
      }),
    );
    const discovered = await A2AClient.discover(running.url, { network: 'any' });
    ({ card } = await discovered.agent());
    await discovered.close();
  });
  afterEach(async () => {
    for (const client of clients.splice(0)) await client.close();
  });
  afterAll(async () => {
    await running.close();
    process.off('unhandledRejection', onUnhandled);
    expect(unhandled).toEqual([]);
  });

  const config = (binding: string, sendTimeoutSeconds = 20) =>
    workflowEngineClientConfig({ preferredProtocol: binding, taskPollIntervalMillis: 100, sendTimeoutSeconds });
  const open = <C extends { close(): Promise<void> }>(client: C): C => {
    clients.push(client);
    return client;
  };

  describe.each(['HTTP+JSON', 'JSONRPC'])('over %s', (binding) => {
    const clientOf = (sendTimeoutSeconds?: number): DefaultWorkflowEngineClient =>
      open(new DefaultWorkflowEngineClient([card], { config: config(binding, sendTimeoutSeconds) }));

    it('sends, and follows the stream', async () => {
      const client = clientOf();
      const events: string[] = [];
      client.setEventCallback({ onEvent: (type) => void events.push(type) });
      const result = await client.sendTask(AGENT, MessageContent.text('stream'));
      expect(result).toMatchObject({ taskState: TaskState.COMPLETED, text: 'one two three' });
      expect(new Set(events)).toEqual(
        new Set(['agent_request', 'agent_status_update', 'agent_artifact_update', 'agent_response']),
      );
      const id = result.task?.id ?? '';
      expect((await client.getTask(AGENT, id)).text).toBe('one two three');
      const { contextId } = result.task ?? {};
      expect((await client.listTasks(AGENT, { contextId })).tasks.map((task) => task.id)).toEqual([id]);
    });

    it('waits for an agent whose card says that it cannot stream', async () => {
      const silent = { ...card, capabilities: { ...card.capabilities, streaming: false } };
      const client = open(new DefaultWorkflowEngineClient([silent], { config: config(binding) }));
      expect((await client.sendTask(AGENT, MessageContent.text('stream'))).text).toBe('one two three');
    });

    it('asks for the task after its stream was cut', async () => {
      const runtime = new CutRuntime({ preferredProtocol: binding });
      const client = open(new DefaultWorkflowEngineClient([card], { config: config(binding), runtime }));
      const result = await client.sendTask(AGENT, MessageContent.text('finish later'));
      expect(result).toMatchObject({ taskState: TaskState.COMPLETED, outputs: ['late'] });
    });

    it('negotiates', async () => {
      const seen: NegotiationRequest[] = [];
      const result = await clientOf().sendTask(AGENT, negotiable('negotiate'), {
        resolve: (request) => {
          seen.push(request);
          return replyWith(request, 'ACCEPT');
        },
      });
      expect(result.outputs).toEqual(['ACCEPT']);
      expect(seen.map(({ received }) => A2atMessages.contextOf(received).round)).toEqual([1]);
    });

    it('cancels the task that it gives up', async () => {
      const client = clientOf();
      const stop = new AbortController();
      let id = '';
      const failed = caught(
        client.sendTask(AGENT, MessageContent.text('hang'), {
          signal: stop.signal,
          journal: {
            beforeSend: async () => undefined,
            taskKnown: async (taskId) => {
              id = taskId;
              setImmediate(() => stop.abort());
            },
          },
        }),
      );
      expect((await failed).name).toBe('CancellationException');
      expect((await client.getTask(AGENT, id)).taskState).toBe(TaskState.CANCELED);
    });

    it('has a limit of time', async () => {
      const error = await caught(clientOf(0.05).sendTask(AGENT, MessageContent.text('hang')));
      expect(failureOf(error)).toMatchObject({ code: 'workflow.timeout', message: 'TimeoutException' });
    });

    it('hears what the agent says is wrong', async () => {
      const error = await caught(clientOf().getTask(AGENT, 'nobody-knows'));
      expect(error.message).toBe(`getTask failed for ${AGENT}: Task not found`);
      expect(RemoteA2AError.findIn(error)).toMatchObject({ reason: 'TASK_NOT_FOUND', httpStatus: 404 });
      expect(failureOf(error)).toMatchObject({
        code: 'a2a.task_not_found',
        details: { httpStatus: 404, reason: 'TASK_NOT_FOUND', domain: 'a2a-protocol.org' },
      });
    });

    it('goes on with a send of before, and with one of which nobody knew', async () => {
      const sent = await clientOf().sendTask(AGENT, MessageContent.text('stream'));
      const contextId = sent.task?.contextId ?? '';
      for (const taskId of [sent.task?.id, undefined]) {
        const known: string[] = [];
        const journal = {
          beforeSend: () => Promise.reject(new Error('Nothing may be sent')),
          taskKnown: async (id: string): Promise<void> => void known.push(id),
          resume: { contextId, messageId: 'm', ...(taskId !== undefined && { taskId }) },
        };
        const again = await clientOf().sendTask(AGENT, MessageContent.text('stream'), { journal });
        expect(again.text).toBe('one two three');
        expect(known).toEqual(taskId === undefined ? [sent.task?.id] : []);
      }
    });
  });

  it('keeps a subscription alive by heartbeats', async () => {
    const { uri } = NOTIFICATION_T;
    const sender = open(new DefaultExtensionSender(createA2ATransport([card], config('HTTP+JSON', 0.8))));
    const content = new MessageContent([{ text: 'hang' }], { [uri]: 'x' }, [uri]);
    const subscription = sender.openNotification(AGENT, content, () => undefined);
    await subscription.acknowledgement();
    const acknowledgedAt = subscription.lastBusinessEventAt()?.getTime() ?? Infinity;
    // Longer than a stream may be silent, were it not for the heartbeats.
    const isKept = (): boolean =>
      (subscription.heartbeat().lastEventAt?.getTime() ?? 0) >= acknowledgedAt + 900 && subscription.isHealthy(700);
    while (!isKept()) {
      expect(subscription.isActive()).toBe(true);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    // The task, and that the agent is at it.
    expect(subscription.heartbeat().eventCount).toBe(2);
    subscription.close();
    await subscription.completion();
  });
});
