/**
 * How the receiver of push notifications wants to be authenticated to.
 *
 * @see A2A 1.0, section 4.3.2
 */
export interface AuthenticationInfo {
  /** HTTP authentication scheme, e.g. `Bearer`. */
  scheme: string;
  /** What follows the scheme in the `Authorization` header. */
  credentials?: string;
}

/**
 * Where updates of a task are to be posted. Also the request that creates such a configuration.
 *
 * @see A2A 1.0, section 4.3.1
 */
export interface TaskPushNotificationConfig {
  /** Opaque routing key. */
  tenant?: string;
  /** Id of the configuration; the server makes one if it is left out. */
  id?: string;
  /** The task; left out inside a send, where the task is not known yet. */
  taskId?: string;
  /** The receiver's address. */
  url: string;
  /** Sent along, so that the receiver knows whom it listens to. */
  token?: string;
  /** How to authenticate to the receiver. */
  authentication?: AuthenticationInfo;
}
