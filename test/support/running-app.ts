import type { DynamicModule, INestApplication, LoggerService, Type } from '@nestjs/common';
import { NestFactory, type AbstractHttpAdapter } from '@nestjs/core';
import { ExpressAdapter } from '@nestjs/platform-express';
import { FastifyAdapter } from '@nestjs/platform-fastify';

export const ADAPTERS = ['express', 'fastify'] as const;
export type AdapterName = (typeof ADAPTERS)[number];

/** An app that listens on a port of its own. */
export interface RunningApp {
  readonly adapter: AdapterName;
  readonly app: INestApplication;
  readonly url: string;
  close(): Promise<void>;
}

export interface StartOptions {
  readonly logger?: LoggerService;
  /** Before the app listens: prefixes, pipes, versions. */
  readonly setup?: (app: INestApplication, adapter: AdapterName) => unknown;
  /** Settings of Fastify itself. */
  readonly fastify?: { readonly trustProxy?: boolean | string };
}

/** A fresh adapter. */
export function adapterOf(name: AdapterName, fastify: StartOptions['fastify'] = {}): AbstractHttpAdapter {
  return name === 'express' ? new ExpressAdapter() : new FastifyAdapter({ ...fastify });
}

/** Starts a module on an adapter. @throws what the app throws at start */
export async function start(
  adapter: AdapterName,
  module: DynamicModule | Type,
  { logger, setup, fastify }: StartOptions = {},
): Promise<RunningApp> {
  const app = await NestFactory.create(module, adapterOf(adapter, fastify), {
    logger: logger ?? false,
    abortOnError: false,
  });
  await setup?.(app, adapter);
  return listening(adapter, app);
}

/** Lets an app listen that exists already. */
export async function listening(adapter: AdapterName, app: INestApplication): Promise<RunningApp> {
  await app.listen(0, '127.0.0.1');
  return { adapter, app, url: await app.getUrl(), close: () => app.close() };
}
