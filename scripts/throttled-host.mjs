// Serves the built package behind @nestjs/throttler on both adapters, and looks at what callers over the limit get:
//   npm run build && node scripts/throttled-host.mjs
// In plain Node, since the tests cannot load that package on every version: it requires what is an ES module.
import 'reflect-metadata';
import assert from 'node:assert/strict';
import { Module } from '@nestjs/common';
import { APP_GUARD, NestFactory } from '@nestjs/core';
import { ExpressAdapter } from '@nestjs/platform-express';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { ThrottlerGuard, ThrottlerModule } from '@nestjs/throttler';
import { A2AModule, AgentExecutor } from 'nestjs-a2a';

const LIMIT = 3;

class EchoExecutor extends AgentExecutor {
  async execute({ text }, emitter) {
    await emitter.complete(text);
  }
}

class AppModule {}
Module({
  imports: [
    ThrottlerModule.forRoot([{ ttl: 60_000, limit: LIMIT }]),
    A2AModule.forRoot({ agentCard: { name: 'Throttled', description: 'Behind a limit' }, executor: EchoExecutor }),
  ],
  providers: [{ provide: APP_GUARD, useClass: ThrottlerGuard }],
})(AppModule);

const message = { messageId: 'm', role: 'ROLE_USER', parts: [{ text: 'hi' }] };
const CALLS = [
  { path: '/a2a/jsonrpc', body: { jsonrpc: '2.0', id: 1, method: 'SendMessage', params: { message } } },
  { path: '/a2a/jsonrpc', body: { jsonrpc: '2.0', id: 1, method: 'SendStreamingMessage', params: { message } } },
  { path: '/a2a/json/message:send', body: { message } },
  { path: '/a2a/json/message:stream', body: { message } },
];

/** Each route counts on its own, so each way to call is tried on an app of its own. */
async function check(adapter, { path, body }) {
  const app = await NestFactory.create(AppModule, adapter, { logger: false });
  await app.listen(0, '127.0.0.1');
  try {
    const headers = { 'content-type': 'application/json' };
    const answers = [];
    for (let n = 0; n <= LIMIT; n++) {
      const answer = await fetch((await app.getUrl()) + path, { method: 'POST', headers, body: JSON.stringify(body) });
      answers.push({ status: answer.status, headers: answer.headers, text: await answer.text() });
    }
    const refused = answers.pop();
    for (const { status, headers: given, text } of answers) {
      assert.equal(status, 200, text);
      assert.equal(given.get('x-ratelimit-limit'), String(LIMIT));
      assert.match(text, /TASK_STATE_COMPLETED/);
    }
    assert.equal(refused.status, 429);
    assert.match(refused.headers.get('retry-after') ?? '', /^\d+$/);
    const { error } = JSON.parse(refused.text);
    assert.equal((error.data ?? error.details)[0].reason, 'RESOURCE_EXHAUSTED');
    assert.equal(error.code, path.endsWith('jsonrpc') ? -32_092 : 429);
  } finally {
    await app.close();
  }
}

for (const call of CALLS) {
  await check(new ExpressAdapter(), call);
  await check(new FastifyAdapter(), call);
}
console.log(`ok: ${CALLS.length} ways to call, on Express and Fastify`);
