// A server of the benchmark: a process of its own, so that the load does not eat its time.
// argv: kind (ours | bare | sdk | canned), adapter (express | fastify | none). Its parent sends the options and is told the port.
import 'reflect-metadata';
import { once } from 'node:events';
import { setImmediate as nextTick } from 'node:timers/promises';

const [kind, adapterName] = process.argv.slice(2);
const [{ countSerialising = false, ...options }] = await once(process, 'message');

/** `burst N`: N chunks, one a tick. `hold`: asks for input. Anything else is echoed. */
function wishOf(text) {
  const [word, count] = text.split(' ');
  return { word, count: Number(count) };
}

async function makeAdapter() {
  if (adapterName === 'fastify') return new (await import('@nestjs/platform-fastify')).FastifyAdapter();
  return new (await import('@nestjs/platform-express')).ExpressAdapter();
}

async function serveOurs() {
  const { NestFactory } = await import('@nestjs/core');
  const { A2AModule, A2ADiagnostics } = await import('nestjs-a2a');
  const agent = {
    async execute({ text }, emitter) {
      const { word, count } = wishOf(text);
      if (word === 'hold') return emitter.requireInput('go on?');
      await emitter.working();
      if (word === 'burst') {
        for (let n = 1; n <= count; n++) {
          await emitter.text(`chunk ${n} `);
          await nextTick();
        }
      } else {
        await emitter.addArtifact(text);
      }
      await emitter.complete();
    },
  };
  const module = A2AModule.forRoot({
    agentCard: { name: 'bench', skills: [{ name: 'bench', description: 'is measured', tags: ['bench'] }] },
    executor: { useValue: agent },
    maxSubscribersPerTask: 100_000,
    ...options,
  });
  const app = await NestFactory.create(module, await makeAdapter(), { logger: ['error'] });
  await app.listen(0, '127.0.0.1');
  const gauges = () => app.get(A2ADiagnostics).gauges();
  return { port: app.getHttpServer().address().port, gauges };
}

/** A Nest route with the platform's default parser that answers with an object of the same bytes. */
async function serveBare() {
  const { NestFactory } = await import('@nestjs/core');
  const { Body, Controller, HttpCode, Module, Post, Res } = await import('@nestjs/common');
  const answer = JSON.parse(options.answer ?? '{}');
  const frames = options.frames ?? [];
  class BareController {
    send() {
      return answer;
    }
    async stream(_body, response) {
      const raw = response.raw ?? response;
      if (response.raw) response.hijack();
      raw.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache, no-transform' });
      for (const frame of frames) {
        raw.write(frame);
        await nextTick();
      }
      if (!options.open) raw.end();
    }
  }
  const decorate = (name, ...decorators) => {
    const descriptor = Object.getOwnPropertyDescriptor(BareController.prototype, name);
    for (const decorator of decorators) decorator(BareController.prototype, name, descriptor);
  };
  decorate('send', Post('send'), HttpCode(200));
  Body()(BareController.prototype, 'send', 0);
  decorate('stream', Post('stream'));
  Body()(BareController.prototype, 'stream', 0);
  Res()(BareController.prototype, 'stream', 1);
  Controller()(BareController);
  class BareModule {}
  Module({ controllers: [BareController] })(BareModule);
  const app = await NestFactory.create(BareModule, await makeAdapter(), { logger: ['error'] });
  await app.listen(0, '127.0.0.1');
  return { port: app.getHttpServer().address().port };
}

