// Compares this package with the official JavaScript SDK, side by side in one run: npm run build, then
// node bench/compare-sdk.mjs [--rounds 5] [--seconds 5]
//
// The servers are processes of their own, one each; this process makes the load. All of them run the same agent.
import { fork } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { request } from 'node:http';
import { cpus } from 'node:os';
import { setImmediate as nextTick } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const TARGETS = {
  sdk: { title: 'official SDK, Express', serve: serveSdk },
  express: { title: 'nestjs-a2a, Express', serve: serveOurs },
  fastify: { title: 'nestjs-a2a, Fastify', serve: serveOurs },
};
const CONNECTIONS = 64;
const STREAM_ROUNDS = 3;
const SHORT = 1_000;
const LONG = 4_000;

/** What a message asks for: `burst 200` gives 200 chunks, one a tick of the event loop; anything else is echoed. */
function wishOf(text) {
  const [word, count] = text.split(' ');
  return word === 'burst' ? Number(count) : undefined;
}

async function serveOurs(name) {
  const { serveAgent } = await import('nestjs-a2a');
  const { FastifyAdapter } = await import('@nestjs/platform-fastify');
  const agent = {
    async execute({ text }, emitter) {
      const chunks = wishOf(text);
      await emitter.working();
      if (chunks === undefined) await emitter.addArtifact(text);
      for (let n = 1; n <= (chunks ?? 0); n++) {
        await emitter.text(`chunk ${n} `);
        await nextTick();
      }
      await emitter.complete();
    },
  };
  const adapter = name === 'fastify' ? new FastifyAdapter() : undefined;
  const { port } = await serveAgent(agent, { host: '127.0.0.1', adapter, logger: false });
  return port;
}

async function serveSdk() {
  const { Role, TaskState } = await import('@a2a-js/sdk');
  const { AgentEvent, DefaultRequestHandler, InMemoryTaskStore } = await import('@a2a-js/sdk/server');
  const { jsonRpcHandler, UserBuilder } = await import('@a2a-js/sdk/server/express');
  const { default: express } = await import('express');
  const part = (value) => ({ content: { $case: 'text', value }, metadata: undefined, filename: '', mediaType: '' });
  const status = (state) => ({ state, message: undefined, timestamp: new Date().toISOString() });
  const agent = {
    async execute({ userMessage, taskId, contextId }, bus) {
      const text = userMessage.parts[0].content.value;
      const chunks = wishOf(text);
      const change = (state) =>
        bus.publish(AgentEvent.statusUpdate({ taskId, contextId, status: status(state), metadata: undefined }));
      const artifactId = randomUUID();
      const add = (value, append) => {
        const artifact = {
          artifactId,
          name: '',
          description: '',
          parts: [part(value)],
          metadata: undefined,
          extensions: [],
        };
        bus.publish(
          AgentEvent.artifactUpdate({ taskId, contextId, artifact, append, lastChunk: false, metadata: undefined }),
        );
      };
      bus.publish(
        AgentEvent.task({
          id: taskId,
          contextId,
          status: status(TaskState.TASK_STATE_SUBMITTED),
          history: [userMessage],
          artifacts: [],
          metadata: undefined,
        }),
      );
      change(TaskState.TASK_STATE_WORKING);
      if (chunks === undefined) add(text, false);
      for (let n = 1; n <= (chunks ?? 0); n++) {
        add(`chunk ${n} `, n > 1);
        await nextTick();
      }
      change(TaskState.TASK_STATE_COMPLETED);
    },
    async cancelTask() {},
  };
  const card = {
    name: 'agent',
    description: '',
    supportedInterfaces: [
      { url: 'http://127.0.0.1/a2a/jsonrpc', protocolBinding: 'JSONRPC', tenant: '', protocolVersion: '1.0' },
    ],
    provider: undefined,
    version: '1.0.0',
    capabilities: { streaming: true, pushNotifications: false, extendedAgentCard: false, extensions: [] },
    securitySchemes: {},
    securityRequirements: [],
    defaultInputModes: ['text/plain'],
    defaultOutputModes: ['text/plain'],
    skills: [],
    signatures: [],
  };
  if (Role.ROLE_USER !== 1) throw new Error('The SDK has another object model than this script');
  const requestHandler = new DefaultRequestHandler(card, new InMemoryTaskStore(), agent);
  const app = express().use(
    '/a2a/jsonrpc',
    jsonRpcHandler({ requestHandler, userBuilder: UserBuilder.noAuthentication }),
  );
  const server = app.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return server.address().port;
}

const HEADERS = { 'content-type': 'application/json', 'a2a-version': '1.0' };

function bodyOf(method, text) {
  const message = { messageId: randomUUID(), role: 'ROLE_USER', parts: [{ text }] };
  return JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: { message } });
}

