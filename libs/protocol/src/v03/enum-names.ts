import type { Decode } from '../decode/decoder.js';
import { Role, TaskState } from '../types/enums.js';
import type { V03Message, V03TaskState } from './types.js';

const STATES: Readonly<Record<TaskState, V03TaskState>> = {
  [TaskState.UNSPECIFIED]: 'unknown',
  [TaskState.SUBMITTED]: 'submitted',
  [TaskState.WORKING]: 'working',
  [TaskState.COMPLETED]: 'completed',
  [TaskState.FAILED]: 'failed',
  [TaskState.CANCELED]: 'canceled',
  [TaskState.INPUT_REQUIRED]: 'input-required',
  [TaskState.REJECTED]: 'rejected',
  [TaskState.AUTH_REQUIRED]: 'auth-required',
};

/** Its proto file wrote this one with two l, so the name of 1.0 would be unknown to its peers. */
const PROTO_CANCELED = 'TASK_STATE_CANCELLED';

// In the order of their numbers, which are the same in both proto files.
const NUMBERED = Object.values(TaskState);

const known: ReadonlyMap<unknown, TaskState> = new Map<unknown, TaskState>([
  ...NUMBERED.map((state): [string, TaskState] => [state, state]),
  ...NUMBERED.map((state): [string, TaskState] => [STATES[state], state]),
  ...NUMBERED.map((state, number): [number, TaskState] => [number, state]),
  [PROTO_CANCELED, TaskState.CANCELED],
]);

/** A state in any of its spellings. `unknown` is none that 1.0 has, so it is refused rather than passed on. */
export const v03State: Decode<TaskState> = (value, issues) => {
  const state = known.get(value);
  if (state === undefined) return issues.add('has an unknown value');
  return state === TaskState.UNSPECIFIED ? issues.add('is unknown to the agent itself') : state;
};

export function toV03State(state: TaskState): V03TaskState {
  return STATES[state];
}

export function toV03ProtoState(state: TaskState): string {
  return state === TaskState.CANCELED ? PROTO_CANCELED : state;
}

const roles: ReadonlyMap<unknown, Role> = new Map<unknown, Role>([
  ['user', Role.USER],
  ['agent', Role.AGENT],
  [Role.USER, Role.USER],
  [Role.AGENT, Role.AGENT],
  [1, Role.USER],
  [2, Role.AGENT],
]);

/** A role in any of its spellings. */
export const v03Role: Decode<Role> = (value, issues) => roles.get(value) ?? issues.add('has an unknown value');

export function toV03Role(role: Role): V03Message['role'] {
  return role === Role.USER ? 'user' : 'agent';
}
