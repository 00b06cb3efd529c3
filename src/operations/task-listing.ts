import type { ListTasksRequest, ListTasksResponse } from 'nestjs-a2a/protocol';
import type { A2ASettings } from '../a2a.options.js';
import type { ServerCallContext } from '../agent/server-call-context.js';
import type { TaskSessionRegistry } from '../execution/task-session.registry.js';
import type { TaskQuery, TaskStore } from '../tasks/task-store.js';
import { readablePage } from './readable-tasks.js';
import { cursorOf, pageTokenOf } from './page-token.js';
import type { TaskAccess } from './task-access.js';
import { taskView } from './task-view.js';

const DEFAULT_PAGE_SIZE = 50;

/** What listing needs of its agent. */
export interface ListingServices {
  readonly settings: A2ASettings;
  readonly store: TaskStore;
  readonly sessions: TaskSessionRegistry;
  readonly access: TaskAccess;
}

/** One page of the tasks that the caller may see. */
export async function listTasks(
  request: ListTasksRequest,
  call: ServerCallContext,
  services: ListingServices,
): Promise<ListTasksResponse> {
  const pageSize = request.pageSize ?? DEFAULT_PAGE_SIZE;
  const { settings, sessions, store, access } = services;
  await access.checkList(call);
  const after = request.pageToken ? cursorOf(request.pageToken) : undefined;
  const hidden = settings.anonymousList === 'context' && !call.user.authenticated && !request.contextId;
  if (hidden && !access.decidesPerTask) return { tasks: [], nextPageToken: '', pageSize, totalSize: 0 };

  const query: TaskQuery = {
    scope: access.scopeOf(call),
    ...(request.contextId && { contextId: request.contextId }),
    ...(request.status && { state: request.status }),
    ...(request.statusTimestampAfter && { statusFrom: Date.parse(request.statusTimestampAfter) }),
    limit: pageSize,
    ...(after && { after }),
  };
  const page = access.decidesPerTask ? await readablePage(query, call, { store, access }) : await store.list(query);
  const tasks = page.records.map((record) =>
    taskView(sessions.find(record.key)?.snapshot ?? record.snapshot, {
      historyLength: request.historyLength,
      artifacts: request.includeArtifacts === true,
      historyMaxRawBytes: settings.historyMaxRawBytes,
    }),
  );
  return { tasks, nextPageToken: page.next ? pageTokenOf(page.next) : '', pageSize, totalSize: page.total };
}