/** One call, read to its end. */
async function call(port, body) {
  const outgoing = request({ port, host: '127.0.0.1', path: '/a2a/jsonrpc', method: 'POST', headers: HEADERS });
  outgoing.end(body);
  const [incoming] = await once(outgoing, 'response');
  incoming.setEncoding('utf8');
  let text = '';
  for await (const chunk of incoming) text += chunk;
  return text;
}

/** Seconds that one stream takes, and its frames counted: Task, WORKING, the chunks, COMPLETED. */
async function streamSeconds(port, chunks) {
  const started = performance.now();
  const text = await call(port, bodyOf('SendStreamingMessage', `burst ${chunks}`));
  const seconds = (performance.now() - started) / 1000;
  const frames = text.split('\n').filter((line) => line.startsWith('data:')).length;
  if (frames !== chunks + 3) throw new Error(`${frames} frames came instead of ${chunks + 3}`);
  return seconds;
}

/** Microseconds of processor time that a server has used so far; says more than a rate on a machine with other work. */
async function cpuOf(child) {
  child.send('cpu');
  const [{ user, system }] = await once(child, 'message');
  return user + system;
}

async function sends(child, port, seconds) {
  const { default: autocannon } = await import('autocannon');
  const before = await cpuOf(child);
  const result = await autocannon({
    url: `http://127.0.0.1:${port}/a2a/jsonrpc`,
    method: 'POST',
    headers: HEADERS,
    body: bodyOf('SendMessage', 'hello'),
    connections: CONNECTIONS,
    duration: seconds,
  });
  if (result.non2xx > 0 || result.errors > 0) throw new Error(`${result.non2xx + result.errors} sends failed`);
  return { rate: result.requests.average, cpu: ((await cpuOf(child)) - before) / result.requests.total };
}

function figure(values, digits) {
  const sorted = [...values].sort((a, b) => a - b);
  const shown = (value) => value.toFixed(digits);
  const median = sorted[Math.floor(sorted.length / 2)];
  return { median, text: `${shown(median)} (${shown(sorted[0])} to ${shown(sorted.at(-1))})` };
}

async function measure({ rounds, seconds }) {
  const children = {};
  const ports = {};
  try {
    for (const name of Object.keys(TARGETS)) {
      const child = fork(fileURLToPath(import.meta.url), ['--serve', name]);
      children[name] = child;
      [ports[name]] = await once(child, 'message');
      const answer = await call(ports[name], bodyOf('SendMessage', 'hello'));
      if (!answer.includes('TASK_STATE_COMPLETED')) throw new Error(`${name} answers ${answer}`);
      await sends(child, ports[name], 2);
      await streamSeconds(ports[name], 200);
    }
    const results = Object.fromEntries(
      Object.keys(TARGETS).map((name) => [name, { rate: [], cpu: [], short: [], long: [] }]),
    );
    // In turns, so that what else the machine does falls on all of them alike.
    for (let round = 0; round < rounds; round++) {
      for (const name in results) {
        const { rate, cpu } = await sends(children[name], ports[name], seconds);
        results[name].rate.push(rate);
        results[name].cpu.push(cpu);
      }
    }
    for (let round = 0; round < STREAM_ROUNDS; round++) {
      for (const name in results) results[name].short.push(await streamSeconds(ports[name], SHORT));
      for (const name in results) results[name].long.push(await streamSeconds(ports[name], LONG));
    }
    return results;
  } finally {
    for (const child of Object.values(children)) child.kill();
  }
}

function print(results) {
  const lines = [
    `Node ${process.version}, ${cpus().length} cores. Median (lowest to highest).`,
    '',
    `| | blocking sends a second | CPU a send, µs | stream of ${SHORT} chunks, s | of ${LONG} chunks, s | ${LONG} over ${SHORT} |`,
    '|---|---|---|---|---|---|',
  ];
  for (const [name, { rate, cpu, short, long }] of Object.entries(results)) {
    const [shortFigure, longFigure] = [figure(short, 3), figure(long, 3)];
    const growth = (longFigure.median / shortFigure.median).toFixed(1);
    const cells = [figure(rate, 0).text, figure(cpu, 0).text, shortFigure.text, longFigure.text, `${growth} x`];
    lines.push(`| ${TARGETS[name].title} | ${cells.join(' | ')} |`);
  }
  process.stdout.write(`${lines.join('\n')}\n`);
}

const { values } = parseArgs({
  options: {
    serve: { type: 'string' },
    rounds: { type: 'string', default: '5' },
    seconds: { type: 'string', default: '5' },
  },
});
if (values.serve === undefined) {
  print(await measure({ rounds: Number(values.rounds), seconds: Number(values.seconds) }));
} else {
  const port = await TARGETS[values.serve].serve(values.serve);
  process.on('disconnect', () => process.exit());
  process.on('message', () => process.send(process.cpuUsage()));
  process.send(port);
}
