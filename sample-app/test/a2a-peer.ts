import type { INestApplication } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { ExpressAdapter } from '@nestjs/platform-express';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import { AppModule } from '../src/app.module.js';
import { sseData } from './sse-data.js';

/** The platforms that the agent is tried on. */
export type Platform = 'express' | 'fastify';

const PLATFORMS: Readonly<Record<Platform, () => Promise<INestApplication>>> = {
  express: () => NestFactory.create(AppModule, new ExpressAdapter(), { logger: false }),
  fastify: () => NestFactory.create<NestFastifyApplication>(AppModule, new FastifyAdapter(), { logger: false }),
};

/** Somebody who talks to the running agent over real HTTP, by JSON-RPC unless said otherwise. */
export class A2APeer {
  private requests = 0;

  private constructor(
    readonly app: INestApplication,
    readonly base: string,
  ) {}

  static async start(platform: Platform): Promise<A2APeer> {
    const app = await PLATFORMS[platform]();
    await app.listen(0, '127.0.0.1');
    return new A2APeer(app, (await app.getUrl()).replace('[::1]', '127.0.0.1'));
  }

  stop(): Promise<void> {
    return this.app.close();
  }

  async get(path: string): Promise<unknown> {
    const response = await fetch(`${this.base}${path}`, { headers: { 'A2A-Version': '1.0' } });
    return response.json();
  }

  async post(path: string, body: unknown): Promise<unknown> {
    return (await this.send(path, body)).json();
  }

  /** One call; answers the whole JSON-RPC response. */
  async call(method: string, params: unknown): Promise<unknown> {
    return this.post('/a2a/jsonrpc', this.envelope(method, params));
  }

  /** One streaming call; yields the JSON-RPC response of each event. */
  async *stream(method: string, params: unknown): AsyncGenerator<unknown> {
    const response = await this.send('/a2a/jsonrpc', this.envelope(method, params));
    if (!response.body) throw new Error('The response has no body');
    for await (const data of sseData(response.body)) yield JSON.parse(data);
  }

  private envelope(method: string, params: unknown) {
    this.requests += 1;
    return { jsonrpc: '2.0', id: this.requests, method, params };
  }

  private send(path: string, body: unknown): Promise<Response> {
    return fetch(`${this.base}${path}`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', 'A2A-Version': '1.0' },
      body: JSON.stringify(body),
    });
  }
}
