import { type Decoder, strict, tolerant } from '../decode/decoder.js';
import type { SendMessageResponse } from '../types/events.js';
import type { Message } from '../types/message.js';
import type { Part } from '../types/part.js';
import type { TaskPushNotificationConfig } from '../types/push.js';
import type {
  CancelTaskRequest,
  DeleteTaskPushNotificationConfigRequest,
  GetTaskPushNotificationConfigRequest,
  GetTaskRequest,
  ListTaskPushNotificationConfigsRequest,
  ListTaskPushNotificationConfigsResponse,
  SendMessageRequest,
  SubscribeToTaskRequest,
} from '../types/requests.js';
import type { Task } from '../types/task.js';
import { v03Part, v03ProtoPart } from './part-decoders.js';
import * as push from './push-decoders.js';
import * as request from './request-decoders.js';
import * as result from './result-decoders.js';
import { v03Objects, v03ProtoObjects } from './task-decoders.js';

// What callers send, strictly.

/** Reads a part. */
export const fromV03Part: Decoder<Part> = strict(v03Part);

/** Reads a message. */
export const fromV03Message: Decoder<Message> = strict(v03Objects.message);

/** Reads the params of `message/send` and `message/stream`. */
export const fromV03SendParams: Decoder<SendMessageRequest> = strict(request.v03SendParams);

/** Reads the params of `tasks/get`. */
export const fromV03TaskQuery: Decoder<GetTaskRequest> = strict(request.v03TaskQuery);

/** Reads the params of `tasks/cancel`. */
export const fromV03CancelParams: Decoder<CancelTaskRequest> = strict(request.v03CancelParams);

/** Reads the params of `tasks/resubscribe`. */
export const fromV03TaskId: Decoder<SubscribeToTaskRequest> = strict(request.v03TaskId);

/** Reads the params of `tasks/pushNotificationConfig/get`. */
export const fromV03GetPushConfigParams: Decoder<GetTaskPushNotificationConfigRequest> = strict(
  request.v03GetPushConfigParams,
);

/** Reads the params of `tasks/pushNotificationConfig/list`. */
export const fromV03PushConfigListParams: Decoder<ListTaskPushNotificationConfigsRequest> = strict(
  request.v03PushConfigListParams,
);

/** Reads the params of `tasks/pushNotificationConfig/delete`. */
export const fromV03DeletePushConfigParams: Decoder<DeleteTaskPushNotificationConfigRequest> = strict(
  request.v03DeletePushConfigParams,
);

/** Reads a part in the JSON of the proto file. */
export const fromV03ProtoPart: Decoder<Part> = strict(v03ProtoPart);

/** Reads a message in the JSON of the proto file. */
export const fromV03ProtoMessage: Decoder<Message> = strict(v03ProtoObjects.message);

/** Reads the body of `/v1/message:send` and `/v1/message:stream`. */
export const fromV03ProtoSendRequest: Decoder<SendMessageRequest> = strict(request.v03ProtoSendRequest);

/** Reads the body that creates a push configuration. */
export const fromV03ProtoCreatePushConfig: Decoder<TaskPushNotificationConfig> = strict(
  request.v03ProtoCreatePushConfig,
);

// What peers answer: a required list may be empty or absent.

/** Reads a task. */
export const fromV03Task: Decoder<Task> = tolerant(v03Objects.task);

/** Reads what a message is answered with. */
export const fromV03SendResult: Decoder<SendMessageResponse> = tolerant(result.v03SendResult);

/** Reads a frame of a stream. */
export const fromV03StreamEvent: Decoder<result.V03Frame> = tolerant(result.v03StreamFrame);

/** Reads a push configuration of one task; also the params of `tasks/pushNotificationConfig/set`. */
export const fromV03TaskPushConfig: Decoder<TaskPushNotificationConfig> = tolerant(push.v03TaskPushConfig);

/** Reads the push configurations of one task. */
export const fromV03PushConfigList: Decoder<ListTaskPushNotificationConfigsResponse> = tolerant(push.v03PushConfigList);

/** Reads a task in the JSON of the proto file. */
export const fromV03ProtoTask: Decoder<Task> = tolerant(v03ProtoObjects.task);

/** Reads what a message is answered with, in the JSON of the proto file. */
export const fromV03ProtoSendResult: Decoder<SendMessageResponse> = tolerant(result.v03ProtoSendResult);

/** Reads a frame of a stream in the JSON of the proto file. */
export const fromV03ProtoStreamEvent: Decoder<result.V03Frame> = tolerant(result.v03ProtoStreamFrame);

/** Reads a push configuration in the JSON of the proto file. */
export const fromV03ProtoPushConfig: Decoder<TaskPushNotificationConfig> = tolerant(push.v03ProtoTaskPushConfig);

/** Reads the push configurations of one task in the JSON of the proto file. */
export const fromV03ProtoPushConfigList: Decoder<ListTaskPushNotificationConfigsResponse> = tolerant(
  push.v03ProtoPushConfigList,
);
