import type { Message, Part, Task, TaskState } from 'a2a-js-sdk-0.3';
import type { AgentExecutor, ExecutionEventBus, RequestContext } from 'a2a-js-sdk-0.3/server';

const textOf = ({ parts }: Message): string => parts.map((part) => (part.kind === 'text' ? part.text : '')).join('');

/** As the samples of the 0.3 line are written; the first word of the message says what it does. */
export class OfficialV03Executor implements AgentExecutor {
  seen: Record<string, unknown> = {};
  private readonly canceled = new Set<string>();
  private readonly waiting = new Map<string, () => void>();

  async execute(context: RequestContext, bus: ExecutionEventBus): Promise<void> {
    const { userMessage, taskId, contextId, task } = context;
    const ids = { taskId, contextId };
    const message = (text: string): Message => ({
      kind: 'message',
      role: 'agent',
      messageId: 'm-agent',
      parts: [{ kind: 'text', text }],
      ...ids,
    });
    const status = (state: TaskState, text?: string): Task['status'] => ({
      state,
      ...(text !== undefined && { message: message(text) }),
      timestamp: new Date().toISOString(),
    });
    const begin = (fields: Partial<Task> = {}): void =>
      bus.publish({
        kind: 'task',
        id: taskId,
        contextId,
        status: status('submitted'),
        history: [userMessage],
        ...task,
        ...fields,
      });
    const update = (state: TaskState, text?: string, final = false): void =>
      bus.publish({ kind: 'status-update', ...ids, status: status(state, text), final });
    const chunk = (parts: Part[], append: boolean, lastChunk = false): void =>
      bus.publish({
        kind: 'artifact-update',
        ...ids,
        artifact: { artifactId: 'story', name: 'Story', parts },
        append,
        lastChunk,
      });
    const [word = '', ...rest] = textOf(userMessage).split(' ');
    const text = (value: string): Part => ({ kind: 'text', text: value });
    if (task !== undefined) {
      update('completed', `${task.history?.length} messages, the last one ${textOf(userMessage)}`, true);
      return bus.finished();
    }
    switch (word) {
      case 'stream':
        begin();
        update('working', 'Writing');
        chunk([text('Once ')], false);
        await Promise.resolve();
        chunk([text('upon '), text('a ')], true);
        chunk([text('time')], true, true);
        update('completed', 'The end', true);
        return bus.finished();
      case 'background':
        // There, returning does not end anything.
        begin();
        update('working');
        setImmediate(() => {
          chunk([text('later')], false);
          update('completed', 'Done behind the scenes', true);
          bus.finished();
        });
        return;
      case 'ask':
        begin();
        chunk([text('draft')], true);
        update('input-required', 'Which colour?', true);
        return bus.finished();
      case 'message':
        bus.publish(message(rest.join(' ')));
        return bus.finished();
      case 'whole':
        begin({
          status: status('completed', 'Done'),
          artifacts: [{ artifactId: 'a', name: 'A', description: 'All', parts: [text('whole')] }],
        });
        return bus.finished();
      case 'throw':
        begin();
        update('working');
        throw new Error('password=hunter2');
      case 'wait':
        begin();
        update('working');
        await new Promise<void>((resolve) => this.waiting.set(taskId, resolve));
        chunk([text('stopped half way')], false);
        update(this.canceled.has(taskId) ? 'canceled' : 'completed', 'Stopped', true);
        return bus.finished();
      case 'look': {
        const [, file, data] = userMessage.parts;
        this.seen = {
          user: [context.context?.user?.isAuthenticated, context.context?.user?.userName],
          references: context.referenceTasks?.map(({ status: found }) => found.state),
          file: file?.kind === 'file' && file.file,
          data: data?.kind === 'data' && data.data,
          ids: [userMessage.taskId === taskId, userMessage.contextId === contextId],
        };
        begin({ status: status('completed') });
        return bus.finished();
      }
      case 'files':
        begin();
        chunk([{ kind: 'file', file: { bytes: Buffer.from('bytes').toString('base64'), name: 'a.bin' } }], false);
        chunk([{ kind: 'data', data: { n: 1 } }], true);
        update('completed', undefined, true);
        return bus.finished();
      default:
        bus.publish(JSON.parse('{"kind":"status-update","status":{"state":"dreaming"}}'));
    }
  }

  cancelTask = async (taskId: string, bus: ExecutionEventBus): Promise<void> => {
    this.canceled.add(taskId);
    bus.once('event', () => undefined);
    this.waiting.get(taskId)?.();
  };
}
