import type { StreamResponse } from 'nestjs-a2a/protocol';

/**
 * A push notification that was checked.
 *
 * @publicApi
 */
export class ReceivedPushNotification {
  /** The task that it tells of; `undefined` for a message that names none. */
  readonly taskId: string | undefined;
  /** The push config; `undefined` when the sender does not say. */
  readonly configId: string | undefined;
  /** The number of the task's event; `undefined` when the sender does not say. */
  readonly sequence: number | undefined;

  constructor(
    /** The same for every attempt to deliver it; `undefined` when the sender has none. */
    readonly id: string | undefined,
    /** What happened. Narrow it with `'task' in event`. */
    readonly event: StreamResponse,
  ) {
    const named = idParts(id);
    this.taskId = taskIdOf(event) ?? named?.taskId;
    // Whoever writes ids of another form may still have two slashes in them.
    const ours = named !== undefined && named.taskId === this.taskId;
    this.configId = ours ? named.configId : undefined;
    this.sequence = ours ? named.sequence : undefined;
  }
}

function taskIdOf(event: StreamResponse): string | undefined {
  if ('task' in event) return event.task.id;
  if ('statusUpdate' in event) return event.statusUpdate.taskId;
  return 'artifactUpdate' in event ? event.artifactUpdate.taskId : event.message.taskId;
}

/** The parts of `{taskId}/{configId}/{sequence}`. */
function idParts(id: string | undefined) {
  const [taskId, configId, sequence, ...more] = id?.split('/') ?? [];
  if (taskId === undefined || configId === undefined || sequence === undefined || more.length > 0) return undefined;
  if (!/^\d{1,15}$/.test(sequence)) return undefined;
  try {
    return {
      taskId: decodeURIComponent(taskId),
      configId: decodeURIComponent(configId),
      sequence: Number(sequence),
    };
  } catch {
    return undefined;
  }
}
