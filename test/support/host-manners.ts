import {
  Catch,
  HttpException,
  type ArgumentsHost,
  type CallHandler,
  type ExceptionFilter,
  type ExecutionContext,
  type NestInterceptor,
  type Provider,
  ValidationPipe,
} from '@nestjs/common';
import { APP_FILTER, APP_INTERCEPTOR, APP_PIPE, HttpAdapterHost } from '@nestjs/core';
import { map, type Observable } from 'rxjs';

/** Wraps whatever handlers return, as many hosts do. */
export class Envelope implements NestInterceptor {
  intercept(_context: ExecutionContext, next: CallHandler): Observable<unknown> {
    return next.handle().pipe(map((data: unknown) => ({ success: true, data })));
  }
}

/** Makes every error one of the host's form. */
@Catch()
export class HostFilter implements ExceptionFilter {
  constructor(private readonly host: HttpAdapterHost) {}

  catch(exception: unknown, context: ArgumentsHost): void {
    const status = exception instanceof HttpException ? exception.getStatus() : 500;
    this.host.httpAdapter.reply(context.switchToHttp().getResponse(), { success: false, status }, status);
  }
}

/** All of them, and a pipe that refuses what it does not know. */
export const HOST_MANNERS: readonly Provider[] = [
  { provide: APP_INTERCEPTOR, useClass: Envelope },
  { provide: APP_FILTER, useClass: HostFilter },
  {
    provide: APP_PIPE,
    useValue: new ValidationPipe({ whitelist: true, forbidNonWhitelisted: true, transform: true }),
  },
];
