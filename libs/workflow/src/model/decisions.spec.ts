import { describe, expect, it } from '@jest/globals';
import { BusinessFailure } from '../errors/business-failure.error.js';
import { BusinessInput } from './business-input.js';
import { MessageContent } from './message-content.js';
import { NegotiationReply } from './negotiation.js';
import { RouteDecision } from './route.js';
import { TaskResult } from './task-result.js';

describe('BusinessInput', () => {
  it('is a text or a value', () => {
    expect(BusinessInput.text('a')).toEqual({ text: 'a' });
    expect(BusinessInput.data(null)).toEqual({ data: null });
    expect(BusinessInput.of({ data: [[1]] })).toEqual({ data: [[1]] });
  });

  it.each<[string, () => unknown, string]>([
    ['a blank text', () => BusinessInput.text(' \n'), 'Text must not be blank'],
    ['both', () => BusinessInput.of({ text: 'a', data: 1 }), 'Exactly one of text or data is required'],
    ['neither', () => BusinessInput.of({}), 'Exactly one of text or data is required'],
    ['no value', () => BusinessInput.data(undefined), 'Exactly one of text or data is required'],
  ])('refuses %s', (_, make, text) => {
    expect(make).toThrow(text);
  });
});

describe('TaskResult', () => {
  it('keeps outputs and failure apart', () => {
    expect(TaskResult.success([])).toMatchObject({ success: true, outputs: [], error: null, errorCode: null });
    expect(TaskResult.failure('host.rule', 'no')).toMatchObject({ success: false, outputs: [], error: 'no' });
    const partial = { success: false, outputs: ['half'], errorCode: 'c', error: 'e', errorDetails: { at: 1 } };
    expect(TaskResult.of(partial)).toEqual({ ...partial, receivedMessages: [] });
    expect(() => TaskResult.failure(' ', 'x')).toThrow('A failure needs an error code');
    expect(Object.isFrozen(TaskResult.success(['a']).outputs)).toBe(true);
  });
});

describe('RouteDecision, NegotiationReply and BusinessFailure', () => {
  it('say what was decided', () => {
    expect(RouteDecision.allow()).toEqual({ allowed: true, reason: '' });
    expect(RouteDecision.deny(null)).toEqual({ allowed: false, reason: '' });
    expect(RouteDecision.deny('because')).toEqual({ allowed: false, reason: 'because' });
    const content = MessageContent.text('yes');
    expect(NegotiationReply.send(content)).toEqual({ kind: 'send', content });
    expect(NegotiationReply.stop('c', 'r')).toEqual({ kind: 'stop', code: 'c', reason: 'r' });
    expect(new BusinessFailure('c', 'm', { a: [1] })).toMatchObject({ code: 'c', message: 'm', details: { a: [1] } });
    expect(new BusinessFailure('c', 'm').details).toEqual({});
  });

  it.each<[() => unknown, string]>([
    [() => NegotiationReply.stop('', 'r'), 'Stop code and reason are required'],
    [() => NegotiationReply.stop('c', ' '), 'Stop code and reason are required'],
    // @ts-expect-error: hosts without types can do so
    [() => NegotiationReply.send(null), 'Send content is required'],
    [() => new BusinessFailure(' ', 'm'), 'BusinessFailure code must not be blank'],
  ])('refuse half an answer', (make, text) => {
    expect(make).toThrow(text);
  });
});
