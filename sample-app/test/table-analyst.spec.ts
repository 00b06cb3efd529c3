import { describe, expect, it } from '@jest/globals';
import { Role, TaskState, type Part, type Task } from 'nestjs-a2a/protocol';
import { TableAnalyst } from '../src/table-analyst.executor.js';
import { fakeContext, RecordingEmitter } from './fake-run.js';
import { generateTable } from './table-generator.js';

const csv = (text: string, filename?: string): Part => ({ text, mediaType: 'text/csv', filename });

async function run(parts: Part[], task?: Task): Promise<RecordingEmitter> {
  const emitter = new RecordingEmitter();
  await new TableAnalyst().execute(fakeContext(parts, { task }), emitter);
  return emitter;
}

function waitingTask(...parts: Part[]): Task {
  return {
    id: 't1',
    contextId: 'c1',
    status: { state: TaskState.WORKING },
    history: [{ messageId: 'm0', role: Role.USER, parts }],
  };
}

describe('TableAnalyst', () => {
  it('tells of the reading and of each column, then gives two artifacts and ends', async () => {
    const { events, texts } = await run([{ text: 'please' }, csv('city,price\nZürich,4.5\nBern,3.9\n', 'prices.csv')]);
    expect(texts).toEqual([
      'Reading “prices.csv”',
      'column 1 of 2: city',
      'column 2 of 2: price',
      'Analysed “prices.csv”: 2 rows, 2 columns',
    ]);
    expect(events.map(({ state, artifact }) => state ?? artifact)).toEqual([
      TaskState.WORKING,
      TaskState.WORKING,
      TaskState.WORKING,
      'statistics.json',
      'report.md',
      TaskState.COMPLETED,
    ]);
    expect(events[3].parts).toMatchObject([
      {
        mediaType: 'application/json',
        data: { table: { name: 'prices.csv', rows: 2 }, columns: [{ name: 'city' }, { name: 'price', mean: 4.2 }] },
      },
    ]);
    expect(events[4].parts).toMatchObject([
      {
        mediaType: 'text/markdown',
        text: expect.stringContaining('| 2 | price | number | 0 (0.0 %) | 3.9 | 4.5 | 4.2 |'),
      },
    ]);
  });

  it('tells now and then how far it has come with a large table', async () => {
    const { csv: text } = generateTable(12_000);
    const { texts } = await run([{ raw: Buffer.from(text).toString('base64'), mediaType: 'text/csv' }]);
    const reading = texts.filter((line) => line.startsWith('Reading:'));
    expect(reading.length).toBeGreaterThan(5);
    expect(reading.length).toBeLessThan(20);
    expect(reading[0]).toMatch(/^Reading: \d+ %, \d+ rows so far$/);
  });

  it('tells of many columns in groups', async () => {
    const header = Array.from({ length: 101 }, (_, index) => `c${index}`).join(',');
    const { texts } = await run([csv(`${header}\n1\n`)]);
    const groups = texts.filter((line) => line.startsWith('column'));
    expect(groups).toHaveLength(34);
    expect(groups[0]).toBe('columns 1 to 3 of 101');
    expect(groups.at(-1)).toBe('columns 100 to 101 of 101');
  });

  it.each<[string, Part, RegExp]>([
    ['nothing but talk', { text: 'hello' }, /^Which table shall I analyse\?.*mediaType text\/csv/],
    ['a link', { url: 'https://example.com/t.csv' }, /^I do not fetch links/],
    ['other data', { data: { a: 1 } }, /^The data is not a table/],
    ['an empty table', csv('a,b\n'), /^The table has a header but no rows\. Which table/],
    ['no objects', { data: [] }, /^The table has no rows\./],
  ])('asks for a table when it gets %s', async (_, part, question) => {
    const { events, texts } = await run([part]);
    expect(events.at(-1)?.state).toBe(TaskState.INPUT_REQUIRED);
    expect(texts.at(-1)).toMatch(question);
  });

  it('goes on with the table of the follow-up, or with an earlier one', async () => {
    const own = await run([csv('a\n1\n')], waitingTask({ text: 'hello' }));
    expect(own.states.at(-1)).toBe(TaskState.COMPLETED);
    const earlier = await run([{ text: 'the one before' }], waitingTask(csv('a\n1\n')));
    expect(earlier.states.at(-1)).toBe(TaskState.COMPLETED);
    const none = await run([{ text: 'hm' }], waitingTask({ text: 'hello' }));
    expect(none.states).toEqual([TaskState.INPUT_REQUIRED]);
  });

  it.each<[string, Part, RegExp]>([
    ['a quote is never closed', csv('a,b\n1,"2\n'), /never closed/],
    ['it is not UTF-8', { raw: Buffer.from('a\n\xfc\n', 'latin1').toString('base64') }, /not valid UTF-8/],
    ['it is no table', { raw: 'AAAA', filename: 'x.png' }, /not a table that can be read/],
    ['a row is not an object', { data: [1] }, /Row 1 of the data is not an object/],
  ])('fails with a line that helps when %s', async (_, part, line) => {
    const { events } = await run([part]);
    expect(events.at(-1)?.state).toBe(TaskState.FAILED);
    expect(events.at(-1)?.text).toMatch(line);
  });

  it('stops mid-way when it is told to', async () => {
    const stop = new AbortController();
    const emitter = new RecordingEmitter(({ text }) => {
      if (text?.startsWith('Reading: ')) stop.abort(new Error('canceled'));
    });
    const part: Part = { text: generateTable(12_000).csv, mediaType: 'text/csv' };
    const context = fakeContext([part], { signal: stop.signal });
    const analyst = new TableAnalyst();
    await expect(analyst.execute(context, emitter)).rejects.toThrow('canceled');
    await analyst.cancel(context, emitter);
    expect(emitter.states).toEqual([TaskState.WORKING, TaskState.WORKING, TaskState.CANCELED]);
  });
});
