import type { RequestContext } from 'nestjs-a2a';
import type { Struct } from 'nestjs-a2a/protocol';

/** Key of what the desk notes in its own question, so that it finds the remote task at the answer. */
const KEY = 'https://example.com/front-desk/remote-task';

/** The task that the analyst works on for one of ours. */
export interface RemoteTask {
  readonly taskId: string;
  readonly contextId: string;
}

/** What to put into a message, to be found again after a restart, too. */
export function noteOf({ taskId, contextId }: RemoteTask): Struct {
  return { [KEY]: { taskId, contextId } };
}

/** The remote task that waits for the answer which began this run. */
export function notedIn({ task }: RequestContext): Partial<RemoteTask> {
  const notes = (task?.history ?? []).flatMap(({ metadata }) => metadata?.[KEY] ?? []);
  const note = notes.at(-1);
  if (typeof note !== 'object' || note === null || Array.isArray(note)) return {};
  const { taskId, contextId } = note;
  return typeof taskId === 'string' && typeof contextId === 'string' ? { taskId, contextId } : {};
}
