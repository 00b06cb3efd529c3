import { A2AError, type A2AErrorDetails } from './a2a-error.js';
import { printable } from './printable.js';

function withMetadata(details: A2AErrorDetails, metadata: Record<string, string>): A2AErrorDetails {
  const known = Object.entries(metadata).filter(([, value]) => value !== '');
  return known.length === 0 ? details : { ...details, metadata: { ...details.metadata, ...Object.fromEntries(known) } };
}

/** There is no such task, or none the caller may see. */
export class TaskNotFoundError extends A2AError {
  static readonly reason = 'TASK_NOT_FOUND';

  constructor(taskId: string, details: A2AErrorDetails = {}) {
    super(TaskNotFoundError.reason, 'Task not found', withMetadata(details, { taskId: printable(taskId) }));
  }
}

/** The task is in a state it cannot be canceled from. */
export class TaskNotCancelableError extends A2AError {
  static readonly reason = 'TASK_NOT_CANCELABLE';

  constructor(taskId: string, message = 'Task cannot be canceled', details: A2AErrorDetails = {}) {
    super(TaskNotCancelableError.reason, message, withMetadata(details, { taskId: printable(taskId) }));
  }
}

/** The agent sends no push notifications. */
export class PushNotificationNotSupportedError extends A2AError {
  static readonly reason = 'PUSH_NOTIFICATION_NOT_SUPPORTED';

  constructor(message = 'Push notifications are not supported', details: A2AErrorDetails = {}) {
    super(PushNotificationNotSupportedError.reason, message, details);
  }
}

/** The agent, or the task in its state, does not support what was asked. */
export class UnsupportedOperationError extends A2AError {
  static readonly reason = 'UNSUPPORTED_OPERATION';

  constructor(message = 'This operation is not supported', details: A2AErrorDetails = {}) {
    super(UnsupportedOperationError.reason, message, details);
  }
}

/** A media type nobody here reads or writes. */
export class ContentTypeNotSupportedError extends A2AError {
  static readonly reason = 'CONTENT_TYPE_NOT_SUPPORTED';

  constructor(message = 'Incompatible content types', details: A2AErrorDetails = {}) {
    super(ContentTypeNotSupportedError.reason, message, details);
  }
}

/** The agent answered with something the protocol does not allow. */
export class InvalidAgentResponseError extends A2AError {
  static readonly reason = 'INVALID_AGENT_RESPONSE';

  constructor(message = 'Invalid agent response', details: A2AErrorDetails = {}) {
    super(InvalidAgentResponseError.reason, message, details);
  }
}

/** The agent declares an extended card and has none. */
export class ExtendedAgentCardNotConfiguredError extends A2AError {
  static readonly reason = 'EXTENDED_AGENT_CARD_NOT_CONFIGURED';

  constructor(message = 'The extended agent card is not configured', details: A2AErrorDetails = {}) {
    super(ExtendedAgentCardNotConfiguredError.reason, message, details);
  }
}

/** The agent demands extensions the client did not ask for. */
export class ExtensionSupportRequiredError extends A2AError {
  static readonly reason = 'EXTENSION_SUPPORT_REQUIRED';

  /** @param uris the extensions that are missing */
  constructor(uris: readonly string[] = [], details: A2AErrorDetails = {}) {
    const list = uris.map((uri) => printable(uri)).join(', ');
    super(
      ExtensionSupportRequiredError.reason,
      list === '' ? 'An extension is required' : `Extensions are required: ${list}`,
      withMetadata(details, { extensions: list }),
    );
  }
}

/** The protocol version asked for is not served here. */
export class VersionNotSupportedError extends A2AError {
  static readonly reason = 'VERSION_NOT_SUPPORTED';

  /**
   * @param requested as the caller wrote it
   * @param supported what is served, `Major.Minor` each
   */
  constructor(requested: string, supported: readonly string[], details: A2AErrorDetails = {}) {
    const version = printable(requested);
    const list = supported.join(', ');
    super(
      VersionNotSupportedError.reason,
      `Protocol version '${version}' is not supported; supported: ${list}`,
      withMetadata(details, { requestedVersion: version, supportedVersions: list }),
    );
  }
}
