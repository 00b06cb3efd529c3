import { describe, expect, it } from '@jest/globals';
import {
  A2AClient,
  A2AClientError,
  A2ATool,
  createA2ASkillTools,
  createA2ATool,
  type A2ASkillToolsOptions,
  type A2AToolOptions,
} from 'nestjs-a2a/client';
import { isRecord, TaskNotFoundError, TaskState, type AgentCard, type AgentSkill } from 'nestjs-a2a/protocol';
import { caught } from '../support/caught.js';
import { ScriptedClientHttp } from '../support/scripted-client-http.js';
import { ScriptedTransport, taskOf, type Reply } from './scripted-transport.js';

const { COMPLETED, INPUT_REQUIRED, FAILED } = TaskState;
const CARD: AgentCard = {
  name: 'Kitchen',
  description: '',
  version: '1',
  supportedInterfaces: [{ url: 'https://agent.example/', protocolBinding: 'SCRIPT', protocolVersion: '1.0' }],
  capabilities: {},
  defaultInputModes: ['text/plain'],
  defaultOutputModes: ['text/plain'],
  skills: [],
};

const done = (text: string): Reply => ({ task: taskOf(COMPLETED, text) });
const question: Reply = { task: taskOf(INPUT_REQUIRED, 'For how many?') };

function transportOf(...replies: Reply[]) {
  const transport = new ScriptedTransport({ replies });
  const clientOptions = { transports: [{ binding: 'SCRIPT', create: () => transport }] };
  /** What was sent: its text, the ids and the metadata. */
  const sent = (): unknown[] =>
    transport.seen.map(({ params }) => {
      const message = 'message' in params && isRecord(params.message) ? params.message : {};
      const { messageId: _id, role: _role, ...more } = message;
      return more;
    });
  return { transport, clientOptions, sent };
}

function toolOf(options: A2AToolOptions, ...replies: Reply[]) {
  const { clientOptions, ...script } = transportOf(...replies);
  return { tool: new A2ATool(CARD, { ...options, clientOptions }), ...script };
}

const text = (value: string) => [{ text: value }];

describe('A2ATool', () => {
  it('sends the message of each call alone, and gives the text of the answer', async () => {
    const { tool, sent } = toolOf({}, done('Leek soup'), { message: { ...messageOf('Hi') } }, question, done(''));
    expect(await tool.execute('{"message":"Soup?"}')).toBe('Leek soup');
    expect(await tool.execute({ message: 'Hello' })).toBe('Hi');
    expect(await tool.execute('Dinner')).toBe('For how many?');
    expect(await tool.execute(undefined)).toBe('');
    expect(sent()).toEqual(['Soup?', 'Hello', 'Dinner', ''].map((value) => ({ parts: text(value) })));
    expect(tool.contextId).toBeUndefined();
  });

  it('carries a conversation over its calls, a question to the task that asked, one turn at a time', async () => {
    const { tool, sent } = toolOf({ conversation: true }, question, done('Leeks'), done('Done'));
    const answers = await Promise.all(['Dinner', 'Four', 'Thanks'].map((value) => tool.execute(value)));
    expect(answers).toEqual(['For how many?', 'Leeks', 'Done']);
    expect(sent()).toEqual([
      { parts: text('Dinner') },
      { parts: text('Four'), contextId: 'c', taskId: 't' },
      { parts: text('Thanks'), contextId: 'c' },
    ]);
    expect(tool.contextId).toBe('c');
  });

  it('goes on in a conversation that is named, without a task that has gone', async () => {
    const { tool, sent } = toolOf(
      { conversation: 'c9', metadata: { a: 1 } },
      question,
      new TaskNotFoundError('t'),
      done('Leeks'),
    );
    await tool.execute('Dinner');
    expect(await tool.execute('Four')).toBe('Leeks');
    expect(sent()).toEqual([
      { parts: text('Dinner'), contextId: 'c9', metadata: { a: 1 } },
      { parts: text('Four'), contextId: 'c', taskId: 't', metadata: { a: 1 } },
      { parts: text('Four'), contextId: 'c', metadata: { a: 1 } },
    ]);
  });

  it('fails with words for a model', async () => {
    const secret = new A2AClientError('CONNECT_FAILED', 'https://internal?key=secret');
    const { tool, sent } = toolOf({ conversation: true }, { task: taskOf(FAILED) }, secret, new TaskNotFoundError('t'));
    const errors = [await caught(tool.execute('1')), await caught(tool.execute('2')), await caught(tool.execute('3'))];
    expect(errors.map(({ message }) => message)).toEqual([
      'The task ended as failed: no message',
      'The agent could not be called (CONNECT_FAILED)',
      'The agent refused the call (TASK_NOT_FOUND)',
    ]);
    expect(errors).toMatchObject([{ code: 'TASK_FAILED' }, { cause: secret }, { name: 'A2AToolError' }]);
    expect(sent()).toHaveLength(3);
  });

  it('is ended by its signal, with the reason', async () => {
    const reason = new Error('enough');
    const { tool, transport } = toolOf({}, done('never'));
    expect(await caught(tool.execute('x', { signal: AbortSignal.abort(reason) }))).toBe(reason);
    expect(transport.seen).toEqual([]);
  });

  it('cuts long answers', async () => {
    const { tool } = toolOf({ maxAnswerLength: 4 }, done('x'.repeat(100)));
    expect(await tool.execute('x')).toBe('xxxx\n[The answer was cut here: it has 100 characters]');
    expect(() => toolOf({ maxAnswerLength: 0 })).toThrow('maxAnswerLength');
  });

  it('closes its own client, and none that was given', async () => {
    const { tool } = toolOf({}, done('never'));
    await tool.close();
    expect(await caught(tool.execute('x'))).toMatchObject({ code: 'CLOSED' });
    const { clientOptions } = transportOf(done('still'));
    const client = new A2AClient(clientOptions, CARD);
    await new A2ATool(client).close();
    expect(await new A2ATool(client).execute('x')).toBe('still');
    await client.close();
  });

  it('finds its agent at the first call, once for all, and again after a failure', async () => {
    let down = true;
    const card = { ...CARD, supportedInterfaces: [{ ...CARD.supportedInterfaces[0], url: 'https://a.example/' }] };
    const http = new ScriptedClientHttp(({ url }) =>
      down || !url.endsWith('agent-card.json') ? { status: 503 } : { body: card },
    );
    const { clientOptions } = transportOf(done('1'), done('2'), done('3'));
    const tool = new A2ATool('https://a.example', { clientOptions: { ...clientOptions, http } });
    expect(http.asked).toEqual([]);
    const errors = await Promise.all([caught(tool.execute('x')), caught(tool.execute('x'))]);
    expect(errors).toMatchObject([{ code: 'DISCOVERY_FAILED' }, { code: 'DISCOVERY_FAILED' }]);
    expect(errors.map(({ message }) => message).join()).not.toContain('a.example');
    expect(http.asked).toHaveLength(2);
    down = false;
    expect(await Promise.all([tool.execute('x'), tool.execute('x')])).toEqual(['1', '2']);
    expect(await tool.execute('x')).toBe('3');
    expect(http.asked).toHaveLength(3);
  });
});

