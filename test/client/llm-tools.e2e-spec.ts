import { AIMessage, HumanMessage, ToolMessage } from '@langchain/core/messages';
import { fakeModel } from '@langchain/core/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { generateText, stepCountIs } from 'ai';
import { MockLanguageModelV3 } from 'ai/test';
import { A2AModule, AgentExecutor, type AgentEmitter, type RequestContext } from 'nestjs-a2a';
import { A2AClient, createA2ASkillTools, createA2ATool, type A2AToolDefinition } from 'nestjs-a2a/client';
import { toAiTool, toAiTools } from 'nestjs-a2a/client/ai';
import { toLangChainTool, toLangChainTools } from 'nestjs-a2a/client/langchain';
import { deferred } from '../../src/execution/deferred.js';
import { caught } from '../support/caught.js';
import { start, type RunningApp } from '../support/running-app.js';

const rest = {
  usage: {
    inputTokens: { total: 1, noCache: undefined, cacheRead: undefined, cacheWrite: undefined },
    outputTokens: { total: 1, text: undefined, reasoning: undefined },
  },
  warnings: [],
};
const TOO_LATE = new Error('too late');

/** Cooks by skill, fails on demand, and waits to be let go. */
class Kitchen extends AgentExecutor {
  waits = deferred<void>();
  letGo = deferred<void>();

  override async execute({ text, message, signal }: RequestContext, emitter: AgentEmitter): Promise<void> {
    if (text === 'fail') return emitter.fail('No leeks left');
    if (text === 'wait') {
      this.waits.resolve();
      await this.letGo.promise;
      signal.throwIfAborted();
    }
    await emitter.text(`${String(message.metadata?.['skillId'] ?? 'cook')}: ${text}`);
    await emitter.complete();
  }
}

describe('agents as tools of a model', () => {
  const kitchen = new Kitchen();
  let running: RunningApp;
  let client: A2AClient;
  let ask: A2AToolDefinition;
  let skills: A2AToolDefinition[];

  beforeAll(async () => {
    const skill = { description: 'Cooks.', tags: ['food'] };
    const agentCard = {
      name: 'Kitchen',
      description: 'Cooks',
      skills: [
        { ...skill, id: 'soup', name: 'Soup' },
        { ...skill, id: 'cake', name: 'Cake' },
      ],
    };
    running = await start('express', A2AModule.forRoot({ agentCard, executor: { useValue: kitchen } }));
    client = new A2AClient({ network: 'any' }, running.url);
    ask = createA2ATool(client, { name: 'ask_kitchen', description: 'Knows what to cook' });
    skills = await createA2ASkillTools(client, { prefix: 'kitchen' });
  });
  afterAll(async () => {
    await client.close();
    await running.close();
  });
  beforeEach(() => {
    kitchen.waits = deferred<void>();
    kitchen.letGo = deferred<void>();
  });

  describe('the AI SDK', () => {
    /** A model that makes one call, and then says a word. */
    const modelFor = (toolName: string, message: string) =>
      new MockLanguageModelV3({
        doGenerate: async ({ prompt }) =>
          prompt.at(-1)?.role === 'tool'
            ? {
                content: [{ type: 'text', text: 'Bon appétit' }],
                finishReason: { unified: 'stop', raw: undefined },
                ...rest,
              }
            : {
                content: [{ type: 'tool-call', toolCallId: '1', toolName, input: JSON.stringify({ message }) }],
                finishReason: { unified: 'tool-calls', raw: undefined },
                ...rest,
              },
      });
    const outputOf = (model: MockLanguageModelV3): unknown => model.doGenerateCalls[1]?.prompt.at(-1)?.content;

    it.each<[string, string, string, object]>([
      ['an agent', 'ask_kitchen', 'Dinner', { type: 'text', value: 'cook: Dinner' }],
      ['a skill', 'kitchen_cake', 'Dessert', { type: 'text', value: 'cake: Dessert' }],
      ['a failure', 'ask_kitchen', 'fail', { type: 'error-text', value: 'The task ended as failed: No leeks left' }],
    ])('gets the answer of %s', async (_what, toolName, message, output) => {
      const model = modelFor(toolName, message);
      const tools = { ...toAiTools(skills), ask_kitchen: toAiTool(ask) };
      const { text } = await generateText({ model, tools, prompt: 'Hungry', stopWhen: stepCountIs(2) });
      expect(text).toBe('Bon appétit');
      expect(outputOf(model)).toMatchObject([{ type: 'tool-result', toolName, output }]);
      expect(model.doGenerateCalls[0]?.tools).toContainEqual(
        expect.objectContaining({ name: 'ask_kitchen', description: ask.description, inputSchema: ask.parameters }),
      );
    });

    it('ends the call with its signal', async () => {
      const stop = new AbortController();
      const model = modelFor('ask_kitchen', 'wait');
      const stopped = generateText({ model, tools: toAiTools([ask]), prompt: 'Hungry', abortSignal: stop.signal });
      await kitchen.waits.promise;
      stop.abort(TOO_LATE);
      const { content } = await stopped;
      kitchen.letGo.resolve();
      expect(content).toContainEqual(expect.objectContaining({ type: 'tool-error', error: TOO_LATE }));
    });
  });

  describe('LangChain', () => {
    it.each<[string, string, string, object]>([
      ['an agent', 'ask_kitchen', 'Dinner', { content: 'cook: Dinner' }],
      ['a skill', 'kitchen_soup', 'Starter', { content: 'soup: Starter' }],
    ])('gets the answer of %s', async (_what, name, message, answer) => {
      const tools = toLangChainTools([ask, ...skills]);
      const model = fakeModel()
        .respondWithTools([{ name, args: { message }, id: '1' }])
        .respond(new AIMessage('Bon appétit'));
      const bound = model.bindTools(tools);
      const messages = [new HumanMessage('Hungry')];
      const call = await bound.invoke(messages);
      const results = await Promise.all(
        (call.tool_calls ?? []).map((toolCall) =>
          tools.find((tool) => tool.name === toolCall.name)?.invoke({ ...toolCall, type: 'tool_call' as const }),
        ),
      );
      const said = await bound.invoke([
        ...messages,
        call,
        ...results.filter((result) => ToolMessage.isInstance(result)),
      ]);
      expect(said.text).toBe('Bon appétit');
      expect(model.calls[1]?.messages.at(-1)).toMatchObject({ name, tool_call_id: '1', ...answer });
    });

    it('gets a failure as an error for the model', async () => {
      const error = await caught(toLangChainTool(ask).invoke({ message: 'fail' }));
      expect(error).toMatchObject({ name: 'A2AToolError', message: 'The task ended as failed: No leeks left' });
    });

    it('ends the call with its signal', async () => {
      const stop = new AbortController();
      const stopped = caught(toLangChainTool(ask).invoke({ message: 'wait' }, { signal: stop.signal }));
      await kitchen.waits.promise;
      stop.abort(TOO_LATE);
      expect(await stopped).toBe(TOO_LATE);
      kitchen.letGo.resolve();
    });
  });

  it.each([toAiTools, toLangChainTools])('have names of their own', (adapt) => {
    expect(() => adapt([ask, ask])).toThrow('ask_kitchen');
  });
});
