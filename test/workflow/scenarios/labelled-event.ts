import { divided } from './reading.js';

/** An event as a scenario writes it. */
export interface LabelledEvent {
  readonly label: string;
  /** Its place in the list. */
  readonly at: number;
  readonly type: string;
  readonly step?: string;
  /** `step/agent`: those of one step with the same agent are not told apart. */
  readonly subtask?: string;
  readonly agent?: string;
}

export function eventOf(label: string, at: number): LabelledEvent {
  const [type, subject] = divided(label, ':');
  const event = { label, at, type: type.replace(/=.*$/s, '') };
  if (subject === undefined) return event;
  if (type.startsWith('agent_') || type.startsWith('negotiation_')) {
    return { ...event, agent: subject.replace(/#\d+(=.*)?$/s, '') };
  }
  if (type.startsWith('task_')) {
    const subtask = type === 'task_status_changed' ? subject.replace(/=[^=]*$/s, '') : subject;
    const [step, agent] = divided(subtask, '/');
    return { ...event, step, subtask, agent };
  }
  return { ...event, step: divided(subject, '->')[0] };
}

const PHASES = ['task_request', 'task_status_changed', 'task_response'];

/** How far a subtask has come with this event, from 0; -1 for events that are not of a subtask. */
export function phaseOf({ type }: LabelledEvent): number {
  return PHASES.indexOf(type);
}
