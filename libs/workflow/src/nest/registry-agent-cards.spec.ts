import { afterAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { bareCard } from '../../../../test/support/bare-card.js';
import { CapturingLogger } from '../../../../test/support/capturing-logger.js';
import { BusinessValues, type JsonObject } from '../model/business-values.js';
import { RegistryAgentCards } from './registry-agent-cards.js';

const supportedInterfaces = [{ url: 'https://a.example', protocolBinding: 'JSONRPC', protocolVersion: '1.0' }];
const card = (name: string): JsonObject => BusinessValues.map(bareCard({ name, supportedInterfaces }));

describe('RegistryAgentCards', () => {
  let logger: CapturingLogger;
  beforeEach(() => {
    logger = new CapturingLogger();
    Logger.overrideLogger(logger);
  });
  afterAll(() => Logger.overrideLogger(false));

  it.each<[string, JsonObject[], string[], number]>([
    ['gives what can be used', [card('X'), card('Y')], ['X', 'Y'], 0],
    ['leaves out what is no card', [card('X'), { name: 'Y' }], ['X'], 1],
    ['leaves out an agent that cannot be reached', [card('X'), BusinessValues.map(bareCard({ name: 'Y' }))], ['X'], 1],
    ['leaves out one without a name', [card('X'), card(' ')], ['X'], 1],
    ['leaves out all of one name', [card('X'), card('Y'), card('X'), card('X')], ['Y'], 2],
    ['does not fill the log', Array.from({ length: 100 }, () => ({})), [], 21],
  ])('%s', async (_name, cards, names, warnings) => {
    const source = new RegistryAgentCards({ fetchAgentCards: () => Promise.resolve(cards) });
    expect((await source.cards()).map(({ name }) => name)).toEqual(names);
    expect(logger.lines.filter((line) => line.startsWith('warn: Left out: '))).toHaveLength(warnings);
  });

  it('is not slowed down by how many there are', async () => {
    const many = Array.from({ length: 20_000 }, (_, at) => card(`A${at}`));
    const source = new RegistryAgentCards({ fetchAgentCards: () => Promise.resolve(many) });
    expect(await source.cards()).toHaveLength(20_000);
  });

  it('fails as the registry fails', async () => {
    const source = new RegistryAgentCards({ fetchAgentCards: () => Promise.reject(new Error('503')) });
    await expect(source.cards()).rejects.toThrow('503');
  });
});
