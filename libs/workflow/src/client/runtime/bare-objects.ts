import { isRecord } from 'nestjs-a2a/protocol';

const WRAPPERS = ['task', 'message', 'statusUpdate', 'artifactUpdate'];

/** What some agents send without the member that says what it is, with that member; everything else as it is. */
export function wrapped(content: unknown): unknown {
  if (!isRecord(content) || WRAPPERS.some((name) => name in content)) return content;
  if ('id' in content && 'status' in content) return { task: content };
  if ('artifact' in content && 'taskId' in content) return { artifactUpdate: content };
  return 'status' in content && 'taskId' in content ? { statusUpdate: content } : content;
}
