import { describe, expect, it, jest } from '@jest/globals';
import { type Struct, TaskState } from 'nestjs-a2a/protocol';
import {
  BusinessFailure,
  controlPoint,
  MessageContent,
  NegotiationReply,
  type NegotiationRequest,
  toTaskResult,
} from 'nestjs-a2a/workflow';
import { caught } from '../../../../../test/support/caught.js';
import {
  answering,
  EngineClientBench,
  negotiable,
  replyWith,
} from '../../../../../test/support/workflow/engine-client-bench.js';
import {
  done,
  proposes,
  says,
  type Script,
  stands,
  task,
} from '../../../../../test/support/workflow/scripted-runtime.js';

const { COMPLETED, FAILED, WORKING, INPUT_REQUIRED, SUBMITTED } = TaskState;

const asks = (round = 1, others: Struct = {}): Script =>
  task(INPUT_REQUIRED, { says: 'agreed?', metadata: proposes(round, others) });

describe('a negotiation about a task', () => {
  it('sends exactly what the host answers, in the same context', async () => {
    const bench = new EngineClientBench({ send: [asks(3), done('ok')] });
    const strategy = answering('ACCEPT');
    const result = await bench.send({ negotiationStrategy: strategy });
    expect(result.outputs).toEqual(['ok']);
    expect(bench.words).toEqual([
      'agent_request',
      'negotiation_request#1',
      'negotiation_resolved#1',
      'agent_request',
      'agent_response',
    ]);
    expect(bench.runtime.wire).toEqual(['send', 'send task=t ACCEPT', 'close conversation']);
    const [first, second] = bench.runtime.requests.map(({ message }) => message);
    expect(second).toMatchObject({ contextId: first?.contextId, taskId: 't', parts: [{ text: 'ACCEPT' }] });
    expect(second?.messageId).not.toBe(first?.messageId);
    const [request] = strategy.requests;
    expect(request).toMatchObject({
      originalSubmission: negotiable(),
      previousExchanges: [],
      received: { message: { parts: [{ text: 'agreed?' }] } },
      task: { agentName: 'X', instruction: 'do it', input: { text: 'do it' } },
    });
    expect(request?.remainingWaitMs).toBeGreaterThan(0);
    expect(request?.remainingWaitMs).toBeLessThanOrEqual(600_000);
    bench.expectIdle();
  });

  it('shows the exchanges of this negotiation, and only of this one', async () => {
    const bench = new EngineClientBench({ send: [asks(1), asks(2), asks(1, { id: 'n2' }), done()] });
    const strategy = answering('REJECT', 'REJECT', 'ACCEPT');
    await bench.send({ negotiationStrategy: strategy });
    expect(strategy.requests.map(({ previousExchanges }) => previousExchanges.length)).toEqual([0, 1, 0]);
    expect(strategy.requests[1]?.previousExchanges[0]).toMatchObject({ reply: { kind: 'send' } });
  });

  it('follows an acknowledgement by questions, and asks the host nothing twice', async () => {
    const bench = new EngineClientBench({
      send: [asks(), task(SUBMITTED)],
      get: [
        stands(INPUT_REQUIRED, { metadata: proposes() }),
        stands(INPUT_REQUIRED, { metadata: proposes() }),
        stands(COMPLETED, { artifacts: [['ok']] }),
      ],
    });
    const strategy = answering('ACCEPT');
    expect((await bench.send({ negotiationStrategy: strategy })).outputs).toEqual(['ok']);
    expect(strategy.requests).toHaveLength(1);
    expect(bench.runtime.wire.filter((line) => line.startsWith('send'))).toHaveLength(2);
  });

  it('lets the final state decide after a REJECT', async () => {
    const bench = new EngineClientBench({ send: [asks(), task(FAILED)] });
    const result = await bench.send({ negotiationStrategy: answering('REJECT') });
    expect(toTaskResult(result)).toMatchObject({ success: false, errorCode: 'remote.task_failed' });
  });

  it('does not negotiate about what has ended', async () => {
    const bench = new EngineClientBench({ send: [task(COMPLETED, { metadata: proposes(), says: 'x' })] });
    expect((await bench.send()).taskState).toBe(COMPLETED);
    expect(bench.words).toEqual(['agent_request', 'agent_response']);
  });

  it.each<[string, TaskState, string[]]>([
    ['an end', COMPLETED, []],
    ['no end', WORKING, ['cancel t']],
  ])('takes an Abort for a failure, whatever comes back: %s', async (_case, state, cancels) => {
    const bench = new EngineClientBench({ send: [asks(), task(state, { says: 'ack', artifacts: [['part']] })] });
    const result = await bench.send({ negotiationStrategy: answering('ABORT') });
    expect(result).toMatchObject({ failureCode: 'negotiation.aborted', taskState: state, outputs: ['part'] });
    expect(toTaskResult(result)).toMatchObject({ success: false, errorCode: 'negotiation.aborted' });
    expect(bench.runtime.wire).toEqual(['send', 'send task=t ABORT', ...cancels, 'close conversation']);
    expect(bench.words.at(-1)).toBe('agent_response');
    bench.expectIdle();
  });

  it('takes no message of an aborted task for an output', async () => {
    const bench = new EngineClientBench({ send: [asks(), task(COMPLETED, { says: 'ack' })] });
    expect((await bench.send({ negotiationStrategy: answering('ABORT') })).outputs).toEqual([]);
  });

  it('stops without a word when the host says so', async () => {
    const bench = new EngineClientBench({ send: [asks()] });
    const negotiationStrategy = answering(NegotiationReply.stop('too.dear', 'Costs too much'));
    const error = await caught(bench.send({ negotiationStrategy }));
    expect(error).toBeInstanceOf(BusinessFailure);
    expect(error).toMatchObject({ code: 'too.dear', message: 'Costs too much' });
    expect(bench.runtime.wire).toEqual(['send', 'cancel t', 'close conversation']);
    expect(bench.events.at(-1)).toEqual({
      type: 'negotiation_failed',
      data: { agent: 'X', exchange: 1, errorType: 'BusinessFailure' },
    });
  });

  it('breaks off when the budget is used up, without a further question to the host', async () => {
    const bench = new EngineClientBench({
      config: { maxNegotiationExchanges: 1 },
      send: [asks(1), asks(1, { id: 'n2' })],
    });
    const strategy = answering('REJECT', 'ACCEPT');
    const error = await caught(bench.send({ negotiationStrategy: strategy }));
    expect(error.message).toBe('Negotiation exchange budget exhausted; no Abort generated');
    expect(strategy.requests).toHaveLength(1);
    expect(bench.words.at(-1)).toBe('negotiation_failed#2');
    expect(bench.runtime.wire).toEqual(['send', 'send task=t REJECT', 'cancel t', 'close conversation']);
  });

  it.each<[string, Script[], string]>([
    ['no Propose', [asks(1, { performative: 'ACCEPT' })], 'Expected a valid Negotiation-T Propose'],
    ['a round too many', [asks(4)], 'Expected a valid Negotiation-T Propose'],
    ['a round of before', [asks(2), asks(1)], 'Negotiation round regressed or maxRounds changed'],
    ['another limit', [asks(1), asks(2, { maxRounds: 4 })], 'Negotiation round regressed or maxRounds changed'],
    [
      'no context',
      [task(INPUT_REQUIRED, { metadata: { ...proposes(), negotiationContext: null } })],
      'Invalid negotiationContext',
    ],
    ['half a round', [asks(1.5)], 'Negotiation round must be an integer'],
    ['a strange word', [asks(1, { performative: 'Propose' })], 'Invalid negotiation performative'],
  ])('rejects %s, and cancels the task', async (_case, send, message) => {
    const bench = new EngineClientBench({ send });
    expect((await caught(bench.send({ negotiationStrategy: answering('REJECT') }))).message).toBe(message);
    expect(bench.runtime.wire).toContain('cancel t');
    bench.expectIdle();
  });

  it('rejects what the host has not allowed, also when the card declares it', async () => {
    const bench = new EngineClientBench({ send: [asks()] });
    const error = await caught(bench.send({}, MessageContent.text('do it')));
    expect(error.message).toBe('Remote requested Negotiation-T although it was not activated by the host');
    expect(bench.runtime.wire).toEqual(['send', 'cancel t', 'close conversation']);
    expect(bench.words).toEqual(['agent_request']);
  });

  const wrong = (change: (request: NegotiationRequest) => NegotiationReply) => ({ resolve: change });
  it.each<[string, (request: NegotiationRequest) => NegotiationReply, string]>([
    [
      'plain content',
      () => NegotiationReply.send(MessageContent.text('yes')),
      'Negotiation reply must carry and activate Negotiation-T',
    ],
    [
      'no metadata',
      () => NegotiationReply.send(negotiable()),
      'Negotiation reply must carry and activate Negotiation-T',
    ],
    [
      'another round',
      (request) => replyWith(request, 'ACCEPT', 1),
      'Reply does not match the received negotiation context/round',
    ],
    [
      'a proposal',
      (request) => replyWith(request, 'PROPOSE'),
      'Reply does not match the received negotiation context/round',
    ],
  ])('sends no answer that does not fit: %s', async (_case, change, message) => {
    const bench = new EngineClientBench({ send: [asks()] });
    const error = await caught(bench.send({ negotiationStrategy: wrong(change) }));
    expect(error.message).toBe(message);
    expect(bench.words).toEqual(['agent_request', 'negotiation_request#1', 'negotiation_failed#1']);
    expect(bench.runtime.wire).toEqual(['send', 'cancel t', 'close conversation']);
  });

  const nothing = (value: unknown) => {
    const isReply = (_given: unknown): _given is NegotiationReply => true;
    return { resolve: () => (isReply(value) ? value : NegotiationReply.stop('x', 'x')) };
  };
  it.each([
    ['onNegotiation returned null future', nothing(undefined)],
    ['onNegotiation returned null reply', nothing(Promise.resolve(null))],
  ])('rejects with: %s', async (message, negotiationStrategy) => {
    const bench = new EngineClientBench({ send: [asks()] });
    expect((await caught(bench.send({ negotiationStrategy }))).message).toBe(message);
  });

  it('asks the control point of the client when the call brings no strategy', async () => {
    const bench = new EngineClientBench({ send: [asks(), done(), asks(), asks()] });
    bench.client.setControlPoint(controlPoint({ onNegotiation: (request) => replyWith(request, 'ACCEPT') }));
    expect((await bench.send()).taskState).toBe(COMPLETED);
    bench.client.setControlPoint(null);
    expect((await caught(bench.send())).message).toBe('onNegotiation handler is required');
    bench.client.setControlPoint(controlPoint({}));
    expect((await caught(bench.send())).message).toBe('onNegotiation handler is required');
  });

  it('takes no notice of a reply that comes too late', async () => {
    jest.useFakeTimers();
    const bench = new EngineClientBench({ config: { sendTimeoutSeconds: 1 }, send: [asks()] });
    let answer: () => void = () => undefined;
    let signal: AbortSignal | undefined;
    const negotiationStrategy = {
      resolve: (request: NegotiationRequest) => {
        ({ signal } = request);
        return new Promise<NegotiationReply>((resolve) => (answer = () => resolve(replyWith(request, 'ACCEPT'))));
      },
    };
    const failed = caught(bench.send({ negotiationStrategy }));
    await jest.advanceTimersByTimeAsync(1_000);
    expect((await failed).name).toBe('TimeoutException');
    expect(signal?.aborted).toBe(true);
    answer();
    await jest.advanceTimersByTimeAsync(0);
    jest.useRealTimers();
    expect(bench.runtime.wire).toEqual(['send', 'cancel t', 'close conversation']);
    expect(bench.logs).toEqual(['Late negotiation reply ignored: X']);
    expect(bench.words.at(-1)).toBe('negotiation_failed#1');
  });
});

