import 'reflect-metadata';
import { once } from 'node:events';
import { createServer, type RequestListener, type Server, type ServerResponse } from 'node:http';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Test, type TestingModule } from '@nestjs/testing';
import type { A2AClient } from 'nestjs-a2a/client';
import { userMessage } from 'nestjs-a2a/client';
import { A2AClientModule, getA2AClientToken, observe } from 'nestjs-a2a/client/nest';
import { TaskState, type StreamResponse } from 'nestjs-a2a/protocol';
import { firstValueFrom, lastValueFrom, take, toArray } from 'rxjs';
import { closeServer, portOf } from '../net/canary.js';
import { caught } from '../support/caught.js';
import { probeModule } from '../support/probe-pair.js';
import { ADAPTERS, start, type RunningApp } from '../support/running-app.js';

async function clientFor(url: string): Promise<{ client: A2AClient; module: TestingModule }> {
  const imports = [A2AClientModule.forRoot({ network: 'any' }), A2AClientModule.forFeature([{ name: 'agent', url }])];
  const module = await Test.createTestingModule({ imports }).compile();
  return { client: module.get(getA2AClientToken('agent'), { strict: false }), module };
}

const said = (text: string) => ({ message: userMessage(text) });
const wordOf = (event: StreamResponse): string => Object.keys(event).join();

describe.each(ADAPTERS)('the calls of a client as Observables, to an agent on %s', (adapter) => {
  let running: RunningApp;
  let client: A2AClient;
  let module: TestingModule;
  beforeAll(async () => {
    running = await start(adapter, probeModule());
    ({ client, module } = await clientFor(running.url));
  });
  afterAll(async () => {
    await module.close();
    await running.close();
  });

  it('are made when somebody subscribes, for each anew', async () => {
    const text = observe(client).sendTask('hello');
    expect((await firstValueFrom(observe(client).listTasks())).totalSize).toBe(0);
    expect([await lastValueFrom(text), await lastValueFrom(text)]).toEqual(['hello', 'hello']);
    expect(await lastValueFrom(observe(client).allTasks({ pageSize: 1 }).pipe(toArray()))).toHaveLength(2);
  });

  it('give events, tasks and errors as the client does', async () => {
    const events = await lastValueFrom(observe(client).sendMessageStream(said('hello')).pipe(toArray()));
    expect(wordOf(events[0])).toBe('task');
    expect(events.at(-1)).toMatchObject({ statusUpdate: { status: { state: TaskState.COMPLETED } } });
    const answer = await lastValueFrom(observe(client).sendTaskResponse('pause Which?', true));
    const { id } = 'task' in answer ? answer.task : { id: '' };
    expect(await lastValueFrom(observe(client).getTask(id))).toMatchObject({ id });
    expect(wordOf(await firstValueFrom(observe(client).subscribeToTask(id)))).toBe('task');
    expect(await lastValueFrom(observe(client).cancelTask(id))).toMatchObject({
      status: { state: TaskState.CANCELED },
    });
    expect(await lastValueFrom(observe(client).waitForTask(id))).toMatchObject({ id });
    expect(await caught(lastValueFrom(observe(client).getTask('nope')))).toMatchObject({ code: 'TASK_NOT_FOUND' });
    const signal = AbortSignal.abort(new Error('enough'));
    expect(await caught(lastValueFrom(observe(client).sendMessage(said('hello'), { signal })))).toMatchObject({
      message: 'enough',
    });
  });
});

describe('what is left', () => {
  let server: Server;
  let url: string;
  let answer: RequestListener;
  let client: A2AClient;
  let module: TestingModule;
  /** Answers the card; everything else is the test's. */
  const listener: RequestListener = (request, response) => {
    if (request.method !== 'GET') return answer(request, response);
    const supportedInterfaces = [{ url, protocolBinding: 'HTTP+JSON', protocolVersion: '1.0' }];
    const card = { name: 'Slow', description: '', version: '1', skills: [], capabilities: { streaming: true } };
    const modes = { defaultInputModes: ['text/plain'], defaultOutputModes: ['text/plain'] };
    response
      .setHeader('content-type', 'application/json')
      .end(JSON.stringify({ ...card, ...modes, supportedInterfaces }));
  };
  beforeEach(async () => {
    server = createServer(listener).listen(0, '127.0.0.1');
    await once(server, 'listening');
    url = `http://127.0.0.1:${portOf(server)}`;
    ({ client, module } = await clientFor(url));
  });
  afterEach(async () => {
    await module.close();
    await closeServer(server);
  });

  /** The next call that arrives, without an answer. */
  const arrival = (): Promise<ServerResponse> =>
    new Promise((resolve) => {
      answer = (request, response) => void request.resume().on('end', () => resolve(response));
    });

  const status = { taskId: 't', contextId: 'c', status: { state: TaskState.WORKING } };
  const frame = `data: ${JSON.stringify({ statusUpdate: status })}\n\n`;

  it('is ended: an answer that is awaited, when the subscriber goes', async () => {
    const arrived = arrival();
    const errors: unknown[] = [];
    const subscription = observe(client)
      .sendTask('hello')
      .subscribe({ error: (error) => errors.push(error) });
    const response = await arrived;
    const closed = once(response, 'close');
    subscription.unsubscribe();
    await closed;
    expect(errors).toEqual([]);
  });

  it.each([0, 2])('is ended: a stream of which %d events were read', async (count) => {
    const arrived = arrival();
    const stream = observe(client).sendMessageStream(said('hello'));
    const events: StreamResponse[] = [];
    const subscription = stream.pipe(take(Math.max(count, 1))).subscribe((event) => events.push(event));
    const response = await arrived;
    response.setHeader('content-type', 'text/event-stream').flushHeaders();
    const closed = once(response, 'close');
    for (let sent = 0; sent < count; sent += 1) response.write(frame);
    if (count === 0) subscription.unsubscribe();
    await closed;
    expect(events).toHaveLength(count);
  });

  it('is ended with the app: every call, and what is called later', async () => {
    const arrived = arrival();
    const calls = [
      caught(client.sendTask('hello')),
      caught(lastValueFrom(observe(client).sendMessageStream(said('hi')))),
    ];
    await arrived;
    await Promise.all([module.close(), module.close()]);
    for (const error of await Promise.all([
      ...calls,
      caught(client.sendTask('late')),
      caught(client.agent({ fresh: true })),
    ])) {
      expect(error).toMatchObject({ code: 'CLOSED' });
    }
  });
});
