// Talks to a served agent: its card, a send, a stream.
import { deepEqual, equal, match, ok } from 'node:assert/strict';

const message = (text) => ({ message: { messageId: `smoke-${text}`, role: 'ROLE_USER', parts: [{ text }] } });

const call = (url, method, params) =>
  fetch(`${url}/a2a/jsonrpc`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'a2a-version': '1.0' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
    signal: AbortSignal.timeout(20_000),
  });

const textOf = (artifacts) => artifacts.flatMap(({ parts }) => parts.map(({ text }) => text)).join('');

/** Throws when an agent at this address does not do what an echo agent must. */
export async function checkAgent(url) {
  const card = await fetch(`${url}/.well-known/agent-card.json`, { signal: AbortSignal.timeout(20_000) });
  equal(card.status, 200);
  const { name, supportedInterfaces } = await card.json();
  equal(name, 'Smoke');
  deepEqual(supportedInterfaces.map(({ protocolBinding }) => protocolBinding).sort(), ['HTTP+JSON', 'JSONRPC']);
  ok(
    supportedInterfaces.every((entry) => entry.url.startsWith(url)),
    `the card leads to ${JSON.stringify(supportedInterfaces)}`,
  );

  const sent = await (await call(url, 'SendMessage', message('hello'))).json();
  equal(sent.result?.task?.status.state, 'TASK_STATE_COMPLETED', JSON.stringify(sent));
  equal(textOf(sent.result.task.artifacts), 'echo: hello');

  const streamed = await call(url, 'SendStreamingMessage', message('stream'));
  match(streamed.headers.get('content-type') ?? '', /^text\/event-stream/);
  const frames = [...(await streamed.text()).matchAll(/^data: ?(.*)$/gm)].map(([, data]) => JSON.parse(data).result);
  ok(frames[0]?.task, 'the first frame is the task');
  equal(textOf(frames.flatMap(({ artifactUpdate }) => artifactUpdate?.artifact ?? [])), 'echo: stream');
  equal(frames.at(-1)?.statusUpdate?.status.state, 'TASK_STATE_COMPLETED');
}
