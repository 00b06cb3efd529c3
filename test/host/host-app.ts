import {
  All,
  Controller,
  Get,
  HttpCode,
  Injectable,
  Module,
  Param,
  Post,
  Req,
  Res,
  UnauthorizedException,
} from '@nestjs/common';
import { Body, UseGuards } from '@nestjs/common';
import type {
  CallHandler,
  CanActivate,
  DynamicModule,
  ExecutionContext,
  INestApplication,
  NestInterceptor,
} from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { ExpressAdapter } from '@nestjs/platform-express';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { Subject, finalize, map } from 'rxjs';
import type { Observable } from 'rxjs';
import { A2ARouteHandler, A2ARouteSettings } from '../../src/http/host/a2a-route.js';
import type { A2ARoute, HttpAnswer, RouteMatch, RouteRequest } from '../../src/http/host/a2a-route.js';
import { installHttpIntake } from '../../src/http/host/http-intake-installer.js';
import { intakeOf } from '../../src/http/host/http-intake.js';
import { sendAnswer } from '../../src/http/host/http-reply.js';
import { OpenStreams, writeEventStream } from '../../src/http/host/sse-writer.js';
import type { SseOptions, StreamFrame } from '../../src/http/host/sse-writer.js';

export const ADAPTERS = ['express', 'fastify'] as const;
export type AdapterName = (typeof ADAPTERS)[number];

/** Resolves by the end of the path, as an agent's routes do. */
export class TestRoute implements A2ARoute {
  readonly settings = new A2ARouteSettings(1_000);

  resolve({ method, path }: RouteRequest): RouteMatch {
    if (path.endsWith('/tasks/none')) return { kind: 'not-found' };
    if (/\/(card|tasks|tasks\/[^/]+)$/.test(path)) {
      return ['GET', 'HEAD', 'DELETE'].includes(method)
        ? { kind: 'match', target: `task ${path.split('/').at(-1)}` }
        : not('GET', 'HEAD', 'DELETE');
    }
    return method === 'POST' ? { kind: 'match', target: 'call' } : not('POST');
  }

  refuse(match: Exclude<RouteMatch, { kind: 'match' }>): HttpAnswer {
    const status = match.kind === 'not-found' ? 404 : 405;
    return { status, headers: { 'content-type': 'application/json' }, body: JSON.stringify({ refused: status }) };
  }
}

function not(...allow: string[]): RouteMatch {
  return { kind: 'method-not-allowed', allow };
}

/** Answers with what the intake says. */
export function echo(request: object, response: object): void {
  const intake = intakeOf(request);
  const body = intake?.body;
  const status = body?.kind === 'too-large' ? 413 : 200;
  const shown = { ...intake, method: 'method' in request ? request.method : undefined };
  sendAnswer(response, { status, headers: { 'content-type': 'application/a2a+json' }, body: JSON.stringify(shown) });
}

/** Remembers the headers that guards saw and refuses who asks for it. */
@Injectable()
export class WatchingGuard implements CanActivate {
  static seen: Record<string, unknown> = {};

  canActivate(context: ExecutionContext): boolean {
    const request: { headers: Record<string, unknown> } = context.switchToHttp().getRequest();
    WatchingGuard.seen = { ...request.headers };
    if (request.headers['x-deny'] !== undefined) throw new UnauthorizedException();
    return true;
  }
}

/** Wraps whatever handlers return, as many hosts do. */
export class EnvelopeInterceptor implements NestInterceptor {
  intercept(_context: ExecutionContext, next: CallHandler): Observable<unknown> {
    return next.handle().pipe(map((data: unknown) => ({ data })));
  }
}

export class StreamSource {
  readonly streams = new OpenStreams();
  readonly frames: Subject<StreamFrame>[] = [];
  /** Tells that a stream was unsubscribed and forgotten. */
  readonly left = new Subject<void>();

  options(): SseOptions {
    const frames = new Subject<StreamFrame>();
    this.frames.push(frames);
    return {
      frames: frames.pipe(finalize(() => setImmediate(() => this.left.next()))),
      framing: { prefix: '{"result":', suffix: '}', error: (error) => JSON.stringify({ error: String(error) }) },
      headers: () => ({ 'x-activated': 'yes' }),
      heartbeatMs: 0,
      maxBufferBytes: 1_000_000,
      streams: this.streams,
      overflow: () => new Error('too slow'),
    };
  }

