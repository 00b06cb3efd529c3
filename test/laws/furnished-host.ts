import 'reflect-metadata';
import { AsyncLocalStorage } from 'node:async_hooks';
import { fastifyCompress } from '@fastify/compress';
import { fastifyHelmet } from '@fastify/helmet';
import {
  Body,
  Controller,
  Get,
  HttpCode,
  HttpException,
  Module,
  Param,
  Post,
  VersioningType,
  type CanActivate,
  type DynamicModule,
  type ExecutionContext,
  type INestApplication,
  type Type,
} from '@nestjs/common';
import { APP_GUARD } from '@nestjs/core';
import { ApiOkResponse, ApiProperty } from '@nestjs/swagger';
import { IsString } from 'class-validator';
import compression from 'compression';
import helmet from 'helmet';
import type { AdapterName } from '../support/running-app.js';
import { HOST_MANNERS } from '../support/host-manners.js';

/** What the middleware of the host knows of the request on whose behalf code runs. */
export const requestScope = new AsyncLocalStorage<{ readonly requestId: string }>();

class Order {
  @ApiProperty()
  @IsString()
  name!: string;
}

@Controller({ path: 'orders', version: '1' })
class OrdersController {
  @Post()
  @HttpCode(200)
  @ApiOkResponse({ type: Order })
  order(@Body() order: Order): object {
    return { order, requestId: requestScope.getStore()?.requestId };
  }

  @Get('many')
  many(): string[] {
    return Array.from({ length: 500 }, (_, index) => `order ${index}`);
  }

  @Get(':id')
  one(@Param('id') id: string): object {
    if (id === 'none') throw new HttpException('no such order', 404);
    if (id === 'bug') throw new Error('a bug of the host');
    return { id, requestId: requestScope.getStore()?.requestId };
  }
}

@Controller({ path: 'orders', version: '2' })
class NewOrdersController {
  @Get(':id')
  one(@Param('id') id: string): object {
    return { id, version: 2 };
  }
}

/**
 * Counts calls and refuses those over a limit, as `@nestjs/throttler` does; that one cannot be loaded by the tests on
 * every Node, since it requires what is an ES module. `scripts/throttled-host.mjs` tries it itself.
 */
class LimitGuard implements CanActivate {
  private calls = 0;

  constructor(private readonly limit: number) {}

  canActivate(context: ExecutionContext): boolean {
    const response = context.switchToHttp().getResponse<{ header(name: string, value: string): unknown }>();
    response.header('X-RateLimit-Limit', String(this.limit));
    if (++this.calls <= this.limit) return true;
    response.header('Retry-After', '60');
    throw new HttpException('Too Many Requests', 429);
  }
}

/** A module with everything that large apps put around all of their routes. */
export function furnishedModule(imports: (DynamicModule | Type)[], limit = 100_000): Type {
  @Module({
    imports,
    controllers: [OrdersController, NewOrdersController],
    providers: [{ provide: APP_GUARD, useValue: new LimitGuard(limit) }, ...HOST_MANNERS],
  })
  class FurnishedModule {}
  return FurnishedModule;
}

export type Versions = 'in the path' | 'in a header';

/** What such an app does in its main file. */
export function furnish(versions: Versions) {
  return async (app: INestApplication, adapter: AdapterName): Promise<void> => {
    app.setGlobalPrefix('api');
    app.enableVersioning(
      versions === 'in the path'
        ? { type: VersioningType.URI, defaultVersion: '1' }
        : { type: VersioningType.HEADER, header: 'x-version', defaultVersion: '1' },
    );
    app.enableCors({ origin: 'https://web.example' });
    if (adapter === 'fastify') {
      const fastify = app.getHttpAdapter().getInstance();
      await fastify.register(fastifyHelmet);
      await fastify.register(fastifyCompress, { threshold: 1024 });
    } else {
      app.use(helmet());
      app.use(compression());
    }
    app.use((request: { headers: Record<string, string> }, _response: unknown, next: () => void) => {
      requestScope.run({ requestId: request.headers['x-request-id'] ?? 'none' }, next);
    });
  };
}
