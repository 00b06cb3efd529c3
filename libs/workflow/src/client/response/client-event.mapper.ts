import { isTerminal, type StreamResponse, type Struct, type Task } from 'nestjs-a2a/protocol';
import type {
  AgentArtifactEvent,
  AgentEvent,
  AgentMessageEvent,
  AgentStatusEvent,
  AgentTaskEvent,
} from '../../control/event-data.js';
import type { EmitEvent } from '../../control/event-callback.js';
import { BusinessValues } from '../../model/business-values.js';
import { textOfParts } from './message-texts.js';

/**
 * What agents stream, in short: the same form for callbacks, logs and user interfaces.
 *
 * @publicApi
 */
export const ClientEventMapper = {
  toAgentEvent(agent: string, event: StreamResponse): AgentEvent {
    if ('statusUpdate' in event) return statusEvent(agent, event);
    if ('artifactUpdate' in event) return artifactEvent(agent, event);
    return 'message' in event ? messageEvent(agent, event) : taskEvent(agent, event.task);
  },

  /** Tells the event under its own name. Whole tasks are not events of a run. */
  emit(emit: EmitEvent, agent: string, event: StreamResponse): void {
    if ('statusUpdate' in event) emit('agent_status_update', statusEvent(agent, event));
    else if ('artifactUpdate' in event) emit('agent_artifact_update', artifactEvent(agent, event));
    else if ('message' in event) emit('agent_message_event', messageEvent(agent, event));
  },
};

type Of<K extends string> = Extract<StreamResponse, Record<K, unknown>>;

function statusEvent(agent: string, { statusUpdate }: Of<'statusUpdate'>): AgentStatusEvent {
  const { taskId, status, metadata } = statusUpdate;
  return Object.freeze({
    agent,
    event_kind: 'status',
    task_id: taskId,
    state: status.state,
    is_final: isTerminal(status.state),
    ...textMember(textOfParts(status.message?.parts ?? [])),
    ...metadataMember(metadata ?? status.message?.metadata),
  });
}

function artifactEvent(agent: string, { artifactUpdate }: Of<'artifactUpdate'>): AgentArtifactEvent {
  const { taskId, artifact, append = false, lastChunk = false, metadata } = artifactUpdate;
  return Object.freeze({
    agent,
    event_kind: 'artifact',
    task_id: taskId,
    artifact_id: artifact.artifactId,
    artifact_name: artifact.name ?? '',
    append,
    last_chunk: lastChunk,
    ...textMember(textOfParts(artifact.parts)),
    ...metadataMember(artifact.metadata ?? metadata),
  });
}

function messageEvent(agent: string, { message }: Of<'message'>): AgentMessageEvent {
  const { role, parts, metadata } = message;
  return Object.freeze({
    agent,
    event_kind: 'message',
    role,
    ...textMember(textOfParts(parts)),
    ...metadataMember(metadata),
  });
}

function taskEvent(agent: string, { id, status, artifacts = [], metadata }: Task): AgentTaskEvent {
  const text = textOfParts(artifacts.flatMap(({ parts }) => parts)) ?? textOfParts(status.message?.parts ?? []);
  return Object.freeze({
    agent,
    event_kind: 'task',
    task_id: id,
    state: status.state,
    is_final: isTerminal(status.state),
    ...textMember(text),
    ...metadataMember(metadata),
  });
}

function textMember(text: string | undefined) {
  return text === undefined ? {} : { text };
}

function metadataMember(metadata: Struct | undefined) {
  return metadata === undefined ? {} : { metadata: BusinessValues.map(metadata) };
}
