import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  decodeStreamResponse,
  decodeTask,
  isTextPart,
  TaskState,
  type Part,
  type StreamResponse,
  type Task,
} from 'nestjs-a2a/protocol';
import { A2APeer, type Platform } from './a2a-peer.js';
import { generateTable } from './table-generator.js';

// Before anybody connects: a process that is busy for seconds loses the connections that it keeps.
const MEDIUM = Buffer.from(generateTable(12_000).csv).toString('base64');
const LARGE = Buffer.from(generateTable(100_000).csv).toString('base64');
const CSV: Part = { text: 'city,price\nZürich,4.5\nBern,3.9\n', mediaType: 'text/csv' };

function message(parts: Part[], taskId?: string) {
  return { message: { messageId: crypto.randomUUID(), role: 'ROLE_USER', parts, taskId } };
}

function member(value: unknown, key: string): unknown {
  return typeof value === 'object' && value !== null ? Object.entries(value).find(([name]) => name === key)?.[1] : null;
}

/** The task in an answer, checked against the protocol. */
function taskOf(value: unknown): Task {
  const decoded = decodeTask(value);
  if (!decoded.ok) throw new Error(`Not a task: ${JSON.stringify(decoded.violations)} ${JSON.stringify(value)}`);
  return decoded.value;
}

function sentTask(response: unknown): Task {
  return taskOf(member(member(response, 'result'), 'task'));
}

function eventOf(response: unknown): StreamResponse {
  const decoded = decodeStreamResponse(member(response, 'result'));
  if (!decoded.ok) throw new Error(`Not an event: ${JSON.stringify(response)}`);
  return decoded.value;
}

function statusText(task: { status: Task['status'] }): string {
  return (task.status.message?.parts ?? []).flatMap((part) => (isTextPart(part) ? [part.text] : [])).join('\n');
}

/** A stream in short: states with their texts, and artifacts by their names. */
function inShort(event: StreamResponse): string {
  if ('task' in event) return `task ${event.task.status.state}`;
  if ('statusUpdate' in event) return `${event.statusUpdate.status.state} ${statusText(event.statusUpdate)}`;
  if ('artifactUpdate' in event) return `artifact ${event.artifactUpdate.artifact.name}`;
  return 'message';
}

