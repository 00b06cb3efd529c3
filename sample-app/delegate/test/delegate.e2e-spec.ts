import 'reflect-metadata';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { DynamicModule, INestApplication, Type } from '@nestjs/common';
import { NestFactory, type AbstractHttpAdapter } from '@nestjs/core';
import { ExpressAdapter } from '@nestjs/platform-express';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { A2AClient, userMessage, type TaskView } from 'nestjs-a2a/client';
import { TaskState, type Part, type StreamResponse } from 'nestjs-a2a/protocol';
import { AppModule } from '../../src/app.module.js';
import { generateTable } from '../../test/table-generator.js';
import { DelegateModule } from '../src/delegate.module.js';

// Before anybody connects: a process that is busy for seconds loses the connections that it keeps.
const LARGE = Buffer.from(generateTable(40_000).csv).toString('base64');
const CSV: Part = { text: 'city,price\nZürich,4.5\nBern,3.9\n', mediaType: 'text/csv' };
const ADAPTERS: readonly [string, () => AbstractHttpAdapter, () => AbstractHttpAdapter][] = [
  ['Express, with the analyst on Fastify', () => new ExpressAdapter(), () => new FastifyAdapter()],
  ['Fastify, with the analyst on Express', () => new FastifyAdapter(), () => new ExpressAdapter()],
];

function textOf({ task }: TaskView): string | undefined {
  const [part] = task?.status.message?.parts ?? [];
  return part !== undefined && 'text' in part ? part.text : undefined;
}

/** States with their texts, and artifacts by their names. */
function inShort(event: StreamResponse, view: TaskView): string {
  if ('statusUpdate' in event) return `${view.state} ${textOf(view)}`;
  return 'artifactUpdate' in event ? `artifact ${event.artifactUpdate.artifact.name}` : Object.keys(event).join();
}

describe.each(ADAPTERS)('the front desk on %s', (_name, deskAdapter, analystAdapter) => {
  const apps: INestApplication[] = [];
  const clients: A2AClient[] = [];
  let desk: A2AClient;
  let analyst: A2AClient;

  async function start(module: DynamicModule | Type, adapter: AbstractHttpAdapter): Promise<string> {
    const app = await NestFactory.create(module, adapter, { logger: false });
    apps.push(app);
    await app.listen(0, '127.0.0.1');
    return app.getUrl();
  }
  async function clientOf(url: string): Promise<A2AClient> {
    const client = await A2AClient.discover(url, { network: 'any' });
    clients.push(client);
    return client;
  }

  beforeAll(async () => {
    const url = await start(AppModule, analystAdapter());
    analyst = await clientOf(url);
    desk = await clientOf(await start(DelegateModule.with(url), deskAdapter()));
  });
  afterAll(async () => {
    await Promise.all(clients.map((client) => client.close()));
    await Promise.all(apps.map((app) => app.close()));
  });

  it('tells how the analyst gets on, and hands over what it made', async () => {
    const stream = desk.sendMessageStream({ message: userMessage([CSV]) });
    const events: string[] = [];
    for await (const event of stream) events.push(inShort(event, stream.view));
    expect(events.slice(-5)).toEqual([
      'TASK_STATE_WORKING column 1 of 2: city',
      'TASK_STATE_WORKING column 2 of 2: price',
      'artifact statistics.json',
      'artifact report.md',
      'TASK_STATE_COMPLETED Analysed the table: 2 rows, 2 columns',
    ]);
    const { tasks } = await analyst.listTasks({ includeArtifacts: true });
    expect(tasks).toHaveLength(1);
    expect(tasks[0].id).not.toBe(stream.view.taskId);
    expect(stream.view.task?.artifacts).toMatchObject(tasks[0].artifacts ?? []);
  });

  it('carries questions and answers, to the end of the same remote task', async () => {
    const before = (await analyst.listTasks()).totalSize;
    const chat = desk.chat();
    for (let turn = 0; turn < 2; turn += 1) expect(await chat.say('hello')).toMatch(/^Which table/);
    const { taskId } = chat;
    expect(await chat.say([CSV])).toContain('price');
    expect(await desk.getTask(taskId ?? '')).toMatchObject({ status: { state: TaskState.COMPLETED } });
    expect((await analyst.listTasks()).totalSize).toBe(before + 1);
  });

  it('carries a cancel', async () => {
    const stream = desk.sendMessageStream({ message: userMessage([{ raw: LARGE, mediaType: 'text/csv' }]) });
    let canceled: Promise<unknown> | undefined;
    for await (const event of stream) {
      if (inShort(event, stream.view).includes('Reading: ')) canceled ??= desk.cancelTask(stream.view.taskId ?? '');
    }
    await canceled;
    expect(stream.view.state).toBe(TaskState.CANCELED);
    const { tasks } = await analyst.listTasks({ pageSize: 1 });
    expect(tasks).toMatchObject([{ status: { state: TaskState.CANCELED } }]);
  });

  it('says what the analyst says of a table that cannot be read', async () => {
    const answer = await desk.sendMessage({ message: userMessage([{ text: 'a,b\n1,"2\n', mediaType: 'text/csv' }]) });
    expect(answer).toMatchObject({ task: { status: { state: TaskState.FAILED } } });
    expect(JSON.stringify(answer)).toContain('never closed');
  });

  it('fails without a word of where, when there is no analyst', async () => {
    const lost = await clientOf(await start(DelegateModule.with('http://127.0.0.1:1'), deskAdapter()));
    const answer = await lost.sendMessage({ message: userMessage([CSV]) });
    expect(answer).toMatchObject({ task: { status: { state: TaskState.FAILED } } });
    expect(JSON.stringify(answer)).toContain('cannot be asked at the moment');
    expect(JSON.stringify(answer)).not.toContain('127.0.0.1');
  });
});
