import { randomUUID } from 'node:crypto';
import { TaskEvent, type TaskKey } from 'nestjs-a2a';
import { Role, TaskState, type StreamResponse } from 'nestjs-a2a/protocol';

const BYTES = 40;

/** Keys that no other test uses: a shared bus needs no cleaning. */
export function sampleKey(key: Partial<TaskKey> = {}): TaskKey {
  return { agent: '', tenant: '', id: randomUUID(), ...key };
}

/** An event as a task's writer makes it. */
export function sampleEvent(sequence: number, state: TaskState = TaskState.WORKING): TaskEvent {
  return new TaskEvent(sequence, samplePayload(sequence, state), state, BYTES);
}

export function lastEvent(sequence: number): TaskEvent {
  return sampleEvent(sequence, TaskState.COMPLETED);
}

/** A small event whose JSON must not be made. */
export class UnreadEvent extends TaskEvent {
  asked = 0;

  constructor(sequence: number, state: TaskState = TaskState.WORKING) {
    super(sequence, samplePayload(sequence, state), state, BYTES);
  }

  override get json(): string {
    this.asked++;
    return super.json;
  }
}

function samplePayload(sequence: number, state: TaskState): StreamResponse {
  const message = { messageId: `m${sequence}`, role: Role.AGENT, parts: [{ text: `step ${sequence} – 半` }] };
  return {
    statusUpdate: {
      taskId: 'task',
      contextId: 'context',
      status: { state, message, timestamp: '2026-01-02T03:04:05.678Z' },
    },
  };
}
