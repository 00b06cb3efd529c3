import type { IncomingHttpHeaders } from 'node:http';
import {
  BadRequestException,
  PayloadTooLargeException,
  RequestTimeoutException,
  UnauthorizedException,
  UnsupportedMediaTypeException,
  type LoggerService,
} from '@nestjs/common';
import { A2A_MEDIA_TYPE, decodeStreamResponse, isJsonMediaType, JSON_MEDIA_TYPE, parseJson } from 'nestjs-a2a/protocol';
import { foreignCharsetOf } from '../../http/body-charset.js';
import { intakeOf, releaseBody, type HttpIntake } from '../../http/host/http-intake.js';
import { rawRequestOf } from '../../http/host/raw-http.js';
import { PUSH_TARGET } from './push-receiver.route.js';
import type { PushReceiverSettings } from './push-receiver.settings.js';
import { ReceivedPushNotification } from './received-push-notification.js';
import { SeenNotifications } from './seen-notifications.js';
import { webhookProblem } from './webhook-check.js';

/** Checks and reads notifications, and has each handled once. */
export class PushReceiver {
  private readonly seen: SeenNotifications;

  constructor(
    private readonly settings: PushReceiverSettings,
    private readonly logger: Pick<LoggerService, 'warn'>,
  ) {
    this.seen = new SeenNotifications(settings.remember);
  }

  /** @throws HttpException 400, 401, 408, 413, 415 */
  async receive(request: object): Promise<ReceivedPushNotification> {
    const intake = intakeOf(request);
    if (intake?.target !== PUSH_TARGET) {
      throw new Error('Nobody reads notifications here: import A2APushReceiverModule.register() into the app');
    }
    const headers = rawRequestOf(request)?.headers ?? {};
    this.checkCredentials(headers);
    const text = this.textOf(intake);
    const id = this.settings.signed ? this.checkSignature(headers, text) : headers['x-a2a-notification-id'];
    const notification = new ReceivedPushNotification(
      typeof id === 'string' && id !== '' ? id : undefined,
      eventOf(text),
    );
    if (!(await this.settings.knowsToken(headers['x-a2a-notification-token'], notification))) {
      this.refuse('its token is not that of its task');
    }
    return notification;
  }

  /** Has a notification handled, unless it was already. */
  async handleOnce<T>({ id, taskId }: ReceivedPushNotification, handle: () => Promise<T>): Promise<T | undefined> {
    // Who may tell of one task must not use up the ids of another.
    return id === undefined ? handle() : this.seen.once(JSON.stringify([taskId, id]), handle);
  }

  private checkCredentials(headers: IncomingHttpHeaders): void {
    const { settings } = this;
    if (!settings.isAuthorized(headers.authorization)) this.refuse('its Authorization is not right');
    if (!settings.isToken(headers['x-a2a-notification-token'])) this.refuse('its token is not right');
  }

  /** @returns the id, which is signed as well */
  private checkSignature(headers: IncomingHttpHeaders, body: string): string {
    const id = headers['webhook-id'];
    const timestamp = headers['webhook-timestamp'];
    const signatures = headers['webhook-signature'];
    if (typeof id !== 'string' || typeof timestamp !== 'string' || typeof signatures !== 'string') {
      return this.refuse('it is not signed');
    }
    const { settings } = this;
    const signed = { id, timestamp, signatures, body };
    const problem = webhookProblem(settings.secrets(), signed, settings.toleranceSeconds, Date.now());
    return problem === undefined ? id : this.refuse(problem);
  }

  private textOf(intake: HttpIntake): string {
    const { body, contentType } = intake;
    releaseBody(intake);
    const { maxBytes } = this.settings;
    if (body.kind === 'too-large' || (body.kind === 'text' && body.bytes > maxBytes)) {
      throw new PayloadTooLargeException(`A notification may have ${maxBytes} bytes`);
    }
    if (!isJsonMediaType(contentType) || foreignCharsetOf(contentType) !== undefined) {
      throw new UnsupportedMediaTypeException(`A notification is ${A2A_MEDIA_TYPE} or ${JSON_MEDIA_TYPE}, in UTF-8`);
    }
    switch (body.kind) {
      case 'text':
        return body.text;
      case 'none':
        throw new BadRequestException('The body is empty');
      case 'malformed':
        throw new BadRequestException('The body is not valid UTF-8, or its compression is broken');
      case 'unsupported-encoding':
        throw new UnsupportedMediaTypeException('The content encoding is not supported');
      case 'timeout':
        throw new RequestTimeoutException('The body did not arrive in time');
    }
  }

  /** The sender is told nothing of what was wrong: that is for the log. */
  private refuse(reason: string): never {
    this.logger.warn(`A push notification was refused: ${reason}`);
    throw new UnauthorizedException();
  }
}

function eventOf(text: string) {
  const decoded = decodeStreamResponse(jsonOf(text));
  if (decoded.ok) return decoded.value;
  const [first] = decoded.violations;
  throw new BadRequestException(`The body is no event of a task: ${first?.field ?? ''} ${first?.description ?? ''}`);
}

function jsonOf(text: string): unknown {
  try {
    return parseJson(text);
  } catch {
    throw new BadRequestException('The body is not JSON');
  }
}
