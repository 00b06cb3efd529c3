import { BusinessInput } from '../../model/business-input.js';
import { isBlank } from '../../model/blank.js';
import type { MessageContent } from '../../model/message-content.js';
import type { TaskRequest } from '../../model/task-request.js';
import { textOfParts } from '../response/message-texts.js';

/** A request for content that is sent outside of any workflow: negotiations are about it. */
export function defaultTaskRequest(
  agentName: string,
  { parts }: MessageContent,
  id: string,
  signal: AbortSignal,
): TaskRequest {
  const text = textOfParts(parts) ?? '';
  return Object.freeze({
    executionId: id,
    taskId: id,
    stepName: '',
    agentName,
    skill: '',
    instruction: text,
    language: 'zh',
    input: isBlank(text) ? BusinessInput.data(parts) : BusinessInput.text(text),
    workflowInput: Object.freeze({ runtimeIntent: '', upstreamResults: Object.freeze([]) }),
    signal,
  });
}
