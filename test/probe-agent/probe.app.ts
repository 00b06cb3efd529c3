import {
  Module,
  type CanActivate,
  type DynamicModule,
  type ExecutionContext,
  UnauthorizedException,
} from '@nestjs/common';
import { APP_GUARD, NestFactory } from '@nestjs/core';
import type { INestApplication } from '@nestjs/common';
import { ExpressAdapter } from '@nestjs/platform-express';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { A2AModule } from 'nestjs-a2a';
import { ProbeExecutor } from './probe.executor.js';
import type { ProbeOptions } from './probe.options.js';

const BEARER = /^Bearer user:(.+)$/;

/** Believes whoever says who they are: `Authorization: Bearer user:NAME`. */
class ProbeUsersGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    const request = context.switchToHttp().getRequest<{ headers: Record<string, string>; user?: unknown }>();
    const { authorization } = request.headers;
    if (authorization === undefined) return true;
    const name = BEARER.exec(authorization)?.[1];
    if (name === undefined) throw new UnauthorizedException();
    request.user = { id: name };
    return true;
  }
}

@Module({})
export class ProbeModule {
  static with({ module, users }: Pick<ProbeOptions, 'module' | 'users'>): DynamicModule {
    return {
      module: ProbeModule,
      imports: [A2AModule.forRoot({ ...module, executor: ProbeExecutor })],
      providers: users ? [{ provide: APP_GUARD, useClass: ProbeUsersGuard }] : [],
    };
  }
}

/** A probe agent that does not listen yet. */
export async function createProbe(options: ProbeOptions): Promise<INestApplication> {
  const adapter = options.adapter === 'fastify' ? new FastifyAdapter() : new ExpressAdapter();
  const app = await NestFactory.create(ProbeModule.with(options), adapter, { logger: ['error', 'warn'] });
  app.enableShutdownHooks();
  return app;
}
