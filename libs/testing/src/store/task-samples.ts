import { randomUUID } from 'node:crypto';
import { TaskRecord, type TaskScope } from 'nestjs-a2a';
import { Role, TaskState, toTimestamp, type Task } from 'nestjs-a2a/protocol';

/** What a sample record says; the rest is made up. */
export interface SampleInput {
  readonly id?: string;
  readonly agent?: string;
  readonly tenant?: string;
  readonly owner?: string;
  readonly contextId?: string;
  readonly state?: TaskState;
  /** Milliseconds after {@link TaskSamples.start}. */
  readonly at?: number;
}

/** The states that a stored task can be in. */
export const STATES: readonly TaskState[] = Object.values(TaskState).filter((state) => state !== TaskState.UNSPECIFIED);

/** Records for one test, under an agent that no other test uses: a shared database needs no cleaning. */
export class TaskSamples {
  readonly agent = `contract-${randomUUID()}`;
  /** Not long ago, so that no store takes a finished sample for one that is too old to keep. */
  readonly start = Date.now() - 60_000;

  scope(scope: Partial<TaskScope> = {}): TaskScope {
    return { agent: this.agent, tenant: '', ...scope };
  }

  record(input: SampleInput = {}): TaskRecord {
    const { id = randomUUID(), agent = this.agent, tenant = '', owner = 'ann', contextId = `context of ${id}` } = input;
    const { state = TaskState.SUBMITTED, at = 0 } = input;
    const task: Task = {
      id,
      contextId,
      status: { state, timestamp: toTimestamp(this.start + at) },
      history: [
        { messageId: `message of ${id}`, role: Role.USER, parts: [{ text: `do ${id}` }], contextId, taskId: id },
      ],
    };
    const createdAt = this.start;
    return TaskRecord.restore({
      key: { agent, tenant, id },
      owner,
      version: 1,
      sequence: 1,
      createdAt,
      statusMessageIndex: 1,
      bytes: 100,
      task,
    });
  }

  /** One that uses every member of a task. */
  richRecord(): TaskRecord {
    const data = this.record({ state: TaskState.WORKING }).toData();
    const { id, contextId = '', history = [] } = data.task;
    const status = {
      ...data.task.status,
      message: {
        messageId: 'says',
        role: Role.AGENT,
        parts: [{ text: 'Half way ½ – 半分 🙂' }],
        contextId,
        taskId: id,
      },
    };
    const artifacts = [
      {
        artifactId: 'all-kinds',
        name: 'everything',
        description: 'One part of each kind',
        parts: [
          { text: 'line one\nline "two" \\ \u2028' },
          { raw: 'AAECAw==', filename: 'a.bin', mediaType: 'application/octet-stream' },
          { url: 'https://example.org/a?b=c&d=%20', metadata: { from: 'elsewhere' } },
          { data: { nothing: null, no: false, zero: 0, deep: [[{ '': 'empty name' }], 1.5e-7] } },
        ],
        extensions: ['https://example.org/extension'],
        metadata: { nested: { list: [1, 'two', null] } },
      },
      { artifactId: 'empty-text', parts: [{ text: '' }, { data: null }] },
    ];
    const more = { messageId: 'more', role: Role.USER, parts: [{ data: [1] }], metadata: { key: 'value' } };
    const metadata = { 'https://example.org/extension': { level: 3 } };
    const task: Task = { ...data.task, status, artifacts, history: [...history, more], metadata };
    return TaskRecord.restore({ ...data, sequence: 7, statusMessageIndex: 2, bytes: 12_345, task });
  }

  /** The record of the next save. */
  next(
    from: TaskRecord,
    { state = from.state, at }: { readonly state?: TaskState; readonly at?: number } = {},
  ): TaskRecord {
    const data = from.toData();
    const { status } = data.task;
    const timestamp = at === undefined ? status.timestamp : toTimestamp(this.start + at);
    const task: Task = { ...data.task, status: { ...status, state, timestamp } };
    return TaskRecord.restore({ ...data, version: data.version + 1, sequence: data.sequence + 1, task });
  }
}
