import { Catch, Inject, type ArgumentsHost, type ExceptionFilter } from '@nestjs/common';
import type { BindingHandler } from './binding.handler.js';
import { JsonRpcHandler } from './json-rpc/json-rpc.handler.js';
import { RestHandler } from './rest/rest.handler.js';

/** Answers what guards, pipes and interceptors throw on A2A routes in the binding's own form, and nothing else. */
export abstract class BindingExceptionFilter implements ExceptionFilter {
  protected abstract readonly handler: BindingHandler;

  catch(exception: unknown, host: ArgumentsHost): void {
    const http = host.switchToHttp();
    this.handler.fail(http.getRequest<object>(), http.getResponse<object>(), exception);
  }
}

/** For controllers of the JSON-RPC binding. */
@Catch()
export class JsonRpcExceptionFilter extends BindingExceptionFilter {
  @Inject(JsonRpcHandler) protected override readonly handler!: JsonRpcHandler;
}

/** For controllers of the HTTP+JSON binding, and the card's. */
@Catch()
export class RestExceptionFilter extends BindingExceptionFilter {
  @Inject(RestHandler) protected override readonly handler!: RestHandler;
}
