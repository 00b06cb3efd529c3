import type { A2AModuleOptions } from '../a2a.options.js';
import {
  BOOLEAN_OPTIONS,
  environmentVariableOf,
  NUMBER_OPTIONS,
  type OptionName,
  VARIABLE_OPTIONS,
  VARIABLE_PREFIX,
} from './option-names.js';

const NUMBER = /^[+-]?\d+(?:\.\d+)?$/;
const SWITCHES = new Map<string, boolean>([
  ['true', true],
  ['1', true],
  ['false', false],
  ['0', false],
]);
const NUMBERS: ReadonlySet<OptionName> = new Set(NUMBER_OPTIONS);
const BOOLEANS: ReadonlySet<OptionName> = new Set(BOOLEAN_OPTIONS);

function convert(option: OptionName, text: string): unknown {
  if (NUMBERS.has(option) && NUMBER.test(text)) return Number(text);
  if (BOOLEANS.has(option)) return SWITCHES.get(text.toLowerCase()) ?? text;
  return text;
}

/**
 * Reads the `A2A_SERVER_*` variables. An empty variable counts as not set, as compose files and CI systems have no
 * other way to unset one.
 *
 * Text that is no number or switch stays as it is, for `resolveA2ASettings` to name it together with all other faults.
 *
 * @returns only what is set
 * @publicApi
 */
export function readA2AEnvironment(env: NodeJS.ProcessEnv): A2AModuleOptions {
  const options: A2AModuleOptions = {};
  for (const option of VARIABLE_OPTIONS) {
    const text = env[environmentVariableOf(option)]?.trim();
    if (text !== undefined && text !== '') Object.assign(options, { [option]: convert(option, text) });
  }
  return options;
}

/**
 * Names of `A2A_SERVER_*` variables that mean nothing to the module. They may belong to something else, so they are
 * worth a warning, not an error.
 */
export function unknownA2AVariables(env: NodeJS.ProcessEnv): string[] {
  const known = new Set(VARIABLE_OPTIONS.map(environmentVariableOf));
  return Object.keys(env)
    .filter((name) => name.startsWith(VARIABLE_PREFIX) && !known.has(name))
    .sort();
}
