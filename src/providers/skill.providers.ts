import type { FactoryProvider, Provider, Type } from '@nestjs/common';
import type { SkillsEntry } from '../a2a.extras.js';
import { checkedSeconds } from '../agent/skills/skill-options.js';
import { FunctionSkillSource, NoSkillSource, SkillSource, type SkillFunction } from '../agent/skills/skill-source.js';
import { A2AConfigurationError } from '../config/a2a-configuration.error.js';

type SkillProvider = Exclude<Provider, Type>;

/** Where the card's further skills come from, unless the host provides the token itself. */
export function skillProvider(entry: SkillsEntry | undefined): SkillProvider {
  const provide = SkillSource;
  if (entry === undefined) return { provide, useFactory: () => new NoSkillSource() } satisfies FactoryProvider;
  if (isClass(entry)) return { provide, useClass: entry };
  if (typeof entry === 'function') return { provide, useFactory: () => new FunctionSkillSource(entry) };
  if (isSource(entry)) return { provide, useValue: entry };
  // A variable may be there without the source that it ought to hold: the check below says so then.
  return isProvider(entry) ? { provide, ...entry } : { provide, useValue: entry };
}

/** By its shape: the other build of this package has another class. */
export function checkedSkillSource(source: unknown): SkillSource {
  if (isSource(source)) {
    if (source.publicMaxAgeSeconds !== undefined) checkedSeconds('publicMaxAgeSeconds', source.publicMaxAgeSeconds);
    return source;
  }
  const description = 'has no getSkills(): pass a SkillSource, its class, a provider of it, or a function';
  throw new A2AConfigurationError([{ option: 'skills', description }]);
}

function isSource(value: unknown): value is SkillSource {
  return typeof value === 'object' && value !== null && 'getSkills' in value && typeof value.getSkills === 'function';
}

function isProvider(
  entry: object | null,
): entry is Exclude<SkillsEntry, SkillSource | SkillFunction | Type<SkillSource>> {
  return entry !== null && ('useClass' in entry || 'useExisting' in entry || 'useFactory' in entry);
}

/** A function may be either; what an author wrote as a class says so, or has the method. */
function isClass(entry: SkillsEntry): entry is Type<SkillSource> {
  if (typeof entry !== 'function') return false;
  const prototype: unknown = entry.prototype;
  if (typeof prototype !== 'object' || prototype === null) return false;
  return isSource(prototype) || /^class\b/.test(Function.prototype.toString.call(entry));
}
