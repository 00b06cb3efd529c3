/** What the names of the proto file say. */
export interface PushConfigName {
  taskId?: string;
  id?: string;
}

const TASKS = 'tasks/';
const CONFIGS = '/pushNotificationConfigs/';

export function taskName(taskId: string): string {
  return TASKS + taskId;
}

export function pushConfigName(taskId: string, id: string): string {
  return TASKS + taskId + CONFIGS + id;
}

/** The ids in a name; a task id may have slashes. */
export function readName(name: string): PushConfigName {
  if (!name.startsWith(TASKS)) return {};
  const at = name.lastIndexOf(CONFIGS);
  const taskId = at < 0 ? name.slice(TASKS.length) : name.slice(TASKS.length, at);
  const id = at < 0 ? '' : name.slice(at + CONFIGS.length);
  return { ...(taskId !== '' && { taskId }), ...(id !== '' && { id }) };
}
