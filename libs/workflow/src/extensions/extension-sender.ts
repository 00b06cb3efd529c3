import type { MessageContent } from '../model/message-content.js';
import type { SendMessageResult } from '../model/send-message-result.js';
import type { NotificationListener, NotificationSubscription } from './notification-subscription.js';

/**
 * Sends what stands beside a workflow: authorizations, and subscriptions to notifications. What becomes of them decides
 * nothing in a run. The content is the host's, and final.
 *
 * @publicApi
 */
export abstract class ExtensionSender {
  /**
   * Sends an authorization in a context of its own. Whatever state the agent answers with is the result.
   *
   * @throws WorkflowArgumentError `Agent not found: <name>`, or `Target capability and content must use <uri>`
   */
  abstract sendAuthorization(agentName: string, content: MessageContent): Promise<SendMessageResult>;

  /**
   * Subscribes to notifications. The subscription is there before anything is sent.
   *
   * @throws WorkflowArgumentError at once, as {@link sendAuthorization}, and when there is no listener
   */
  abstract openNotification(
    agentName: string,
    content: MessageContent,
    listener: NotificationListener,
  ): NotificationSubscription;

  /** Ends the subscriptions that were opened here. */
  abstract close(): Promise<void>;
}
