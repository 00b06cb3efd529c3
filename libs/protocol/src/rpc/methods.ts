const METHOD_NAMES = [
  'SendMessage',
  'SendStreamingMessage',
  'GetTask',
  'ListTasks',
  'CancelTask',
  'SubscribeToTask',
  'CreateTaskPushNotificationConfig',
  'GetTaskPushNotificationConfig',
  'ListTaskPushNotificationConfigs',
  'DeleteTaskPushNotificationConfig',
  'GetExtendedAgentCard',
] as const;

/**
 * The eleven operations, by their JSON-RPC method name.
 *
 * @see A2A 1.0, section 5.3
 */
export type A2AMethod = (typeof METHOD_NAMES)[number];

/** The eleven method names; a map, so that `constructor` and the like are no methods. */
export const A2A_METHODS: ReadonlyMap<string, A2AMethod> = new Map(METHOD_NAMES.map((name) => [name, name]));

/** Is this the name of an A2A 1.0 method? Letter case counts. */
export function isA2AMethod(name: string): name is A2AMethod {
  return A2A_METHODS.has(name);
}

/** Method names of protocol version 0.3, each with the 1.0 method that took its place. */
export const V0_3_METHODS: ReadonlyMap<string, A2AMethod> = new Map<string, A2AMethod>([
  ['message/send', 'SendMessage'],
  ['message/stream', 'SendStreamingMessage'],
  ['tasks/get', 'GetTask'],
  ['tasks/cancel', 'CancelTask'],
  ['tasks/resubscribe', 'SubscribeToTask'],
  ['tasks/pushNotificationConfig/set', 'CreateTaskPushNotificationConfig'],
  ['tasks/pushNotificationConfig/get', 'GetTaskPushNotificationConfig'],
  ['tasks/pushNotificationConfig/list', 'ListTaskPushNotificationConfigs'],
  ['tasks/pushNotificationConfig/delete', 'DeleteTaskPushNotificationConfig'],
  ['agent/getAuthenticatedExtendedCard', 'GetExtendedAgentCard'],
]);
