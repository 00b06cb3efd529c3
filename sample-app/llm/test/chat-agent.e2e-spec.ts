import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { INestApplication } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { ExpressAdapter } from '@nestjs/platform-express';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { simulateReadableStream } from 'ai';
import { MockLanguageModelV3 } from 'ai/test';
import { A2AClient, userMessage } from 'nestjs-a2a/client';
import { TaskState, type StreamResponse } from 'nestjs-a2a/protocol';
import { AppModule } from '../src/app.module.js';
import { languageModel } from '../src/language-model.js';
import { repeatingModel } from '../src/repeating-model.js';

const SECRET = 'sk-very-secret';

/** Talks to the agent on a model, over real HTTP. */
class Talk {
  private constructor(
    private readonly app: INestApplication,
    readonly client: A2AClient,
    readonly logged: string[],
  ) {}

  static async on(model: Parameters<typeof AppModule.with>[0]): Promise<Talk> {
    const logged: string[] = [];
    const note = (...words: unknown[]): void => void logged.push(words.join(' '));
    const logger = { log: () => undefined, warn: () => undefined, error: note };
    const app = await NestFactory.create(AppModule.with(model), new ExpressAdapter(), { logger });
    await app.listen(0, '127.0.0.1');
    return new Talk(app, new A2AClient({ network: 'any' }, await app.getUrl()), logged);
  }

  async end(): Promise<void> {
    await this.client.close();
    await this.app.close();
  }
}

describe('the chat agent', () => {
  let talk: Talk | undefined;
  afterEach(async () => {
    await talk?.end();
    talk = undefined;
  });

  it('streams the words of the model, remembers the conversation, and no other', async () => {
    const model = repeatingModel();
    talk = await Talk.on(model);
    const chat = talk.client.chat();
    const chunks: string[] = [];
    for await (const event of chat.stream('tell me more')) chunks.push(...textsOf(event));
    expect(chunks).toEqual(['You ', 'said: ', 'tell ', 'me ', 'more']);
    expect(await chat.say('and this')).toBe('You said: and this');
    expect(await talk.client.sendTask('anew')).toBe('You said: anew');
    const prompts = model instanceof MockLanguageModelV3 ? model.doStreamCalls.map(({ prompt }) => prompt) : [];
    expect(prompts[1]?.slice(1).map(({ role, content }) => [role, JSON.stringify(content)])).toEqual([
      ['user', expect.stringContaining('tell me more')],
      ['assistant', expect.stringContaining('You said: tell me more')],
      ['user', expect.stringContaining('and this')],
    ]);
    expect(prompts[2]).toHaveLength(2);
    expect(await talk.client.sendTask(' ')).toBe('What would you like to know?');
  });

  it('stops the model when the task is cancelled', async () => {
    let stopped: AbortSignal | undefined;
    const model = new MockLanguageModelV3({
      doStream: async ({ abortSignal }) => {
        stopped = abortSignal;
        return {
          stream: new ReadableStream({
            start: (stream) => {
              stream.enqueue({ type: 'text-start', id: '1' });
              stream.enqueue({ type: 'text-delta', id: '1', delta: 'Once upon' });
              abortSignal?.addEventListener('abort', () => stream.error(abortSignal.reason));
            },
          }),
        };
      },
    });
    talk = await Talk.on(model);
    const stream = talk.client.sendMessageStream({ message: userMessage('a tale') });
    let cancelled = false;
    for await (const event of stream) {
      if (!cancelled && textsOf(event).length > 0) {
        cancelled = true;
        await talk.client.cancelTask(stream.view.taskId ?? '');
      }
    }
    expect(stream.view.state).toBe(TaskState.CANCELED);
    expect(stopped?.aborted).toBe(true);
    expect(talk.logged).toEqual([]);
  });

  it('fails where the model says nothing', async () => {
    const usage = {
      inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
      outputTokens: { total: 0, text: 0, reasoning: 0 },
    };
    const finish = {
      type: 'finish' as const,
      finishReason: { unified: 'content-filter' as const, raw: undefined },
      usage,
    };
    const stream = simulateReadableStream({ chunks: [finish] });
    talk = await Talk.on(new MockLanguageModelV3({ doStream: { stream } }));
    await expect(talk.client.sendTask('hello')).rejects.toThrow('gave no answer');
  });

  describe('on an OpenAI-compatible provider', () => {
    let server: Server;
    let baseUrl = '';
    let answer: { readonly status: number; readonly type: string; readonly body: string };
    const seen: { headers: IncomingHttpHeaders; url?: string }[] = [];

    beforeAll(async () => {
      server = createServer((request, response) => {
        seen.push({ headers: request.headers, url: request.url });
        request.resume().on('end', () => {
          response.writeHead(answer.status, { 'content-type': answer.type }).end(answer.body);
        });
      }).listen(0, '127.0.0.1');
      await once(server, 'listening');
      const address = server.address();
      baseUrl = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}/v1`;
    });
    afterAll(() => void server.close());

    const provider = () => languageModel({ mock: false, baseUrl, model: 'small', apiKey: SECRET });

    it('answers with its words', async () => {
      const chunk = (delta: object, finish: string | null = null): string =>
        `data: ${JSON.stringify({ id: '1', choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`;
      const body = `${chunk({ content: 'Grüezi ' })}${chunk({ content: 'mitenand' })}${chunk({}, 'stop')}data: [DONE]\n\n`;
      answer = { status: 200, type: 'text/event-stream', body };
      talk = await Talk.on(provider());
      expect(await talk.client.sendTask('hello')).toBe('Grüezi mitenand');
      expect(seen.at(-1)).toMatchObject({
        url: '/v1/chat/completions',
        headers: { authorization: `Bearer ${SECRET}` },
      });
    });

    it('fails without a word of what the provider said', async () => {
      const body = JSON.stringify({ error: { message: `Incorrect API key provided: ${SECRET}` } });
      answer = { status: 401, type: 'application/json', body };
      talk = await Talk.on(provider());
      const response = await talk.client.sendTaskResponse('hello');
      expect(response).toMatchObject({ task: { status: { state: TaskState.FAILED } } });
      expect(JSON.stringify(response)).toContain('The language model could not answer');
      expect(JSON.stringify([response, talk.logged])).not.toContain(SECRET);
      expect(talk.logged.join()).toContain('AI_APICallError, status 401');
    });
  });
});

function textsOf(event: StreamResponse): string[] {
  if (!('artifactUpdate' in event)) return [];
  return event.artifactUpdate.artifact.parts.flatMap((part) => ('text' in part ? [part.text] : []));
}
