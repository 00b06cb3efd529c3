import { randomUUID } from 'node:crypto';
import {
  decodeSendMessageRequest,
  InvalidParamsError,
  Role,
  type Message,
  type Part,
  type SendMessageConfiguration,
  type SendMessageRequest,
  type Struct,
  type Task,
} from 'nestjs-a2a/protocol';

/**
 * What a test sends: a text, parts, or a message of which only the parts must be there.
 *
 * @publicApi
 */
export type TestMessage = string | Part | readonly Part[] | (Partial<Message> & Pick<Message, 'parts'>);

/**
 * How a test sends it.
 *
 * @publicApi
 */
export interface TestSendOptions {
  /** The task that the message belongs to, for a follow-up. */
  readonly task?: Task | string;
  /** The conversation of a new task. */
  readonly contextId?: string;
  readonly configuration?: SendMessageConfiguration;
  /** Metadata of the request. */
  readonly metadata?: Struct;
}

/** @throws InvalidParamsError for what a server would not take over the wire */
export function sendRequest(input: TestMessage, options: TestSendOptions): SendMessageRequest {
  const { task, contextId, configuration, metadata } = options;
  const message = {
    messageId: randomUUID(),
    role: Role.USER,
    ...(task !== undefined && { taskId: typeof task === 'string' ? task : task.id }),
    ...(contextId !== undefined && { contextId }),
    ...contentOf(input),
  };
  const request = decodeSendMessageRequest({
    message,
    ...(configuration && { configuration }),
    ...(metadata && { metadata }),
  });
  if (request.ok) return request.value;
  throw new InvalidParamsError(request.violations);
}

function contentOf(input: TestMessage): Partial<Message> & Pick<Message, 'parts'> {
  if (typeof input === 'string') return { parts: [{ text: input }] };
  if (isParts(input)) return { parts: [...input] };
  return 'parts' in input ? input : { parts: [input] };
}

function isParts(input: object): input is readonly Part[] {
  return Array.isArray(input);
}
