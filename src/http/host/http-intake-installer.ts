import type { HttpAdapterHost } from '@nestjs/core';
import type { A2ARoute } from './a2a-route.js';
import { installOnExpress } from './express-intake.js';
import { installOnFastify } from './fastify-intake.js';
import type { FastifyShape } from './fastify-intake.js';

/** Knows where our routes were mounted. */
export interface RouteRegister {
  pathsOf(route: A2ARoute): string[];
}

// One intake an adapter: a second reader would find the body already read.
const installed = new WeakMap<object, RouteRegister>();

/**
 * Installs the intake on the app's HTTP adapter, once. To be called in the constructor of a module, which is before
 * body parsers and routes. Under `Test.createTestingModule()` there is no adapter yet; it is waited for. An application
 * context never has one, and gets nothing.
 */
export function installHttpIntake(host: HttpAdapterHost): void {
  if (host.httpAdapter) install(host);
  else host.init$.subscribe(() => install(host));
}

/** The register of our routes on the host's adapter; `undefined` before the intake is installed. */
export function routeRegisterOf(host: HttpAdapterHost): RouteRegister | undefined {
  return host.httpAdapter ? installed.get(host.httpAdapter) : undefined;
}

function install(host: HttpAdapterHost): void {
  const adapter = host.httpAdapter;
  if (!adapter || installed.has(adapter)) return;
  const instance: unknown = adapter.getInstance();
  installed.set(adapter, isFastify(instance) ? installOnFastify(adapter, instance) : installOnExpress(adapter));
}

function isFastify(instance: unknown): instance is FastifyShape {
  return (
    typeof instance === 'object' &&
    instance !== null &&
    'addHook' in instance &&
    typeof instance.addHook === 'function' &&
    'hasRoute' in instance
  );
}
