import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { A2AClient, A2ATaskFailedError, userMessage } from 'nestjs-a2a/client';
import { isRecord, UnauthenticatedError, UnsupportedOperationError } from 'nestjs-a2a/protocol';
import { startServer, type ScriptedServer } from '../net/scripted-server.js';

const KEY = 'older-secret';

/** The text of a call as the oldest agents read it. */
function textOf(body: string): string {
  const { params }: { params: { message: { parts: { text: string }[] } } } = JSON.parse(body);
  return params.message.parts[0]?.text ?? '';
}

describe('An agent from before there was a standard', () => {
  let server: ScriptedServer;
  let url: string;
  beforeAll(async () => {
    server = await startServer((request, response) => {
      const send = (body: unknown, status = 200): unknown =>
        response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
      if (request.url === '/.well-known/agent.json') {
        return send({
          name: 'Older',
          description: 'answers',
          version: '1',
          url,
          capabilities: ['chat'],
          skills: [{ name: 'Chat', description: 'chats' }],
          authentication: { type: 'api-key', header: 'X-Older-Key' },
        });
      }
      if (request.url !== '/tasks/send') return response.writeHead(404).end();
      const body = server.seen.at(-1)?.body ?? '';
      const call: unknown = JSON.parse(body);
      const id = isRecord(call) ? call['id'] : null;
      if (request.headers['x-older-key'] !== KEY) {
        return send({ jsonrpc: '2.0', error: { code: 'AUTHENTICATION_FAILED', message: 'no key' } }, 401);
      }
      const text = textOf(body);
      const status = text === 'fail' ? { state: 'failed', message: 'error: no' } : { state: 'completed' };
      return send({
        jsonrpc: '2.0',
        id,
        result: { id: 'task-1', status, artifacts: [{ parts: [{ type: 'text', text: `got ${text}` }] }] },
      });
    });
    url = `http://127.0.0.1:${server.port}`;
  });
  afterAll(() => server.close());

  it('takes texts', async () => {
    const client = await A2AClient.discover(url, { network: 'any', credentials: KEY });
    expect(await client.sendTask('hello')).toBe('got hello');
    expect(await client.chat().say('again')).toBe('got again');
    await expect(client.sendTask('fail')).rejects.toBeInstanceOf(A2ATaskFailedError);
    const stream = client.sendMessageStream({ message: userMessage('streamed') });
    await stream.result();
    expect(stream.view.text).toBe('got streamed');
    await expect(client.getTask('task-1')).rejects.toBeInstanceOf(UnsupportedOperationError);
    await client.close();
  });

  it('says who may not', async () => {
    const client = await A2AClient.discover(url, { network: 'any', credentials: 'wrong' });
    await expect(client.sendTask('hello')).rejects.toBeInstanceOf(UnauthenticatedError);
    await client.close();
  });
});