describe.each<Platform>(['express', 'fastify'])('the sample app on %s', (platform) => {
  let peer: A2APeer;

  beforeAll(async () => {
    peer = await A2APeer.start(platform);
  });

  afterAll(() => peer.stop());

  it('shows its card', async () => {
    expect(await peer.get('/.well-known/agent-card.json')).toMatchObject({
      name: 'Table Analyst',
      defaultInputModes: expect.arrayContaining(['text/csv', 'text/tab-separated-values', 'application/json']),
      skills: [{ id: 'analyse-table' }],
    });
  });

  it('answers a table with statistics and a report', async () => {
    const task = sentTask(await peer.call('SendMessage', message([CSV])));
    expect(task.status.state).toBe(TaskState.COMPLETED);
    expect(statusText(task)).toBe('Analysed the table: 2 rows, 2 columns');
    expect(task.artifacts?.map(({ name }) => name)).toEqual(['statistics.json', 'report.md']);
    expect(task.artifacts?.[0].parts).toMatchObject([
      { mediaType: 'application/json', data: { columns: [{ type: 'text' }, { type: 'number', max: 4.5 }] } },
    ]);
    expect(task.artifacts?.[1].parts).toMatchObject([{ mediaType: 'text/markdown' }]);
  });

  it('takes a data part, and a file over REST', async () => {
    const data = sentTask(await peer.call('SendMessage', message([{ data: [{ a: 1 }, { a: 3 }] }])));
    expect(data.artifacts?.[0].parts).toMatchObject([{ data: { columns: [{ name: 'a', mean: 2 }] } }]);
    const file: Part = { raw: MEDIUM, filename: 't.csv', mediaType: 'text/csv' };
    const task = taskOf(member(await peer.post('/a2a/json/message:send', message([file])), 'task'));
    expect(task.status.state).toBe(TaskState.COMPLETED);
    expect(task.artifacts?.[0].parts).toMatchObject([{ data: { table: { name: 't.csv', rows: 12_000 } } }]);
    // The library leaves the bytes of large files out of answers.
    expect(task.history?.[0].parts).toMatchObject([{ raw: '', filename: 't.csv' }]);
  });

  it('streams how far it has come, column by column', async () => {
    const events: string[] = [];
    for await (const response of peer.stream('SendStreamingMessage', message([CSV]))) {
      events.push(inShort(eventOf(response)));
    }
    // The first frame is the task, in whatever state it was when it came to be.
    expect(events[0]).toMatch(/^task TASK_STATE_/);
    expect(events.slice(-5)).toEqual([
      'TASK_STATE_WORKING column 1 of 2: city',
      'TASK_STATE_WORKING column 2 of 2: price',
      'artifact statistics.json',
      'artifact report.md',
      'TASK_STATE_COMPLETED Analysed the table: 2 rows, 2 columns',
    ]);
  });

  it('asks for a table and goes on at the follow-up', async () => {
    const asked = sentTask(await peer.call('SendMessage', message([{ text: 'hello' }])));
    expect(asked.status.state).toBe(TaskState.INPUT_REQUIRED);
    expect(statusText(asked)).toMatch(/^Which table/);
    const again = sentTask(await peer.call('SendMessage', message([{ text: 'hm' }], asked.id)));
    expect([again.id, again.status.state]).toEqual([asked.id, TaskState.INPUT_REQUIRED]);
    const done = sentTask(await peer.call('SendMessage', message([CSV], asked.id)));
    expect([done.id, done.status.state]).toEqual([asked.id, TaskState.COMPLETED]);
  });

  it('is canceled mid-way, answers others meanwhile, and the stream says so', async () => {
    const events: string[] = [];
    let canceled: Promise<unknown> | undefined;
    let taskId = '';
    for await (const response of peer.stream(
      'SendStreamingMessage',
      message([{ raw: LARGE, mediaType: 'text/csv' }]),
    )) {
      const event = eventOf(response);
      events.push(inShort(event));
      if ('task' in event) taskId = event.task.id;
      if (!canceled && events.at(-1)?.includes('Reading: ')) canceled = peer.call('CancelTask', { id: taskId });
    }
    expect(member(await canceled, 'result')).toMatchObject({ id: taskId, status: { state: TaskState.CANCELED } });
    expect(events.at(-1)).toMatch(/^TASK_STATE_CANCELED/);
    expect(events.filter((event) => event.startsWith('artifact'))).toEqual([]);
    expect(member(await peer.call('GetTask', { id: taskId }), 'result')).toMatchObject({
      status: { state: TaskState.CANCELED },
    });
  });

  it('fails a table that cannot be read with a line that helps', async () => {
    const broken: Part = { text: 'a,b\n1,"2\n', mediaType: 'text/csv' };
    const task = sentTask(await peer.call('SendMessage', message([broken])));
    expect(task.status.state).toBe(TaskState.FAILED);
    expect(statusText(task)).toMatch(/never closed/);
  });

  it('refuses other media types', async () => {
    const image: Part = { raw: 'iVBORw0KGgo=', mediaType: 'image/png' };
    expect(await peer.call('SendMessage', message([image]))).toMatchObject({ error: { code: -32005 } });
  });

  it('lists its tasks', async () => {
    const listed = member(await peer.call('ListTasks', { pageSize: 3 }), 'result');
    expect(listed).toMatchObject({ pageSize: 3, tasks: [{}, {}, {}] });
    expect(member(listed, 'totalSize')).toBeGreaterThanOrEqual(7);
    expect(await peer.get('/a2a/json/tasks?pageSize=2&status=TASK_STATE_CANCELED')).toMatchObject({ tasks: [{}] });
  });
});
