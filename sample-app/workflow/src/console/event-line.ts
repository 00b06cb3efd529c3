import type { WorkflowEvent } from 'nestjs-a2a/workflow';

/** An event as a line for people. */
export function eventLine(event: WorkflowEvent): string {
  const time = new Date(event.timestamp * 1000).toISOString().slice(11, 23);
  return `${time}  ${event.type.padEnd(22)}${detailOf(event)}`;
}

function detailOf({ type, data }: WorkflowEvent): string {
  switch (type) {
    case 'start':
      return `${data.workflow}, ${data.steps} steps`;
    case 'step_start':
    case 'step_complete':
      return data.step;
    case 'task_request':
      return `${data.agent}: ${data.task}`;
    case 'task_status_changed':
      return `${data.agent}: ${data.status}`;
    case 'task_response':
      return data.success ? JSON.stringify(data.outputs) : `${data.errorCode}: ${data.error}`;
    case 'agent_request':
    case 'agent_response':
      return data.agent;
    case 'agent_status_update':
      return `${data.agent}: ${data.state} ${data.text ?? ''}`;
    case 'agent_artifact_update':
      return `${data.agent}: ${data.artifact_name}`;
    case 'negotiation_request':
      return `${data.agent}: exchange ${data.exchange}`;
    case 'negotiation_resolved':
      return `${data.agent}: ${data.reply.kind === 'send' ? firstText(data.reply.content.parts) : data.reply.code}`;
    case 'route_decision':
      return `${data.step} -> ${data.next}: ${data.allowed ? 'allowed' : 'denied'} (${data.reason})`;
    case 'workflow_complete':
      return data.success ? 'success' : 'failure';
    case 'error':
      return data.error;
    default:
      return '';
  }
}

function firstText(parts: readonly object[]): string {
  const [part] = parts;
  return part !== undefined && 'text' in part ? String(part.text) : '';
}
