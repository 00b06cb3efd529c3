import { Agent, request, type ClientRequest, type IncomingMessage } from 'node:http';
import { once } from 'node:events';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { INestApplication } from '@nestjs/common';
import { createProbe } from '../probe-agent/probe.app.js';
import { probeOptions } from '../probe-agent/probe.options.js';

const MESSAGE = JSON.stringify({ message: { messageId: 'm1', role: 'ROLE_USER', parts: [{ text: 'echo hi' }] } });
const JSON_TYPE = { 'content-type': 'application/json' };

describe.each(['express', 'fastify'])('A connection on which a call was refused, on %s', (adapter) => {
  let app: INestApplication;
  let agent: Agent;
  let upgrades: number;

  beforeEach(async () => {
    app = await createProbe(probeOptions(['--adapter', adapter]));
    await app.listen(0, '127.0.0.1');
    upgrades = 0;
    app.getHttpServer().on('upgrade', () => upgrades++);
    agent = new Agent({ keepAlive: true, maxSockets: 1 });
  });

  afterEach(() => agent.destroy());

  async function call(method: string, path: string, body: string): Promise<{ status?: number; sent: ClientRequest }> {
    const { port } = app.getHttpServer().address();
    const sent = request({ agent, port, host: '127.0.0.1', method, path, headers: JSON_TYPE }).end(body);
    const [answer]: IncomingMessage[] = await once(sent, 'response');
    answer?.resume();
    if (answer) await once(answer, 'end');
    return { status: answer?.statusCode, sent };
  }

  it.each([
    ['GET', '/a2a/json/message:send', '', 405],
    ['PUT', '/a2a/jsonrpc', MESSAGE, 405],
    ['POST', '/.well-known/agent-card.json', '{}', 405],
    ['POST', '/a2a/json/message:unknown', MESSAGE, 404],
  ])('serves the next call after %s %s', async (method, path, body, status) => {
    expect((await call(method, path, body)).status).toBe(status);
    const next = await call('POST', '/a2a/json/message:send', MESSAGE);
    expect(next.status).toBe(200);
    expect(next.sent.reusedSocket).toBe(true);
    expect(upgrades).toBe(0);
    await app.close();
  });

  it('lets the app close after a body that was too large', async () => {
    expect((await call('POST', '/a2a/json/message:send', 'x'.repeat(2 * 1024 * 1024))).status).toBe(413);
    expect(upgrades).toBe(0);
    await app.close();
  });
});
