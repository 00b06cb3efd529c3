import type { JsonValue } from 'nestjs-a2a/protocol';
import type { Saying } from './agent-script.js';
import { type JsonMap, mapAt } from './reading.js';

/** A task as our server tells it, in the state that the script has it in. */
export function toldTask(text: string, saying: Saying): JsonMap {
  const parsed: JsonValue = JSON.parse(text);
  const task = mapAt(parsed, 'The task');
  if (saying.kind !== 'state') return task;
  return { ...task, status: { ...mapAt(task['status'], 'Its status'), state: saying.state } };
}
