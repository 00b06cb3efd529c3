import { describe, expect, it } from '@jest/globals';
import { A2ATExtension, A2atMessages, MessageContent, ReceivedMessage } from 'nestjs-a2a/workflow';

const context = { id: 'n1', round: 1, maxRounds: 3, performative: 'PROPOSE' } as const;
const inMessage = (value: unknown): ReceivedMessage =>
  new ReceivedMessage(new MessageContent([], { negotiationContext: value }));

describe('A2ATExtension', () => {
  it.each([
    [A2ATExtension.TASK_T, 'Task-T'],
    [A2ATExtension.NEGOTIATION_T, 'Negotiation-T'],
    [A2ATExtension.AUTHORIZATION_T, 'Authorization-T'],
    [A2ATExtension.NOTIFICATION_T, 'Notification-T'],
  ])('%j has its URI', (extension, name) => {
    expect(extension).toEqual({
      name,
      uri: `https://projects.tmforum.org/a2aproject/telecommunication/extensions/${name}/v1`,
    });
  });
});

describe('A2atMessages.from', () => {
  const { uri } = A2ATExtension.NEGOTIATION_T;

  it('puts the prompt under the URI, and activates it', () => {
    const content = A2atMessages.from(
      { extensionUri: uri, promptText: 'prompt', templateUri: 'urn:t', negotiationContext: context },
      [{ text: 'hi' }],
    );
    expect(content).toEqual({
      parts: [{ text: 'hi' }],
      metadata: { [uri]: 'prompt', templateUri: 'urn:t', negotiationContext: context },
      extensions: [uri],
    });
  });

  it('needs no negotiation', () => {
    const content = A2atMessages.from({ extensionUri: uri, promptText: '', templateUri: '' }, []);
    expect(content.metadata).toEqual({ [uri]: '', templateUri: '' });
  });
});

describe('A2atMessages.contextOf', () => {
  const artifact = { artifactId: 'a', parts: [], metadata: { negotiationContext: context } };

  it.each([
    ['the message', inMessage(context)],
    ['the task', new ReceivedMessage(null, { negotiationContext: context })],
    ['an artifact', new ReceivedMessage(null, {}, [{ artifactId: 'b', parts: [] }, artifact])],
    ['several places that agree', new ReceivedMessage(null, { negotiationContext: context }, [artifact])],
  ])('finds it in %s', (_case, received) => {
    expect(A2atMessages.contextOf(received)).toEqual(context);
  });

  it.each<[string, ReceivedMessage]>([
    ['Missing negotiationContext', new ReceivedMessage(null)],
    [
      'Conflicting negotiation contexts in response',
      new ReceivedMessage(null, { negotiationContext: { ...context, round: 2 } }, [artifact]),
    ],
    ['Invalid negotiationContext', inMessage('n1')],
    ['Invalid negotiationContext', inMessage([])],
    ['Invalid negotiationContext', inMessage({ ...context, id: ' ' })],
    ['Invalid negotiationContext', inMessage({ ...context, id: 1 })],
    ['Invalid negotiationContext', inMessage({ id: 'n1', round: 1, maxRounds: 3 })],
    ['Invalid negotiationContext', inMessage({ ...context, round: 0 })],
    ['Invalid negotiationContext', inMessage({ ...context, maxRounds: 0 })],
    ['Negotiation round must be an integer', inMessage({ ...context, round: '1' })],
    ['Negotiation round must be an integer', inMessage({ ...context, maxRounds: 1.5 })],
    ['Invalid negotiation performative', inMessage({ ...context, performative: 'propose' })],
    ['Invalid negotiation performative', inMessage({ ...context, performative: '' })],
  ])('throws: %s (%#)', (message, received) => {
    expect(() => A2atMessages.contextOf(received)).toThrow(message);
  });
});
