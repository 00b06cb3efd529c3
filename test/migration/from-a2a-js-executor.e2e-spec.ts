import 'reflect-metadata';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { A2AModule, fromA2AJsExecutor, type AgentExecutor } from 'nestjs-a2a';
import type { StreamResponse } from 'nestjs-a2a/protocol';
import { asUser, message } from '../support/a2a-calls.js';
import { BelievingGuard } from '../support/believing.guard.js';
import { CapturingLogger } from '../support/capturing-logger.js';
import { cardOf } from '../support/echo.executor.js';
import { EventClient } from '../support/event-stream-client.js';
import { at, send } from '../support/http-call.js';
import { start, type RunningApp } from '../support/running-app.js';
import {
  answered,
  peerV1,
  serveV03,
  serveV1,
  streamed,
  wordOf,
  type OfficialServer,
  type Peer,
} from './official-servers.js';
import { OfficialV03Executor } from './official-v03.executor.js';
import { OfficialV1Executor, StubbornV1Executor } from './official-v1.executor.js';

const logger = new CapturingLogger();

function serve(executor: AgentExecutor): Promise<RunningApp> {
  const agentCard = { ...cardOf('Moved'), defaultInputModes: ['*/*'] };
  const module = A2AModule.forRoot({
    agentCard,
    executor: { useValue: executor },
    guards: [BelievingGuard],
    // Never over: these executors stop by themselves.
    cancelGraceSeconds: 15,
  });
  return start('express', module, { logger });
}

function idOf(response: StreamResponse): string {
  return 'task' in response ? response.task.id : '';
}

const LINES = [
  ['1', new OfficialV1Executor(), new OfficialV1Executor()],
  ['0.3', new OfficialV03Executor(), new OfficialV03Executor()],
] as const;

describe.each(LINES)('an executor of the %s line', (sdk, moved, original) => {
  let running: RunningApp;
  let theirs: OfficialServer;
  let ours: Peer;

  beforeAll(async () => {
    running = await serve(fromA2AJsExecutor(moved, { sdk }));
    ours = peerV1(running.url);
    theirs = original instanceof OfficialV1Executor ? await serveV1(original) : await serveV03(original);
  });
  afterAll(async () => {
    await running.close();
    await theirs.close();
  });

  it('streams the same frames as on its own server', async () => {
    const frames = await streamed(ours, 'stream');
    expect(frames).toEqual([
      'task SUBMITTED',
      'WORKING: Writing',
      'artifact Story: Once ',
      'artifact Story +: upon |a ',
      'artifact Story + .: time',
      'COMPLETED: The end',
    ]);
    expect(await streamed(theirs, 'stream')).toEqual(frames);
  });

  it.each([
    ['stream', 'task COMPLETED: The end [Story: Once |upon |a |time]'],
    ['message hello there', 'message: hello there'],
    ['whole', 'task COMPLETED: Done [A: whole]'],
    ['files', 'task COMPLETED [Story: {"raw":"Ynl0ZXM=","filename":"a.bin"'],
  ])('answers %s as on its own server', async (text, seen) => {
    const word = wordOf(await answered(ours, text));
    expect(word).toContain(seen);
    const other = wordOf(await answered(theirs, text));
    // A last chunk without parts is an empty text here: the protocol wants one part at least.
    expect(word.replace(/\|\]$/, ']')).toBe(other);
  });

  it('asks, and goes on with the answer in the same task', async () => {
    const words = [];
    for (const peer of [ours, theirs]) {
      const asked = await answered(peer, 'ask');
      const done = await answered(peer, 'green', { taskId: idOf(asked), messageId: 'm-2' });
      words.push([wordOf(asked), wordOf(done)]);
      expect(idOf(done)).toBe(idOf(asked));
    }
    const [here, there] = words;
    // The first message, the question and the answer.
    expect(here).toEqual([
      'task INPUT_REQUIRED: Which colour? [Story: draft]',
      'task COMPLETED: 3 messages, the last one green [Story: draft]',
    ]);
    expect(there).toEqual(here);
  });

  it('that throws fails its task, on both; here callers do not see what it threw', async () => {
    const here = wordOf(await answered(ours, 'throw'));
    expect(here).toMatch(/^task FAILED: The agent failed \(correlation id /);
    const theirLog = jest.spyOn(console, 'error').mockReturnValue();
    expect(wordOf(await answered(theirs, 'throw'))).toContain('FAILED: Agent execution error: password=hunter2');
    theirLog.mockRestore();
    expect(await streamed(ours, 'throw')).toEqual(['task SUBMITTED', 'WORKING', expect.stringMatching(/^FAILED/)]);
    expect(logger.text).toContain('hunter2');
  });

  it('is canceled in the middle by its own means', async () => {
    for (const peer of [ours, theirs]) {
      const stream = await EventClient.open(peer.url, peer.call('SendStreamingMessage', message('wait')));
      await stream.frameCount(2);
      const id = idOf(peer.read(at(stream.frames[0]?.data, 'result')));
      const { body } = await send(peer.url, peer.call('CancelTask', { id }));
      expect(wordOf(peer.read(at(body, 'result')))).toBe('task CANCELED: Stopped [Story: stopped half way]');
      await stream.ended;
      const words = stream.frames.map(({ data }) => wordOf(peer.read(at(data, 'result'))));
      expect(words).toEqual(['task SUBMITTED', 'WORKING', 'artifact Story: stopped half way', 'CANCELED: Stopped']);
    }
  });

  it('sees the request as it knows it', async () => {
    const parts = [
      { text: 'look' },
      { raw: Buffer.from('bytes').toString('base64'), filename: 'a.bin', mediaType: 'text/plain' },
      { data: { n: 1 } },
    ];
    const headers = asUser('ann');
    const earlier = await send(running.url, { ...ours.call('SendMessage', message('whole')), headers });
    const referenceTaskIds = [String(at(earlier.body, 'result.task.id')), 'unknown'];
    const call = ours.call('SendMessage', message('look', { parts, referenceTaskIds }));
    await send(running.url, { ...call, headers });
    const bytes = Buffer.from('bytes');
    expect(moved.seen).toEqual(
      sdk === '1'
        ? {
            user: [true, 'ann'],
            tenant: undefined,
            requestedVersion: '1.0',
            headers: true,
            references: [3],
            file: ['a.bin', 'bytes'],
            data: { $case: 'data', value: { n: 1 } },
            ids: [true, true],
            immediately: undefined,
          }
        : {
            user: [true, 'ann'],
            references: ['completed'],
            file: { bytes: bytes.toString('base64'), name: 'a.bin', mimeType: 'text/plain' },
            data: { n: 1 },
            ids: [true, true],
          },
    );
  });

  it('that publishes what is no event fails its task, and the log says why', async () => {
    expect(wordOf(await answered(ours, 'nonsense'))).toMatch(/^task FAILED: The agent failed/);
    expect(logger.text).toContain('A2AJsEventError: The published event is not one');
  });
});

