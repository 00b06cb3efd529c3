import {
  type Artifact,
  type Message,
  type Part,
  Role,
  type SendMessageConfiguration,
  type Task,
  type TaskArtifactUpdateEvent,
  type TaskPushNotificationConfig,
  TaskState,
  type TaskStatus,
  type TaskStatusUpdateEvent,
} from 'nestjs-a2a/protocol';

// `Required`, so that a member that comes to 1.0 must come here, and so through every translation.

const metadata = { 'https://x.example/ext': [true, null, { a: 1 }] };
const extensions = ['https://x.example/ext'];

/** Of every kind, with all that 0.3 can carry. */
export const parts: Part[] = [
  { text: '', metadata },
  { raw: 'aGk=', filename: 'a.txt', mediaType: 'text/plain', metadata },
  { url: 'https://a.example/b', filename: 'b', mediaType: 'image/png' },
  { data: { a: [1, null] }, metadata },
  { data: null },
  { data: [1, 'two'], metadata },
  { data: { value: 1 } },
];

export const message: Required<Message> = {
  messageId: 'm1',
  contextId: 'c1',
  taskId: 't1',
  role: Role.AGENT,
  parts,
  metadata,
  extensions,
  referenceTaskIds: ['t0'],
};

export const status: Required<TaskStatus> = {
  state: TaskState.CANCELED,
  message,
  timestamp: '2026-01-01T00:00:00.000Z',
};

export const artifact: Required<Artifact> = {
  artifactId: 'a1',
  name: 'n',
  description: 'd',
  parts,
  metadata,
  extensions,
};

export const task: Required<Task> = {
  id: 't1',
  contextId: 'c1',
  status,
  artifacts: [artifact],
  history: [{ ...message, role: Role.USER }],
  metadata,
};

export const statusUpdate: Required<TaskStatusUpdateEvent> = { taskId: 't1', contextId: 'c1', status, metadata };

export const artifactUpdate: Required<TaskArtifactUpdateEvent> = {
  taskId: 't1',
  contextId: 'c1',
  artifact,
  append: true,
  lastChunk: false,
  metadata,
};

/** Without its tenant, which 0.3 has not. */
export const pushConfig: Required<Omit<TaskPushNotificationConfig, 'tenant'>> = {
  id: 'p1',
  taskId: 't1',
  url: 'https://hook.example',
  token: 'secret',
  authentication: { scheme: 'Bearer', credentials: 'abc' },
};

const { taskId: _taskId, ...inline } = pushConfig;
export const configuration: Required<SendMessageConfiguration> = {
  acceptedOutputModes: ['text/plain'],
  taskPushNotificationConfig: inline,
  historyLength: 3,
  returnImmediately: true,
};
