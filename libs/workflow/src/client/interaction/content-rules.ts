import type { AgentCard } from 'nestjs-a2a/protocol';
import { WorkflowArgumentError } from '../../errors/workflow.error.js';
import { A2ATExtension } from '../../extensions/a2at-extension.js';
import type { MessageContent } from '../../model/message-content.js';
import { declares } from '../agent-cards.js';
import { requireExtensions } from '../transport/extension-headers.js';

/**
 * Checks that the agent knows what the content makes use of, before anything is sent.
 *
 * @throws WorkflowArgumentError when it does not
 */
export function checkContent(card: AgentCard, { extensions, metadata }: MessageContent): void {
  const task = A2ATExtension.TASK_T.uri;
  const isActivated = extensions.includes(task);
  if (isActivated !== Object.hasOwn(metadata, task)) {
    throw new WorkflowArgumentError('Task-T content must contain matching extension activation and metadata');
  }
  if (isActivated && !declares(card, task)) {
    throw new WorkflowArgumentError(`Target agent does not declare Task-T: ${card.name}`);
  }
  const negotiation = A2ATExtension.NEGOTIATION_T.uri;
  if (extensions.includes(negotiation) && !declares(card, negotiation)) {
    throw new WorkflowArgumentError(`Target agent does not declare Negotiation-T: ${card.name}`);
  }
  requireExtensions(card, extensions);
}
