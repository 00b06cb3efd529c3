import { randomUUID } from 'node:crypto';
import { declares } from '../client/agent-cards.js';
import type { A2ATransport } from '../client/transport/a2a-transport.js';
import { WorkflowArgumentError, WorkflowStateError } from '../errors/workflow.error.js';
import type { MessageContent } from '../model/message-content.js';
import type { SendMessageResult } from '../model/send-message-result.js';
import { A2ATExtension } from './a2at-extension.js';
import { ExtensionSender } from './extension-sender.js';
import type { NotificationListener, NotificationSubscription } from './notification-subscription.js';
import { OpenSubscription } from './open-subscription.js';

/**
 * The sender of the engine. Give it a transport of its own: what it sends has nothing to do with tasks.
 *
 * @publicApi
 */
export class DefaultExtensionSender extends ExtensionSender {
  private readonly subscriptions = new Set<OpenSubscription>();
  private ownsTransport = true;
  private closed = false;

  /** @param transport closed with the sender */
  constructor(private readonly transport: A2ATransport) {
    super();
  }

  /** A sender on a transport of somebody else, who closes it. */
  static nonOwning(transport: A2ATransport): DefaultExtensionSender {
    const sender = new DefaultExtensionSender(transport);
    sender.ownsTransport = false;
    return sender;
  }

  async sendAuthorization(agentName: string, content: MessageContent): Promise<SendMessageResult> {
    this.check(agentName, content, A2ATExtension.AUTHORIZATION_T.uri);
    const contextId = randomUUID();
    try {
      const envelope = { messageId: randomUUID(), contextId };
      return await this.transport.send(agentName, content, envelope, { mayBreak: true, correlation: { contextId } });
    } finally {
      this.transport.closeConversation(agentName, contextId);
    }
  }

  openNotification(
    agentName: string,
    content: MessageContent,
    listener: NotificationListener,
  ): NotificationSubscription {
    this.check(agentName, content, A2ATExtension.NOTIFICATION_T.uri);
    if (typeof listener !== 'function') throw new WorkflowArgumentError('A notification listener is required');
    const subscription = new OpenSubscription({ transport: this.transport, agentName, content, listener });
    this.subscriptions.add(subscription);
    void subscription.start().finally(() => this.subscriptions.delete(subscription));
    return subscription;
  }

  async close(): Promise<void> {
    this.closed = true;
    const open = [...this.subscriptions];
    for (const subscription of open) subscription.close();
    if (this.ownsTransport) await this.transport.close();
    else await Promise.allSettled(open.map((subscription) => subscription.completion()));
  }

  private check(agentName: string, { extensions, metadata }: MessageContent, uri: string): void {
    if (this.closed || this.transport.isClosed) throw new WorkflowStateError('A2A transport is closed');
    const card = this.transport.card(agentName);
    if (!declares(card, uri) || !extensions.includes(uri) || !Object.hasOwn(metadata, uri)) {
      throw new WorkflowArgumentError(`Target capability and content must use ${uri}`);
    }
  }
}
