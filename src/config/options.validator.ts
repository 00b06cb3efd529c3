import { validateSync } from 'class-validator';
import type { A2AModuleOptions } from '../a2a.options.js';
import type { ConfigurationFault } from './a2a-configuration.error.js';
import { A2AOptionsSchema } from './a2a-options.schema.js';
import { findCardSigningFaults } from './card-signing.reader.js';
import { describeGiven } from './given-value.js';
import { environmentVariableOf, OPTION_NAMES, type OptionName, VARIABLE_OPTIONS } from './option-names.js';
import { findPushFaults } from './push-options.validator.js';
import { unknownOptions } from './unknown-options.js';

/** The faults of one source of options, in the order of the documentation. */
export function findOptionFaults(source: A2AModuleOptions, origin: 'code' | 'environment'): ConfigurationFault[] {
  const schema = new A2AOptionsSchema();
  Object.assign(schema, ...VARIABLE_OPTIONS.map((option) => ({ [option]: source[option] })));
  const wrong = new Map<string, string>();
  for (const error of validateSync(schema, { forbidUnknownValues: false })) {
    wrong.set(error.property, Object.values(error.constraints ?? {}).join(', '));
  }
  const fault = (option: OptionName): ConfigurationFault[] => {
    const right = wrong.get(option);
    if (right === undefined) return [];
    const description = `${describeGiven(source[option])} was given; right is ${right}`;
    return [
      origin === 'code' ? { option, description } : { option, variable: environmentVariableOf(option), description },
    ];
  };
  return [
    ...VARIABLE_OPTIONS.flatMap(fault),
    ...findPushFaults(source.push, source.pushUrlValidator),
    ...findCardSigningFaults(source.cardSigning),
    ...unknownOptions('', source, OPTION_NAMES),
  ];
}
