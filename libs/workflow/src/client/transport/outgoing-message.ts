import { Role, type SendMessageRequest } from 'nestjs-a2a/protocol';
import type { MessageContent } from '../../model/message-content.js';

/**
 * What the engine puts around the content of the host.
 *
 * @publicApi
 */
export interface Envelope {
  readonly messageId: string;
  readonly contextId: string;
  /** Of the agent's task that the message is for. */
  readonly taskId?: string;
}

/** The content in its envelope; nothing of it is changed. */
export function outgoingMessage(
  { parts, metadata, extensions }: MessageContent,
  { messageId, contextId, taskId }: Envelope,
): SendMessageRequest {
  return {
    message: {
      messageId,
      contextId,
      ...(taskId !== undefined && { taskId }),
      role: Role.USER,
      parts: [...parts],
      ...(Object.keys(metadata).length > 0 && { metadata: { ...metadata } }),
      ...(extensions.length > 0 && { extensions: [...extensions] }),
    },
  };
}
