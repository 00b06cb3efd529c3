import { validateSync } from 'class-validator';
import { AddressPolicy, type AddressPolicyOptions } from 'nestjs-a2a/net';
import { isFields, type Fields } from '../agent/card/card-fields.js';
import type { ConfigurationFault } from './a2a-configuration.error.js';
import { describeGiven } from './given-value.js';
import { textOfThrown } from '../thrown-value.js';
import { unknownOptions } from './unknown-options.js';
import { PushAllowSchema, PushOptionsSchema, PushSigningSchema } from './push-options.schema.js';

const ALLOW_NAMES = ['hosts', 'cidrs', 'allowHttp', 'ports', 'onlyListed'];
const SIGNING_NAMES = ['secret'];
const OWN_NAMES = [
  'snapshotOnCreate',
  'concurrency',
  'timeoutMs',
  'retryDelaysMs',
  'maxAttempts',
  'jitter',
  'maxRetryAfterMs',
  'disableAfterLostEvents',
  'maxQueuedPerConfig',
  'maxQueuedTotal',
  'maxQueuedBytes',
  'drainSeconds',
];
const NAMES = ['allow', 'signing', ...OWN_NAMES];

/** The faults of the options `push` and `pushUrlValidator`. */
export function findPushFaults(push: unknown, validator: unknown): ConfigurationFault[] {
  const faults: ConfigurationFault[] = [];
  if (push !== undefined && typeof push !== 'boolean') faults.push(...optionFaults(push));
  if (validator !== undefined && typeof validator !== 'function') {
    const description = `${describeGiven(validator)} was given; right is a function that takes a URL and says whether it may be notified`;
    faults.push({ option: 'pushUrlValidator', description });
  }
  return faults;
}

function optionFaults(push: unknown): ConfigurationFault[] {
  if (!isFields(push)) return [{ option: 'push', description: wrong(push, 'false, or an object with the options') }];
  const { allow, signing } = push;
  return [
    ...unknownOptions('push', push, NAMES),
    ...allowFaults(allow),
    ...part('push.signing', signing, SIGNING_NAMES, new PushSigningSchema()),
    ...valueFaults('push', push, OWN_NAMES, new PushOptionsSchema()),
  ];
}

function allowFaults(allow: unknown): ConfigurationFault[] {
  const schema: AddressPolicyOptions = new PushAllowSchema();
  const faults = part('push.allow', allow, ALLOW_NAMES, schema);
  if (faults.length > 0) return faults;
  try {
    // Knows best what a host and a range is.
    void new AddressPolicy(schema);
    return [];
  } catch (error) {
    return [{ option: 'push.allow', description: textOfThrown(error) }];
  }
}

function part(path: string, given: unknown, names: readonly string[], schema: object): ConfigurationFault[] {
  if (given === undefined) return [];
  if (!isFields(given)) return [{ option: path, description: wrong(given, 'an object') }];
  return [...unknownOptions(path, given, names), ...valueFaults(path, given, names, schema)];
}

function valueFaults(path: string, given: Fields, names: readonly string[], schema: object): ConfigurationFault[] {
  for (const name of names) Object.assign(schema, { [name]: given[name] });
  return validateSync(schema, { forbidUnknownValues: false }).map(({ property, constraints }) => {
    const right = Object.values(constraints ?? {}).join(', ');
    // A secret that is wrong in a detail is still one.
    const value = property === 'secret' ? 'something else' : describeGiven(given[property]);
    return { option: `${path}.${property}`, description: `${value} was given; right is ${right}` };
  });
}

function wrong(given: unknown, right: string): string {
  return `${describeGiven(given)} was given; right is ${right}`;
}
