import {
  applyDecorators,
  createParamDecorator,
  HttpCode,
  Inject,
  Injectable,
  Optional,
  UseGuards,
  UseInterceptors,
  type CallHandler,
  type CanActivate,
  type ExecutionContext,
  type NestInterceptor,
} from '@nestjs/common';
import { defer, lastValueFrom, type Observable } from 'rxjs';
import { A2ARouteHandler } from '../../http/host/a2a-route.js';
import { PushReceiver } from './push-receiver.js';
import { PUSH_ROUTE } from './push-receiver.route.js';
import type { ReceivedPushNotification } from './received-push-notification.js';

const NO_MODULE =
  '@A2APushReceiver() needs A2APushReceiverModule.register({ token: … }) among the imports of its module';

const received = new WeakMap<object, ReceivedPushNotification>();

function needed(receiver: PushReceiver | undefined): PushReceiver {
  if (receiver === undefined) throw new Error(NO_MODULE);
  return receiver;
}

function requestOf(context: ExecutionContext): object {
  return context.switchToHttp().getRequest<object>();
}

function receivedBy(context: ExecutionContext): ReceivedPushNotification {
  const notification = received.get(requestOf(context));
  if (notification === undefined) throw new Error('@ReceivedPush() is for handlers with @A2APushReceiver()');
  return notification;
}

/** Lets only notifications pass that come from whom they should. */
@Injectable()
export class PushReceiverGuard implements CanActivate {
  private readonly receiver: PushReceiver;

  constructor(@Optional() @Inject(PushReceiver) receiver: PushReceiver | undefined) {
    this.receiver = needed(receiver);
  }

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = requestOf(context);
    received.set(request, await this.receiver.receive(request));
    return true;
  }
}

/** Has a notification that comes again answered, and not handled. */
@Injectable()
export class PushReceiverInterceptor implements NestInterceptor {
  private readonly receiver: PushReceiver;

  constructor(@Optional() @Inject(PushReceiver) receiver: PushReceiver | undefined) {
    this.receiver = needed(receiver);
  }

  intercept(context: ExecutionContext, next: CallHandler<unknown>): Observable<unknown> {
    return defer(() =>
      this.receiver.handleOnce(receivedBy(context), () => lastValueFrom(next.handle(), { defaultValue: undefined })),
    );
  }
}

/**
 * Makes a `@Post()` handler a receiver of push notifications: what does not come from an agent that was told to send it
 * gets 401, each notification is handled once, and whatever the handler throws makes the sender try again. Answers 204.
 *
 * ```ts
 * @Post('hooks/a2a')
 * @A2APushReceiver()
 * async notified(@ReceivedPush() { taskId, event }: ReceivedPushNotification): Promise<void> { … }
 * ```
 *
 * Needs {@link A2APushReceiverModule} in the module of its controller.
 *
 * @publicApi
 */
export function A2APushReceiver(): MethodDecorator {
  return applyDecorators(
    A2ARouteHandler(PUSH_ROUTE),
    HttpCode(204),
    UseGuards(PushReceiverGuard),
    UseInterceptors(PushReceiverInterceptor),
  );
}

/**
 * The notification, in a handler with {@link A2APushReceiver}.
 *
 * @publicApi
 */
export const ReceivedPush: () => ParameterDecorator = createParamDecorator(
  (_data: unknown, context: ExecutionContext) => receivedBy(context),
);
