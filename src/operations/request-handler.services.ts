import type { AgentCard } from 'nestjs-a2a/protocol';
import type { A2ASettings } from '../a2a.options.js';
import type { AgentProfile } from '../agent/agent-profile.js';
import type { ServerCallContext } from '../agent/server-call-context.js';
import type { AgentExecutions } from '../execution/agent-executions.js';
import type { TaskSessionRegistry } from '../execution/task-session.registry.js';
import type { PushNotificationOperations } from '../push/push-notification.operations.js';
import type { TaskSnapshot } from '../tasks/task-snapshot.js';
import type { TaskStore } from '../tasks/task-store.js';
import type { TaskAccess } from './task-access.js';
import type { TaskStreams } from './task-streams.js';

/** What the operations need of their agent. */
export interface RequestHandlerServices {
  readonly agent: string;
  readonly settings: A2ASettings;
  readonly store: TaskStore;
  readonly sessions: TaskSessionRegistry;
  readonly executions: AgentExecutions;
  readonly streams: TaskStreams;
  readonly access: TaskAccess;
  readonly push: PushNotificationOperations;
  profile(): AgentProfile;
  extendedCard(call: ServerCallContext): Promise<AgentCard | undefined>;
}

/** A task in the caller's scope, as its readers have seen it last: a live session knows more than the store. */
export async function findTask(
  { access, sessions, store }: Pick<RequestHandlerServices, 'access' | 'sessions' | 'store'>,
  id: string,
  call: ServerCallContext,
): Promise<TaskSnapshot | undefined> {
  const record = await store.get(access.scopeOf(call), id);
  return record && (sessions.find(record.key)?.snapshot ?? record.snapshot);
}
