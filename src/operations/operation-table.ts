import {
  decodeCancelTaskRequest,
  decodeDeleteTaskPushNotificationConfigRequest,
  decodeGetExtendedAgentCardRequest,
  decodeGetTaskPushNotificationConfigRequest,
  decodeGetTaskRequest,
  decodeListTaskPushNotificationConfigsRequest,
  decodeListTasksRequest,
  decodeSendMessageRequest,
  decodeSubscribeToTaskRequest,
  decodeTaskPushNotificationConfig,
  InvalidParamsError,
  type A2AMethod,
  type Decoder,
} from 'nestjs-a2a/protocol';
import type { Observable } from 'rxjs';
import type { ServerCallContext } from '../agent/server-call-context.js';
import type { RequestHandler } from './request-handler.js';
import type { StreamFrame } from './stream-frame.js';

/** What the card must say for an operation to be served. */
export type RequiredCapability = 'streaming' | 'pushNotifications' | 'extendedAgentCard';

/** What an operation gave. */
export type OperationResult =
  | { readonly kind: 'value'; readonly value: unknown }
  | { readonly kind: 'nothing' }
  | { readonly kind: 'stream'; readonly frames: Observable<StreamFrame> };

/** An operation whose request is decoded, ready to be carried out. */
export type PreparedOperation = (
  handler: RequestHandler,
  call: ServerCallContext,
  lastEventId: number | undefined,
) => Promise<OperationResult>;

/** One operation as the gate sees it. */
export interface OperationEntry {
  readonly capability?: RequiredCapability;
  /** It takes a message: required extensions are asked for. */
  readonly takesMessage?: boolean;
  /** @throws InvalidParamsError */
  prepare(params: unknown): PreparedOperation;
}

type Carry<T, R> = (handler: RequestHandler, request: T, call: ServerCallContext, lastEventId?: number) => Promise<R>;

function decoded<T>(decode: Decoder<T>, params: unknown): T {
  const result = decode(params);
  if (result.ok) return result.value;
  throw new InvalidParamsError(result.violations);
}

function value<T>(decode: Decoder<T>, carry: Carry<T, unknown>, more?: Partial<OperationEntry>): OperationEntry {
  const prepare = (params: unknown): PreparedOperation => {
    const request = decoded(decode, params);
    return async (handler, call) => ({ kind: 'value', value: await carry(handler, request, call) });
  };
  return { ...more, prepare };
}

function nothing<T>(decode: Decoder<T>, carry: Carry<T, void>, more?: Partial<OperationEntry>): OperationEntry {
  const prepare = (params: unknown): PreparedOperation => {
    const request = decoded(decode, params);
    return async (handler, call) => {
      await carry(handler, request, call);
      return { kind: 'nothing' };
    };
  };
  return { ...more, prepare };
}

function stream<T>(
  decode: Decoder<T>,
  carry: Carry<T, Observable<StreamFrame>>,
  more?: Partial<OperationEntry>,
): OperationEntry {
  const prepare = (params: unknown): PreparedOperation => {
    const request = decoded(decode, params);
    return async (handler, call, lastEventId) => ({
      kind: 'stream',
      frames: await carry(handler, request, call, lastEventId),
    });
  };
  return { capability: 'streaming', ...more, prepare };
}

const push = { capability: 'pushNotifications' } as const;

/** The eleven operations: how each is decoded, what it needs, and which method of the handler carries it out. */
export const OPERATIONS: Readonly<Record<A2AMethod, OperationEntry>> = {
  SendMessage: value(decodeSendMessageRequest, (handler, request, call) => handler.sendMessage(request, call), {
    takesMessage: true,
  }),
  SendStreamingMessage: stream(
    decodeSendMessageRequest,
    (handler, request, call) => handler.sendStreamingMessage(request, call),
    { takesMessage: true },
  ),
  GetTask: value(decodeGetTaskRequest, (handler, request, call) => handler.getTask(request, call)),
  ListTasks: value(decodeListTasksRequest, (handler, request, call) => handler.listTasks(request, call)),
  CancelTask: value(decodeCancelTaskRequest, (handler, request, call) => handler.cancelTask(request, call)),
  SubscribeToTask: stream(decodeSubscribeToTaskRequest, (handler, request, call, lastEventId) =>
    handler.subscribeToTask(request, call, lastEventId),
  ),
  CreateTaskPushNotificationConfig: value(
    decodeTaskPushNotificationConfig,
    (handler, request, call) => handler.createTaskPushNotificationConfig(request, call),
    push,
  ),
  GetTaskPushNotificationConfig: value(
    decodeGetTaskPushNotificationConfigRequest,
    (handler, request, call) => handler.getTaskPushNotificationConfig(request, call),
    push,
  ),
  ListTaskPushNotificationConfigs: value(
    decodeListTaskPushNotificationConfigsRequest,
    (handler, request, call) => handler.listTaskPushNotificationConfigs(request, call),
    push,
  ),
  DeleteTaskPushNotificationConfig: nothing(
    decodeDeleteTaskPushNotificationConfigRequest,
    (handler, request, call) => handler.deleteTaskPushNotificationConfig(request, call),
    push,
  ),
  GetExtendedAgentCard: value(
    decodeGetExtendedAgentCardRequest,
    (handler, request, call) => handler.getExtendedAgentCard(request, call),
    { capability: 'extendedAgentCard' },
  ),
};
