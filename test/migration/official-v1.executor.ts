import { Role, TaskState, type Message, type Part, type Task } from '@a2a-js/sdk';
import { TaskNotCancelableError } from '@a2a-js/sdk/errors';
import { AgentEvent, type AgentExecutor, type ExecutionEventBus, type RequestContext } from '@a2a-js/sdk/server';

const NOTHING = { metadata: undefined, extensions: [] };

function text(value: string): Part {
  return { content: { $case: 'text', value }, metadata: undefined, filename: '', mediaType: 'text/plain' };
}

function textOf({ parts }: Message): string {
  return parts.map(({ content }) => (content?.$case === 'text' ? content.value : '')).join('');
}

/** As the samples of the 1.x line are written; the first word of the message says what it does. */
export class OfficialV1Executor implements AgentExecutor {
  /** What it saw of its last request, and what became of the bus. */
  seen: Record<string, unknown> = {};
  private readonly canceled = new Set<string>();
  private readonly waiting = new Map<string, () => void>();

  async execute(context: RequestContext, bus: ExecutionEventBus): Promise<void> {
    const { userMessage, taskId, contextId, task } = context;
    const message = (value: string): Message => ({
      ...NOTHING,
      messageId: 'm-agent',
      contextId,
      taskId,
      role: Role.ROLE_AGENT,
      parts: [text(value)],
      referenceTaskIds: [],
    });
    const status = (state: TaskState, value?: string): Task['status'] => ({
      state,
      message: value === undefined ? undefined : message(value),
      timestamp: new Date().toISOString(),
    });
    const begin = (fields: Partial<Task> = {}): void =>
      bus.publish(
        AgentEvent.task({
          id: taskId,
          contextId,
          status: status(TaskState.TASK_STATE_SUBMITTED),
          artifacts: [],
          history: [userMessage],
          metadata: undefined,
          ...task,
          ...fields,
        }),
      );
    const update = (state: TaskState, value?: string, id = taskId): void =>
      bus.publish(
        AgentEvent.statusUpdate({ taskId: id, contextId, status: status(state, value), metadata: undefined }),
      );
    const chunk = (parts: Part[], append: boolean, lastChunk = false): void =>
      bus.publish(
        AgentEvent.artifactUpdate({
          taskId,
          contextId,
          artifact: { ...NOTHING, artifactId: 'story', name: 'Story', description: '', parts },
          append,
          lastChunk,
          metadata: undefined,
        }),
      );
    const [word = '', ...rest] = textOf(userMessage).split(' ');
    if (task !== undefined) {
      begin({ status: status(TaskState.TASK_STATE_WORKING) });
      update(TaskState.TASK_STATE_COMPLETED, `${task.history.length} messages, the last one ${textOf(userMessage)}`);
      return bus.finished();
    }
    switch (word) {
      case 'stream':
        begin();
        update(TaskState.TASK_STATE_WORKING, 'Writing');
        chunk([text('Once ')], false);
        await Promise.resolve();
        chunk([text('upon '), text('a ')], true);
        chunk([text('time')], true, true);
        update(TaskState.TASK_STATE_COMPLETED, 'The end');
        return bus.finished();
      case 'ask':
        begin();
        chunk([text('draft')], true);
        update(TaskState.TASK_STATE_INPUT_REQUIRED, 'Which colour?');
        return bus.finished();
      case 'message':
        bus.publish(AgentEvent.message(message(rest.join(' '))));
        return bus.finished();
      case 'whole': {
        const artifact = { ...NOTHING, artifactId: 'a', name: 'A', description: 'All', parts: [text('whole')] };
        begin({ status: status(TaskState.TASK_STATE_COMPLETED, 'Done'), artifacts: [artifact] });
        return bus.finished();
      }
      case 'throw':
        begin();
        update(TaskState.TASK_STATE_WORKING);
        throw new Error('password=hunter2');
      case 'wait':
        begin();
        update(TaskState.TASK_STATE_WORKING);
        await new Promise<void>((resolve) => this.waiting.set(taskId, resolve));
        chunk([text('stopped half way')], false);
        update(this.canceled.has(taskId) ? TaskState.TASK_STATE_CANCELED : TaskState.TASK_STATE_COMPLETED, 'Stopped');
        return bus.finished();
      case 'stubborn':
        begin();
        update(TaskState.TASK_STATE_WORKING, 'stubborn');
        await new Promise<void>((resolve) => this.waiting.set(taskId, resolve));
        update(TaskState.TASK_STATE_COMPLETED);
        return bus.finished();
      case 'look': {
        const { user, tenant, state, requestedVersion } = context.context;
        const [, file, data] = userMessage.parts;
        const content = file?.content;
        this.seen = {
          user: [user?.isAuthenticated, user?.userName],
          tenant,
          requestedVersion,
          headers: state.has('headers'),
          references: context.referenceTasks?.map(({ status: found }) => found?.state),
          file: content?.$case === 'raw' && [file?.filename, content.value.toString()],
          data: data?.content,
          ids: [userMessage.taskId === taskId, userMessage.contextId === contextId],
          immediately: context.request.configuration?.returnImmediately,
        };
        begin({ status: status(TaskState.TASK_STATE_COMPLETED) });
        return bus.finished();
      }
      case 'files':
        begin();
        chunk([{ ...text(''), content: { $case: 'raw', value: Buffer.from('bytes') }, filename: 'a.bin' }], false);
        chunk([{ ...text(''), content: { $case: 'data', value: { n: 1 } } }], true);
        chunk([], true, true);
        update(TaskState.TASK_STATE_COMPLETED);
        return bus.finished();
      case 'late': {
        const heard: string[] = [];
        bus.on('event', ({ kind }) => void heard.push(kind));
        bus.once('finished', () => void heard.push('finished'));
        bus.on('event', () => {
          throw new Error('a listener that fails');
        });
        begin();
        update(TaskState.TASK_STATE_COMPLETED, 'In time');
        bus.finished();
        update(TaskState.TASK_STATE_FAILED, 'Too late');
        bus.finished();
        this.seen = { heard };
        return;
      }
      case 'burst': {
        begin();
        for (let n = 0; n < Number(rest[0]); n++) chunk([text(String(n))], n > 0);
        const accepted: unknown = bus.publish(
          AgentEvent.statusUpdate({
            taskId,
            contextId,
            status: status(TaskState.TASK_STATE_COMPLETED),
            metadata: undefined,
          }),
        );
        // Before the await: the terminal event may answer the caller at once.
        this.seen = { awaited: accepted instanceof Promise };
        await accepted;
        return bus.finished();
      }
      case 'invented':
        begin({ id: 'my-own-id', contextId: 'my-own-context' });
        return update(TaskState.TASK_STATE_COMPLETED, 'Done', 'my-own-id');
      default:
        begin();
        chunk([{ ...text(''), content: undefined }], false);
    }
  }

  cancelTask = async (taskId: string): Promise<void> => {
    if (!this.waiting.has(taskId)) throw new TaskNotCancelableError(taskId);
    this.canceled.add(taskId);
    this.release(taskId);
  };

  /** Lets a waiting task go on. */
  release(taskId: string): void {
    this.waiting.get(taskId)?.();
  }
}

/** Does not let itself be canceled. */
export class StubbornV1Executor extends OfficialV1Executor {
  override cancelTask = async (taskId: string): Promise<void> => {
    throw new TaskNotCancelableError(taskId);
  };
}