describe('a negotiation before there is a task', () => {
  const offers = (round = 1, others: Struct = {}): Script => says('agreed?', proposes(round, others));

  it('is answered without a task id, and may end in a task', async () => {
    const bench = new EngineClientBench({ send: [offers(), asks(1, { id: 'n2' }), done('ok')] });
    const result = await bench.send({ negotiationStrategy: answering('ACCEPT', 'ACCEPT') });
    expect(result.outputs).toEqual(['ok']);
    expect(bench.runtime.wire).toEqual(['send', 'send ACCEPT', 'send task=t ACCEPT', 'close conversation']);
  });

  it('may end in a plain message', async () => {
    const bench = new EngineClientBench({ send: [offers(), says('fine')] });
    expect((await bench.send({ negotiationStrategy: answering('ACCEPT') })).outputs).toEqual(['fine']);
  });

  it.each<[string, Script[], string]>([
    ['a round again', [offers(), offers()], 'Remote repeated a taskless negotiation round'],
    ['nothing that can be read', [offers(1, { id: '' })], 'Invalid negotiationContext'],
    ['no Propose', [offers(1, { performative: 'REJECT' })], 'Expected a valid Negotiation-T Propose'],
  ])('rejects %s, with nothing to cancel', async (_case, send, message) => {
    const bench = new EngineClientBench({ send });
    expect((await caught(bench.send({ negotiationStrategy: answering('REJECT', 'REJECT') }))).message).toBe(message);
    expect(bench.runtime.wire.join()).not.toContain('cancel');
    bench.expectIdle();
  });

  it('rejects what the host has not allowed', async () => {
    const bench = new EngineClientBench({ send: [offers()] });
    const error = await caught(bench.send({}, MessageContent.text('do it')));
    expect(error.message).toBe('Remote requested Negotiation-T although it was not activated by the host');
  });

  it('shares the budget', async () => {
    const bench = new EngineClientBench({ config: { maxNegotiationExchanges: 1 }, send: [offers(1), offers(2)] });
    const error = await caught(bench.send({ negotiationStrategy: answering('REJECT') }));
    expect(error.message).toBe('Negotiation exchange budget exhausted; no Abort generated');
  });
});
