import type { WorkflowEvent } from 'nestjs-a2a/workflow';

/** An event in the words of a scenario; `undefined`: scenarios leave it out. */
export function labelOf(event: WorkflowEvent): string | undefined {
  const { type, data } = event;
  const members: Readonly<Record<string, unknown>> = { ...data };
  const at = (name: string): string => String(members[name]);
  switch (type) {
    case 'agent_status_update':
    case 'agent_artifact_update':
    case 'agent_message_event':
      return undefined;
    case 'step_start':
    case 'step_complete':
      return `${type}:${at('step')}`;
    case 'task_request':
    case 'task_response':
      return `${type}:${at('step')}/${at('agent')}`;
    case 'task_status_changed':
      return `${type}:${at('step')}/${at('agent')}=${at('status')}`;
    case 'agent_request':
    case 'agent_response':
      return `${type}:${at('agent')}`;
    case 'negotiation_request':
    case 'negotiation_resolved':
      return `${type}:${at('agent')}#${at('exchange')}`;
    case 'negotiation_failed':
      return `${type}:${at('agent')}#${at('exchange')}=${at('errorType')}`;
    case 'route_decision':
      return `${type}:${at('step')}->${at('next')}=${at('allowed')}`;
    case 'workflow_complete':
      return `${type}=${at('success')}`;
    case 'error':
      return 'step' in data ? `${type}:${at('step')}` : type;
    default:
      return type;
  }
}
