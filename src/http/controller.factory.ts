import { All, Inject, Post, Req, Res, UseFilters, type ExceptionFilter, type Type } from '@nestjs/common';
import { A2ARouteHandler, type A2ARoute } from './host/a2a-route.js';

/** What a controller hands its requests to. */
export interface RequestSink {
  handle(request: object, response: object): Promise<void>;
}

/** One method of a controller. */
export interface HandlerDefinition {
  readonly name: string;
  readonly pattern: string;
  readonly route: A2ARoute;
  /** Take POST only and leave the other verbs of this path to the host. Default false. */
  readonly postOnly?: boolean;
}

/** One controller. */
export interface ControllerDefinition {
  readonly name: string;
  readonly handlers: readonly HandlerDefinition[];
  readonly sink: Type<RequestSink> | (abstract new (...args: never[]) => RequestSink);
  readonly filter: Type<ExceptionFilter>;
}

// Read by @nestjs/swagger: the catch-all routes would say nothing true about the operations.
const SWAGGER_EXCLUDE = 'swagger/apiExcludeController';

/**
 * Makes a controller class. Each call makes a new one with methods of its own, since Nest keeps routes as metadata on
 * the very functions, and two agents in one app have different ones.
 */
export function createController(definition: ControllerDefinition): Type<object> {
  class A2AController {
    declare readonly sink: RequestSink;
  }
  Object.defineProperty(A2AController, 'name', { value: definition.name });
  const { prototype } = A2AController;
  Inject(definition.sink)(prototype, 'sink');
  for (const { name, pattern, route, postOnly = false } of definition.handlers) {
    const value = function handle(this: A2AController, request: object, response: object): Promise<void> {
      return this.sink.handle(request, response);
    };
    const descriptor: PropertyDescriptor = { value, writable: true, configurable: true };
    Object.defineProperty(prototype, name, descriptor);
    const verb = postOnly ? Post(pattern) : All(pattern);
    verb(prototype, name, descriptor);
    A2ARouteHandler(route)(prototype, name, descriptor);
    Req()(prototype, name, 0);
    Res()(prototype, name, 1);
  }
  UseFilters(definition.filter)(A2AController);
  Reflect.defineMetadata(SWAGGER_EXCLUDE, [true], A2AController);
  return A2AController;
}