describe('an executor of the 1 line', () => {
  const executor = new OfficialV1Executor();
  const stubborn = new StubbornV1Executor();
  let running: RunningApp;
  let other: RunningApp;

  beforeAll(async () => {
    [running, other] = await Promise.all([serve(fromA2AJsExecutor(executor)), serve(fromA2AJsExecutor(stubborn))]);
  });
  afterAll(async () => {
    await Promise.all([running.close(), other.close()]);
  });

  it('that publishes after finished() changes nothing, and listens to its own bus', async () => {
    expect(wordOf(await answered(peerV1(running.url), 'late'))).toBe('task COMPLETED: In time');
    expect(executor.seen).toEqual({ heard: ['task', 'statusUpdate', 'finished', 'statusUpdate'] });
    expect(logger.text).toContain('what the executor publishes is dropped. finished() was called');
    expect(logger.text).toContain('a listener that fails');
  });

  it('that publishes in a burst is heard in order, and who awaits publish() is slowed', async () => {
    const word = wordOf(await answered(peerV1(running.url), 'burst 2000'));
    expect(word).toBe(`task COMPLETED [Story: ${Array.from({ length: 2000 }, (_, n) => n).join('|')}]`);
    expect(executor.seen).toEqual({ awaited: true });
  });

  it('that invents ids gets the server’s', async () => {
    const answer = await answered(peerV1(running.url), 'invented');
    expect(wordOf(answer)).toBe('task COMPLETED: Done');
    expect(idOf(answer)).toMatch(/^[0-9a-f-]{36}$/);
  });

  it('may refuse to be canceled, and then goes on', async () => {
    const peer = peerV1(other.url);
    const stream = await EventClient.open(peer.url, peer.call('SendStreamingMessage', message('stubborn')));
    await stream.frameCount(2);
    const id = idOf(peer.read(at(stream.frames[0]?.data, 'result')));
    const refused = await send(peer.url, peer.call('CancelTask', { id }));
    expect(at(refused.body, 'error.code')).toBe(-32002);
    stubborn.release(id);
    await stream.ended;
    expect(wordOf(peer.read(at(stream.frames.at(-1)?.data, 'result')))).toBe('COMPLETED');
  });
});

describe('an executor of the 0.3 line', () => {
  it('may go on after it has returned, until it is finished; said to be of the other line it fails and says so', async () => {
    const executor = new OfficialV03Executor();
    const [running, wrong] = await Promise.all([
      serve(fromA2AJsExecutor(executor, { sdk: '0.3' })),
      serve(fromA2AJsExecutor(new OfficialV03Executor())),
    ]);
    try {
      const seen = 'task COMPLETED: Done behind the scenes [Story: later]';
      expect(wordOf(await answered(peerV1(running.url), 'background'))).toBe(seen);
      expect(wordOf(await answered(peerV1(wrong.url), 'message hi'))).toMatch(/^task FAILED/);
    } finally {
      await Promise.all([running.close(), wrong.close()]);
    }
  });

  it.each([
    ['an unknown line', () => fromA2AJsExecutor(new OfficialV1Executor(), JSON.parse('{"sdk":"0.2"}')), '1, 0.3'],
    ['what is no executor', () => fromA2AJsExecutor(JSON.parse('{}')), 'has no execute() method'],
  ])('refuses %s', (_what, make, said) => {
    expect(make).toThrow(said);
  });
});
