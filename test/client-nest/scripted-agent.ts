import type { ClientHttpRequest } from 'nestjs-a2a/client';
import { ScriptedClientHttp, type ScriptedAnswer } from '../support/scripted-client-http.js';

/** Agents at any address, which answer with what they heard, where and by whom; all of it without a network. */
export function scriptedAgents(before: (request: ClientHttpRequest) => ScriptedAnswer | undefined = () => undefined) {
  return new ScriptedClientHttp(
    (request) => before(request) ?? (request.method === 'GET' ? card(request) : echo(request)),
  );
}

function card({ url }: ClientHttpRequest): ScriptedAnswer {
  const { origin, host } = new URL(url);
  const body = {
    name: host,
    description: 'Says what it hears',
    version: '1',
    supportedInterfaces: [{ url: `${origin}/rpc`, protocolBinding: 'JSONRPC', protocolVersion: '1.0' }],
    capabilities: {},
    defaultInputModes: ['text/plain'],
    defaultOutputModes: ['text/plain'],
    skills: [],
  };
  return { headers: { 'content-type': 'application/json' }, body };
}

function echo({ url, body = '', headers }: ClientHttpRequest): ScriptedAnswer {
  const { id, params } = JSON.parse(body);
  const text = `${params.message.parts[0].text} at ${new URL(url).host} by ${headers['x-api-key'] ?? 'nobody'}`;
  const message = { messageId: 'a1', role: 'ROLE_AGENT', parts: [{ text }] };
  return { headers: { 'content-type': 'application/json' }, body: { jsonrpc: '2.0', id, result: { message } } };
}
