/**
 * States of a task, by their short name.
 *
 * @see A2A 1.0, section 4.1.3
 */
export const TaskState = {
  /** Not a state: never sent, and "no filter" when a list is asked for. */
  UNSPECIFIED: 'TASK_STATE_UNSPECIFIED',
  /** Accepted, not begun. */
  SUBMITTED: 'TASK_STATE_SUBMITTED',
  /** Being worked on. */
  WORKING: 'TASK_STATE_WORKING',
  /** Ended well. */
  COMPLETED: 'TASK_STATE_COMPLETED',
  /** Ended with an error. */
  FAILED: 'TASK_STATE_FAILED',
  /** Ended because somebody canceled it. */
  CANCELED: 'TASK_STATE_CANCELED',
  /** Waits for another message. */
  INPUT_REQUIRED: 'TASK_STATE_INPUT_REQUIRED',
  /** Ended because the agent declined it. */
  REJECTED: 'TASK_STATE_REJECTED',
  /** Waits for credentials. */
  AUTH_REQUIRED: 'TASK_STATE_AUTH_REQUIRED',
} as const;

/** A task state in wire form, e.g. `'TASK_STATE_WORKING'`. */
export type TaskState = (typeof TaskState)[keyof typeof TaskState];

/**
 * Who wrote a message.
 *
 * @see A2A 1.0, section 4.1.5
 */
export const Role = {
  /** Not a role: never legal in a message. */
  UNSPECIFIED: 'ROLE_UNSPECIFIED',
  /** From the client to the agent. */
  USER: 'ROLE_USER',
  /** From the agent to the client. */
  AGENT: 'ROLE_AGENT',
} as const;

/** A role in wire form, e.g. `'ROLE_USER'`. */
export type Role = (typeof Role)[keyof typeof Role];

/**
 * The bindings the protocol defines. A card may name others, by URI.
 *
 * @see A2A 1.0, section 4.4.6
 */
export const ProtocolBinding = {
  /** JSON-RPC 2.0 over HTTP. */
  JSONRPC: 'JSONRPC',
  /** gRPC. */
  GRPC: 'GRPC',
  /** REST-like HTTP with JSON bodies. */
  HTTP_JSON: 'HTTP+JSON',
} as const;

/** One of the bindings the protocol defines. */
export type ProtocolBinding = (typeof ProtocolBinding)[keyof typeof ProtocolBinding];
