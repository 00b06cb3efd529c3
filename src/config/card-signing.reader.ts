import { AgentCardSigningError, prepareSigningKey } from 'nestjs-a2a/protocol';
import { isFields, type Fields } from '../agent/card/card-fields.js';
import type { CardSigningOptions, CardSigningSettings } from '../agent/card/signing/card-signing.options.js';
import type { ConfigurationFault } from './a2a-configuration.error.js';
import { describeGiven } from './given-value.js';
import { normalisePath } from './path-option.js';
import { unknownOptions } from './unknown-options.js';

const NAMES = ['keys', 'jwksPath', 'sdkForm'] as const;
const KEY_NAMES = ['key', 'kid', 'alg', 'jku'] as const;

/** The faults of the option `cardSigning`. They hold nothing of a key. */
export function findCardSigningFaults(given: unknown): ConfigurationFault[] {
  if (given === undefined) return [];
  if (!isFields(given)) {
    // A key may have been given in its place.
    return [{ option: 'cardSigning', description: 'something else was given; right is an object with keys' }];
  }
  const { keys, jwksPath, sdkForm } = given;
  return [
    ...unknownOptions('cardSigning', given, NAMES),
    ...keyFaults(keys),
    ...(jwksPath === undefined || readPath(jwksPath) !== undefined
      ? []
      : [fault('jwksPath', jwksPath, 'a path such as .well-known/jwks.json')]),
    ...(sdkForm === undefined || typeof sdkForm === 'boolean' ? [] : [fault('sdkForm', sdkForm, 'true or false')]),
  ];
}

/** Reads the keys. @param options without a fault */
export function readCardSigning({ keys, jwksPath, sdkForm = false }: CardSigningOptions): CardSigningSettings {
  const prepared = keys.map((key) => Object.freeze(prepareSigningKey(key)));
  return Object.freeze({ keys: Object.freeze(prepared), jwksPath: readPath(jwksPath), sdkForm });
}

/** What of the other settings does not go with signed cards. */
export function findSigningConflicts(
  { jwksPath }: CardSigningSettings,
  publicUrl: string | undefined,
  paths: readonly string[],
): ConfigurationFault[] {
  const faults: ConfigurationFault[] = [];
  if (publicUrl === undefined) {
    const description =
      'is needed when cards are signed, since a signature must not cover addresses that a request has a say in: ' +
      'set publicUrl (A2A_SERVER_PUBLIC_URL), or leave cardSigning out';
    faults.push({ option: 'publicUrl', description });
  }
  const taken = [...paths, '/.well-known/agent-card.json'].map((path) => path.toLowerCase());
  if (jwksPath !== undefined && taken.includes(jwksPath.toLowerCase())) {
    const description = `${JSON.stringify(jwksPath)} is taken; the public keys need a path of their own`;
    faults.push({ option: 'cardSigning.jwksPath', description });
  }
  return faults;
}

function keyFaults(keys: unknown): ConfigurationFault[] {
  if (!Array.isArray(keys) || keys.length === 0) {
    return [{ option: 'cardSigning.keys', description: 'must be an array with at least one private key' }];
  }
  const kids = new Set<string>();
  return keys.flatMap((key: unknown, index) => {
    const option = `cardSigning.keys[${index}]`;
    if (!isFields(key)) return [{ option, description: 'must be an object with key and kid' }];
    const problem = keyProblem(key, kids);
    return [
      ...unknownOptions(option, key, KEY_NAMES),
      ...(problem === undefined ? [] : [{ option, description: problem }]),
    ];
  });
}

function keyProblem(key: Fields, kids: Set<string>): string | undefined {
  const { jku } = key;
  if (jku !== undefined && !(typeof jku === 'string' && /^https?:\/\//i.test(jku) && URL.canParse(jku))) {
    return 'its jku must be an absolute http or https URL';
  }
  try {
    const { kid } = prepareSigningKey(Object.assign<{ key: string }, Fields>({ key: '' }, key));
    if (kids.has(kid)) return `another key has the same kid, ${describeGiven(kid)}`;
    kids.add(kid);
    return undefined;
  } catch (error) {
    return error instanceof AgentCardSigningError ? error.message : 'it cannot be read';
  }
}

function readPath(path: unknown): string | undefined {
  if (typeof path !== 'string') return undefined;
  const absolute = normalisePath(path.startsWith('/') ? path : `/${path}`);
  return absolute === '/' ? undefined : absolute;
}

function fault(name: string, value: unknown, right: string): ConfigurationFault {
  return { option: `cardSigning.${name}`, description: `${describeGiven(value)} was given; right is ${right}` };
}