/** The official JavaScript SDK on Express with the same agent. */
async function serveSdk() {
  const { Role, TaskState } = await import('@a2a-js/sdk');
  const { AgentEvent, DefaultRequestHandler, InMemoryTaskStore } = await import('@a2a-js/sdk/server');
  const { jsonRpcHandler, UserBuilder } = await import('@a2a-js/sdk/server/express');
  const { default: express } = await import('express');
  const part = (value) => ({ content: { $case: 'text', value }, metadata: undefined, filename: '', mediaType: '' });
  const status = (state) => ({ state, message: undefined, timestamp: new Date().toISOString() });
  const artifact = (text) => ({
    artifactId: 'a1',
    name: '',
    description: '',
    parts: [part(text)],
    metadata: undefined,
    extensions: [],
  });
  const agent = {
    async execute({ userMessage, taskId, contextId }, bus) {
      const text = userMessage.parts[0].content.value;
      const { word, count } = wishOf(text);
      const update = (state) =>
        bus.publish(AgentEvent.statusUpdate({ taskId, contextId, status: status(state), metadata: undefined }));
      const chunk = (value, append) =>
        bus.publish(
          AgentEvent.artifactUpdate({
            taskId,
            contextId,
            artifact: artifact(value),
            append,
            lastChunk: false,
            metadata: undefined,
          }),
        );
      bus.publish(
        AgentEvent.task({
          id: taskId,
          contextId,
          status: status(TaskState.TASK_STATE_SUBMITTED),
          artifacts: [],
          history: [userMessage],
          metadata: undefined,
        }),
      );
      update(TaskState.TASK_STATE_WORKING);
      if (word === 'burst') {
        for (let n = 1; n <= count; n++) {
          chunk(`chunk ${n} `, n > 1);
          await nextTick();
        }
      } else {
        chunk(text, false);
      }
      update(TaskState.TASK_STATE_COMPLETED);
      bus.finished();
    },
    async cancelTask() {},
  };
  void Role;
  const card = {
    name: 'bench',
    description: 'is measured',
    version: '1.0.0',
    supportedInterfaces: [
      { url: 'http://127.0.0.1/rpc', protocolBinding: 'JSONRPC', tenant: '', protocolVersion: '1.0' },
    ],
    capabilities: { streaming: true, pushNotifications: false, extensions: [], extendedAgentCard: false },
    defaultInputModes: ['text/plain'],
    defaultOutputModes: ['text/plain'],
    skills: [],
    securitySchemes: {},
    securityRequirements: [],
    signatures: [],
  };
  const handler = new DefaultRequestHandler(card, new InMemoryTaskStore(), agent);
  const app = express();
  app.use('/a2a/jsonrpc', jsonRpcHandler({ requestHandler: handler, userBuilder: UserBuilder.noAuthentication }));
  const server = await new Promise((resolve) => {
    const listening = app.listen(0, '127.0.0.1', () => resolve(listening));
  });
  return { port: server.address().port };
}

/** Streams that cost next to nothing to make; `together` events in each write. */
async function serveCanned() {
  const { createServer } = await import('node:http');
  const { together = 1 } = options;
  const ids = { taskId: 't', contextId: 'c' };
  const status = (state) => ({ statusUpdate: { ...ids, status: { state } } });
  const chunk = (n) => ({
    artifactUpdate: { ...ids, artifact: { artifactId: 'a1', parts: [{ text: `chunk ${n} ` }] }, append: n > 1 },
  });
  const server = createServer(async (request, response) => {
    const pieces = [];
    for await (const piece of request) pieces.push(piece);
    const { id, params } = JSON.parse(Buffer.concat(pieces).toString());
    const { count } = wishOf(params.message.parts[0].text);
    const frame = (n, result) => `id: ${n}\ndata: ${JSON.stringify({ jsonrpc: '2.0', id, result })}\n\n`;
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    const task = { id: 't', contextId: 'c', status: { state: 'TASK_STATE_SUBMITTED' } };
    response.write(frame(1, { task }));
    for (let n = 1; n <= count; n += together) {
      const size = Math.min(together, count - n + 1);
      response.write(Array.from({ length: size }, (_, more) => frame(n + more + 1, chunk(n + more))).join(''));
      await nextTick();
    }
    response.end(frame(count + 2, status('TASK_STATE_COMPLETED')));
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { port: server.address().port };
}

const counts = { serialised: 0 };
if (countSerialising) {
  const { stringify } = JSON;
  JSON.stringify = (value, ...rest) => {
    if (value !== null && typeof value === 'object' && 'artifactUpdate' in value) counts.serialised++;
    return stringify(value, ...rest);
  };
}

const { port, gauges } = await { ours: serveOurs, bare: serveBare, sdk: serveSdk, canned: serveCanned }[kind]();

process.on('message', (question) => {
  if (question === 'memory') {
    globalThis.gc();
    globalThis.gc();
    const { heapUsed, external, rss } = process.memoryUsage();
    process.send({ memory: { heapUsed, external, rss } });
  }
  if (question === 'counts') process.send({ counts });
  if (question === 'gauges') process.send({ gauges: gauges?.() });
  if (question === 'cpu') process.send({ cpu: process.cpuUsage() });
});
process.send({ port });
