import 'reflect-metadata';
import { afterEach, describe, expect, it } from '@jest/globals';
import {
  Controller,
  Get,
  Headers,
  Module,
  NotFoundException,
  Param,
  Query,
  Sse,
  type DynamicModule,
} from '@nestjs/common';
import { controlPoint, eventStream, WorkflowEngineClient, WorkflowModule, WorkflowRunner } from 'nestjs-a2a/workflow';
import { EventClient } from '../support/event-stream-client.js';
import { at, send } from '../support/http-call.js';
import { ADAPTERS, start, type RunningApp } from '../support/running-app.js';
import type { ScriptedEngineClient } from '../support/workflow/scripted-engine-client.js';
import { asTold, hangingClient, quickClient, SMALL, waitingClient } from './small-workflow.js';

const decisions = controlPoint({ onTask: asTold });

@Controller('runs')
class RunsController {
  constructor(private readonly runner: WorkflowRunner) {}

  @Get('start/:id')
  begin(@Param('id') executionId: string): object {
    const run = this.runner.run({ psop: SMALL, controlPoint: decisions, executionId });
    run.result.catch(() => undefined);
    return { id: run.executionId };
  }

  @Sse(':id/events')
  events(
    @Param('id') id: string,
    @Query('cancel') cancel?: string,
    @Headers('last-event-id') lastEventId?: string,
  ): ReturnType<typeof eventStream> {
    const run = this.runner.find(id);
    if (run === undefined) throw new NotFoundException();
    return eventStream(run, { lastEventId, cancelOnDisconnect: cancel === 'yes' });
  }
}

@Module({})
class AppModule {
  static with(client: ScriptedEngineClient): DynamicModule {
    const providers = [{ provide: WorkflowEngineClient, useValue: client }];
    return { module: AppModule, imports: [WorkflowModule.forRoot({ providers })], controllers: [RunsController] };
  }
}

const ALL = [
  'start',
  'step_start',
  'task_request',
  'task_status_changed',
  'task_response',
  'step_complete',
  'route_decision',
  'workflow_complete',
  'complete',
  'close',
];
const typesOf = ({ frames }: EventClient) => frames.map(({ data }) => at(data, 'type'));

describe.each(ADAPTERS)('eventStream on %s', (adapter) => {
  let app: RunningApp | undefined;
  afterEach(async () => app?.close());

  async function started(client: ScriptedEngineClient) {
    app = await start(adapter, AppModule.with(client));
    const { url } = app;
    const runner = app.app.get(WorkflowRunner);
    const run = await send(url, { path: '/runs/start/r1' });
    expect(run.body).toEqual({ id: 'r1' });
    const follow = (query = '', headers = {}) => EventClient.open(url, { path: `/runs/r1/events${query}`, headers });
    return { url, runner, follow };
  }

  it('tells all events to one who comes late, even after the end', async () => {
    const { runner, follow } = await started(quickClient());
    await runner.find('r1');
    const client = await follow();
    expect([client.status, String(client.headers['content-type'])]).toEqual([200, 'text/event-stream']);
    expect(await client.ended).toBe(true);
    expect(typesOf(client)).toEqual(ALL);
    expect(client.frames.map(({ id, event }) => [id, event])).toEqual(
      ALL.map((_, index) => [`${index + 1}`, undefined]),
    );
    expect(client.frames[1]?.data).toEqual({
      type: 'step_start',
      data: { executionId: 'r1', step: 'A' },
      timestamp: expect.any(Number),
    });
  });

  it('tells what comes while it reads, and only what is new to one who comes again', async () => {
    const { client: agent, goOn } = waitingClient();
    const { runner, follow } = await started(agent);
    const first = await follow();
    await first.frameCount(3);
    first.leave();
    await first.ended;
    expect(runner.running()).toHaveLength(1);
    goOn();
    const second = await follow('', { 'last-event-id': '3' });
    expect(await second.ended).toBe(true);
    expect(typesOf(second)).toEqual(ALL.slice(3));
  });

  it('ends the run with the client that leaves, when it is asked to', async () => {
    const { runner, follow } = await started(hangingClient());
    const client = await follow('?cancel=yes');
    await client.frameCount(3);
    client.leave();
    await expect(runner.find('r1')?.result).rejects.toThrow('Workflow execution cancelled');
  });

  it('ends with the app', async () => {
    const { follow } = await started(hangingClient());
    const client = await follow();
    await client.frameCount(3);
    await app?.close();
    app = undefined;
    expect(await client.ended).toBe(true);
    expect(typesOf(client).slice(3)).toEqual(['error', 'close']);
  });

  it('knows no other run', async () => {
    const { url } = await started(quickClient());
    expect((await send(url, { path: '/runs/none/events' })).status).toBe(404);
  });
});
