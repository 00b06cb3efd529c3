import { createServer } from 'node:http';
import { AgentCard as SdkCard } from '@a2a-js/sdk';
import { DefaultRequestHandler, InMemoryTaskStore, type AgentExecutor } from '@a2a-js/sdk/server';
import { jsonRpcHandler, UserBuilder } from '@a2a-js/sdk/server/express';
import type { AgentCard as OldCard } from 'a2a-js-sdk-0.3';
import {
  DefaultRequestHandler as OldRequestHandler,
  InMemoryTaskStore as OldTaskStore,
  type AgentExecutor as OldExecutor,
} from 'a2a-js-sdk-0.3/server';
import { jsonRpcHandler as oldJsonRpcHandler, UserBuilder as OldUserBuilder } from 'a2a-js-sdk-0.3/server/express';
import express, { type RequestHandler } from 'express';
import { fromV03StreamEvent, type StreamResponse } from 'nestjs-a2a/protocol';
import { closeServer, portOf } from '../net/canary.js';
import { JSON_RPC_PATH, message, rpc } from '../support/a2a-calls.js';
import { EventClient } from '../support/event-stream-client.js';
import { at, send, type Call } from '../support/http-call.js';

/** A server that speaks JSON-RPC, and what it says in the words of 1.0. */
export interface Peer {
  readonly url: string;
  /** A call of 1.0, as this server understands it. */
  call(method: string, params: object): Call;
  read(result: unknown): StreamResponse;
}

export interface OfficialServer extends Peer {
  close(): Promise<void>;
}

const CAPABILITIES = { streaming: true, pushNotifications: false };
const CARD = {
  name: 'Official',
  description: 'An agent of the official SDK',
  version: '1.0.0',
  defaultInputModes: ['*/*'],
  defaultOutputModes: ['text/plain'],
  skills: [{ id: 's', name: 'S', description: 'Does s', tags: ['t'] }],
};

/** Our own server, or one of the 1.x line. */
export function peerV1(url: string): Peer {
  return { url, call: (method, params) => rpc(method, params, { 'a2a-version': '1.0' }), read: responseOf };
}

export async function serveV1(executor: AgentExecutor): Promise<OfficialServer> {
  const card = SdkCard.fromJSON({
    ...CARD,
    capabilities: CAPABILITIES,
    supportedInterfaces: [{ url: 'http://a.example', protocolBinding: 'JSONRPC', protocolVersion: '1.0' }],
  });
  const requestHandler = new DefaultRequestHandler(card, new InMemoryTaskStore(), executor);
  const { url, close } = await listen(jsonRpcHandler({ requestHandler, userBuilder: UserBuilder.noAuthentication }));
  return { ...peerV1(url), close };
}

export async function serveV03(executor: OldExecutor): Promise<OfficialServer> {
  const card: OldCard = { ...CARD, capabilities: CAPABILITIES, url: 'http://a.example', protocolVersion: '0.3.0' };
  const requestHandler = new OldRequestHandler(card, new OldTaskStore(), executor);
  const handler = oldJsonRpcHandler({ requestHandler, userBuilder: OldUserBuilder.noAuthentication });
  const { url, close } = await listen(handler);
  return {
    url,
    close,
    call: (method, params) => rpc(OLD_METHODS[method] ?? method, oldParams(params)),
    read: (result) => {
      const decoded = fromV03StreamEvent(result);
      if (!decoded.ok) throw new Error(`${JSON.stringify(result)}: ${JSON.stringify(decoded.violations)}`);
      return decoded.value.response;
    },
  };
}

async function listen(handler: RequestHandler): Promise<{ url: string; close(): Promise<void> }> {
  const app = express();
  app.use(JSON_RPC_PATH, handler);
  const server = createServer(app);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { url: `http://127.0.0.1:${portOf(server)}`, close: () => closeServer(server) };
}

const OLD_METHODS: Readonly<Record<string, string>> = {
  SendMessage: 'message/send',
  SendStreamingMessage: 'message/stream',
  GetTask: 'tasks/get',
  CancelTask: 'tasks/cancel',
};

function oldParams(params: object): object {
  if (!('message' in params)) return params;
  const { message: sent, ...rest } = params;
  const parts = [{ kind: 'text', text: at(sent, 'parts.0.text') }];
  return { ...rest, message: { ...Object(sent), kind: 'message', role: 'user', parts } };
}

function isResponse(value: unknown): value is StreamResponse {
  return ['task', 'message', 'statusUpdate', 'artifactUpdate'].some((name) => at(value, name) !== undefined);
}

function responseOf(result: unknown): StreamResponse {
  // GetTask and CancelTask answer with a bare task.
  const response = at(result, 'id') === undefined ? result : { task: result };
  if (!isResponse(response)) throw new Error(`No answer: ${JSON.stringify(result)}`);
  return response;
}

/** What a caller sees of a stream, without ids and times: a word for each frame. */
export async function streamed(peer: Peer, text: string, fields: object = {}): Promise<string[]> {
  const client = await EventClient.open(peer.url, peer.call('SendStreamingMessage', message(text, { ...fields })));
  await client.ended;
  return client.frames.map(({ data }) => wordOf(peer.read(at(data, 'result'))));
}

/** The answer to a message. */
export async function answered(peer: Peer, text: string, fields: object = {}): Promise<StreamResponse> {
  const { body } = await send(peer.url, peer.call('SendMessage', message(text, { ...fields })));
  return peer.read(at(body, 'result'));
}

/** What a caller sees of it, without ids and times. */
export function wordOf(response: StreamResponse): string {
  if ('message' in response) return `message: ${textOf(response.message.parts)}`;
  if ('statusUpdate' in response) return statusWord(response.statusUpdate.status);
  if ('artifactUpdate' in response) {
    const { artifact, append = false, lastChunk = false } = response.artifactUpdate;
    return `artifact ${artifact.name}${append ? ' +' : ''}${lastChunk ? ' .' : ''}: ${textOf(artifact.parts)}`;
  }
  const { status, artifacts = [] } = response.task;
  const all = artifacts.map(({ name, parts }) => `[${name}: ${textOf(parts)}]`).join('');
  return `task ${statusWord(status)} ${all}`.trim();
}

function statusWord({ state, message: said }: { state: string; message?: { parts: object[] } }): string {
  return `${state.replace('TASK_STATE_', '')}${said === undefined ? '' : `: ${textOf(said.parts)}`}`;
}

function textOf(parts: readonly object[]): string {
  return parts.map((part) => ('text' in part ? String(part.text) : JSON.stringify(part))).join('|');
}
