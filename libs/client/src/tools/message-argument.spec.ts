import { describe, expect, it } from '@jest/globals';
import { messageOf } from './message-argument.js';

describe('messageOf', () => {
  it.each<[string, unknown, string]>([
    ['the member of JSON text', '{"message":"Soup?","more":1}', 'Soup?'],
    ['an empty member', '{"message":""}', ''],
    ['the member of an object', { message: 'Soup?' }, 'Soup?'],
    ['all of JSON without the member', '{"question":"Soup?"}', '{"question":"Soup?"}'],
    ['all of JSON whose member is no text', '{"message":{"text":"Soup?"}}', '{"message":{"text":"Soup?"}}'],
    ['all of an object without the member', { question: 'Soup?' }, '{"question":"Soup?"}'],
    ['all of JSON that is no object', '"Soup?"', '"Soup?"'],
    ['a list', ['Soup?'], '["Soup?"]'],
    ['text that is no JSON', 'Soup? {', 'Soup? {'],
    ['nothing for an empty text', '', ''],
    ['nothing for what JSON does not know', () => 'Soup?', ''],
    ['nothing for null', null, ''],
    ['nothing without arguments', undefined, ''],
  ])('takes %s', (_what, args, text) => {
    expect(messageOf(args)).toBe(text);
  });
});
