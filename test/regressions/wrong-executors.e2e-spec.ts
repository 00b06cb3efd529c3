import { describe, expect, it } from '@jest/globals';
import { NestFactory } from '@nestjs/core';
import { A2AConfigurationError, A2AModule, AgentExecutor, type A2AModuleExtras } from 'nestjs-a2a';
import { probeCard } from '../probe-agent/probe.options.js';

/** What people without types pass as the executor. */
const WRONG: [string, unknown][] = [
  ['a class without execute()', class Foo {}],
  ['a function', () => 'x'],
  ['no value', { useValue: null }],
  ['an object whose execute is no method', { useValue: { execute: 5 } }],
];

async function start(executor: unknown): Promise<void> {
  const extras: A2AModuleExtras = {};
  Object.assign(extras, { executor });
  const module = A2AModule.forRoot({ agentCard: probeCard(), ...extras });
  const context = await NestFactory.createApplicationContext(module, { logger: false, abortOnError: false });
  await context.close();
}

describe('an executor that is none', () => {
  it.each(WRONG)('is refused at start: %s', async (_name, executor) => {
    const error: unknown = await start(executor).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(A2AConfigurationError);
    expect(String(error)).toContain('the executor has no execute() method');
  });

  it('is not a class whose execute is a property', async () => {
    class Echo extends AgentExecutor {
      execute = () => 'done';
    }
    await expect(start(Echo)).resolves.toBeUndefined();
  });
});

describe('a card without a name', () => {
  it('is blamed for that alone', async () => {
    const module = A2AModule.forRoot({ agentCard: { name: ' ' }, executor: { useValue: { execute: () => 'x' } } });
    const starting = NestFactory.createApplicationContext(module, { logger: false, abortOnError: false });
    const error: unknown = await starting.catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(A2AConfigurationError);
    expect(error).toHaveProperty('faults.length', 1);
    expect(String(error)).toContain('agentCard.name');
  });
});