describe('createA2ATool', () => {
  it('defines a tool with one message, which needs no this', async () => {
    const { clientOptions } = transportOf(done('Leeks'));
    const { execute, close, ...definition } = createA2ATool(CARD, { name: 'ask', description: 'Cooks', clientOptions });
    expect(definition).toEqual({
      name: 'ask',
      description: 'Cooks',
      parameters: {
        type: 'object',
        properties: { message: { type: 'string', description: expect.any(String) } },
        required: ['message'],
        additionalProperties: false,
      },
    });
    expect(await execute({ message: 'x' }, {})).toBe('Leeks');
    await close();
  });

  it.each(['', 'a b', 'é', 'x'.repeat(65)])('refuses the name %j', (name) => {
    expect(() => createA2ATool(CARD, { name, description: '' })).toThrow('The name of a tool');
  });
});

describe('createA2ASkillTools', () => {
  const skill = (id: string, name = id): AgentSkill => ({ id, name, description: `About ${name}.`, tags: [] });
  const toolsOf = (skills: AgentSkill[], options: A2ASkillToolsOptions, ...replies: Reply[]) => {
    const { clientOptions, ...script } = transportOf(...replies);
    return { tools: createA2ASkillTools({ ...CARD, skills }, { ...options, clientOptions }), ...script };
  };

  it('makes a tool of each skill, whose messages say which is meant', async () => {
    const skills = [skill('soup', 'Soups'), skill('旅行', 'Picnic'), skill('SOUP')];
    const { tools, sent } = toolsOf(skills, { metadata: { a: 1 }, prefix: 'kitchen' }, done('S'), done('P'));
    const [soup, picnic, other] = await tools;
    expect([soup, picnic, other].map((tool) => tool?.name)).toEqual([
      'kitchen_soup',
      'kitchen_Picnic',
      'kitchen_SOUP_2',
    ]);
    expect(soup?.description).toBe('Asks the agent "Kitchen" for "Soups". About Soups.');
    expect([await soup?.execute('x'), await picnic?.execute('y')]).toEqual(['S', 'P']);
    expect(sent()).toEqual([
      { parts: text('x'), metadata: { a: 1, skillId: 'soup' } },
      { parts: text('y'), metadata: { a: 1, skillId: '旅行' } },
    ]);
    await soup?.close();
    expect(await caught(picnic?.execute('z') ?? Promise.resolve())).toMatchObject({ code: 'CLOSED' });
  });

  it('makes those that are wanted, described as is wanted', async () => {
    const { tools } = toolsOf([skill('a'), skill('b')], {
      filter: ({ id }) => id === 'b',
      describe: ({ name }, { name: agent }) => `${agent}: ${name}`,
    });
    expect(await tools).toMatchObject([{ name: 'b', description: 'Kitchen: b' }]);
  });

  it('makes no more than it may', async () => {
    const { tools } = toolsOf([skill('a'), skill('b')], { maxTools: 1 });
    expect(await caught(tools)).toMatchObject({ code: 'TOO_MANY_SKILLS', message: expect.stringContaining('filter') });
  });
});

function messageOf(value: string) {
  return { messageId: 'm', role: 'ROLE_AGENT', parts: text(value) };
}