  emit(json: string, last = false): void {
    for (const frames of this.frames) frames.next({ sequence: 1, json, last });
  }
}

/** A module with one route object, as an agent's module is generated. */
export function agentModule(
  base: string,
  route: A2ARoute,
  source = new StreamSource(),
  version?: string,
): DynamicModule {
  @Controller({ path: base, version })
  @UseGuards(WatchingGuard)
  class AgentController {
    @All('rpc')
    @A2ARouteHandler(route)
    rpc(@Req() request: object, @Res() response: object): void {
      echo(request, response);
    }

    @All('message:verb')
    @A2ARouteHandler(route)
    verb(@Req() request: object, @Res() response: object): void {
      echo(request, response);
    }

    @All('stream')
    @A2ARouteHandler(route)
    stream(@Res() response: object): Promise<void> {
      const written = writeEventStream(response, source.options());
      arrived.next(source.frames.length);
      return written;
    }

    @All('tasks')
    @A2ARouteHandler(route)
    tasks(@Req() request: object, @Res() response: object): void {
      echo(request, response);
    }

    @All('tasks/:taskRef')
    @A2ARouteHandler(route)
    task(@Req() request: object, @Res() response: object): void {
      echo(request, response);
    }
  }

  @Module({})
  class AgentModule {
    constructor(host: HttpAdapterHost) {
      installHttpIntake(host);
    }

    private stopping?: Promise<void>;

    onModuleDestroy(): Promise<void> {
      return (this.stopping ??= source.streams.endAll(60_000));
    }
  }
  Reflect.defineMetadata('design:paramtypes', [HttpAdapterHost], AgentModule);
  return { module: AgentModule, controllers: [AgentController], providers: [WatchingGuard] };
}

/** Tells the number of streams that were asked for. */
export const arrived = new Subject<number>();

@Controller()
export class HostController {
  @Post('host/echo')
  @HttpCode(200)
  echo(@Body() body: unknown): unknown {
    return { got: body ?? null };
  }

  @Post('host/:id')
  @HttpCode(200)
  item(@Param('id') id: string, @Body() body: unknown): unknown {
    return { id, got: body ?? null };
  }

  @Get('host/page')
  page(): unknown {
    return { page: 1 };
  }

  @Post('agent/:any/late')
  @HttpCode(200)
  late(@Body() body: unknown): unknown {
    return { late: body ?? null };
  }
}

/** A fresh adapter; Nest accepts any, so a spec can run the same app on both. */
export function adapterOf(name: AdapterName): ExpressAdapter | FastifyAdapter {
  return name === 'express' ? new ExpressAdapter() : new FastifyAdapter();
}

export async function listen(app: INestApplication): Promise<{ url: string; port: number }> {
  await app.listen(0, '127.0.0.1');
  const address: unknown = app.getHttpServer().address();
  const port = typeof address === 'object' && address !== null && 'port' in address ? Number(address.port) : 0;
  return { url: `http://127.0.0.1:${port}`, port };
}

interface Patchable {
  readonly headersSent: boolean;
  write(chunk?: unknown, ...more: unknown[]): boolean;
  end(chunk?: unknown, ...more: unknown[]): unknown;
  getHeader(name: string): unknown;
  removeHeader(name: string): void;
  flush?(): void;
}

/** Works as compressing middleware does: replaces write() and end(), holds back until flush(), heeds no-transform. */
export function shouting(_request: object, response: Patchable, next: () => void): void {
  const write = response.write.bind(response);
  const end = response.end.bind(response);
  let held = '';
  let plain: boolean | undefined;
  const take = (chunk: unknown): void => {
    plain ??= String(response.getHeader('cache-control')).includes('no-transform');
    if (!plain && !response.headersSent) response.removeHeader('content-length');
    if (typeof chunk !== 'string' && !Buffer.isBuffer(chunk)) return;
    held += plain ? chunk.toString() : chunk.toString().toUpperCase();
  };
  response.flush = (): void => {
    if (held !== '') write(held);
    held = '';
  };
  response.write = (chunk): boolean => {
    take(chunk);
    return true;
  };
  response.end = (chunk): unknown => {
    take(chunk);
    const rest = held;
    held = '';
    return end(rest);
  };
  next();
}
