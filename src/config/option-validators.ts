import { ValidateBy } from 'class-validator';
import { normalisePath } from './path-option.js';
import { normalisePublicUrl } from './public-url-option.js';

/** Longest delay a Node timer takes, in milliseconds; a longer one would fire at once. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;
/** The same in whole seconds. */
const LONGEST_TIMER_SECONDS = Math.floor(LONGEST_TIMER_MS / 1000);

/** A rule whose message is the right half of a fault: "…; right is ‹message›". */
export function rule(name: string, right: string, validate: (value: unknown) => boolean): PropertyDecorator {
  return ValidateBy({ name, validator: { validate, defaultMessage: () => right } });
}

function isNumber(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value);
}

/** A number of things or bytes. */
export function IsCount(least: 0 | 1): PropertyDecorator {
  return rule(
    'isCount',
    `a whole number, ${least} or more`,
    (value) => Number.isSafeInteger(value) && Number(value) >= least,
  );
}

/** A time that a timer waits for; fractions are fine. */
export function IsTimerSeconds(zero: 'zeroAllowed' | 'moreThanZero' = 'zeroAllowed'): PropertyDecorator {
  const least = zero === 'zeroAllowed' ? '0 or more' : 'more than 0';
  return rule('isTimerSeconds', `a number of seconds, ${least}, at most ${LONGEST_TIMER_SECONDS}`, (value) => {
    if (!isNumber(value) || value > LONGEST_TIMER_SECONDS) return false;
    return zero === 'zeroAllowed' ? value >= 0 : value > 0;
  });
}

/** The same in milliseconds. */
export function IsTimerMilliseconds(zero: 'zeroAllowed' | 'moreThanZero' = 'zeroAllowed'): PropertyDecorator {
  const least = zero === 'zeroAllowed' ? '0 or more' : 'more than 0';
  return rule('isTimerMilliseconds', `a number of milliseconds, ${least}, at most ${LONGEST_TIMER_MS}`, (value) => {
    if (!isNumber(value) || value > LONGEST_TIMER_MS) return false;
    return zero === 'zeroAllowed' ? value >= 0 : value > 0;
  });
}

/** A part of something. */
export function IsShare(): PropertyDecorator {
  return rule('isShare', 'a number from 0 to 1', (value) => isNumber(value) && value >= 0 && value <= 1);
}

/** An array whose every element is right. */
export function IsListOf(what: string, isRight: (value: unknown) => boolean): PropertyDecorator {
  return rule('isListOf', `an array of ${what}`, (value) => Array.isArray(value) && value.every(isRight));
}

/** A time something is kept for, which may be months. */
export function IsAgeSeconds(): PropertyDecorator {
  return rule('isAgeSeconds', 'a number of seconds, 0 or more', (value) => isNumber(value) && value >= 0);
}

/** `true` or `false`; the environment's `1` and `0` were translated before. */
export function IsSwitch(): PropertyDecorator {
  return rule('isSwitch', 'true or false', (value) => typeof value === 'boolean');
}

/** One of a few words. */
export function IsChoice(choices: readonly string[]): PropertyDecorator {
  const right = `one of ${choices.join(', ')}`;
  return rule('isChoice', right, (value) => typeof value === 'string' && choices.includes(value));
}

/** A path that routes can be mounted at. */
export function IsRoutePath(): PropertyDecorator {
  return rule(
    'isRoutePath',
    "a path that begins with '/', its segments made of letters, digits and -._~",
    (value) => typeof value === 'string' && normalisePath(value) !== undefined,
  );
}

/** The base of URLs that clients are told. */
export function IsPublicUrl(): PropertyDecorator {
  return rule(
    'isPublicUrl',
    'an absolute http or https URL without credentials, query and fragment, e.g. https://agent.example.com',
    (value) => typeof value === 'string' && normalisePublicUrl(value) !== undefined,
  );
}

/** A card, or the path of one; what is in the card is checked where cards are read. */
export function IsCardOrPath(): PropertyDecorator {
  return rule('isCardOrPath', 'an agent card object or the path of a JSON file', (value) =>
    typeof value === 'string'
      ? value.trim() !== ''
      : typeof value === 'object' && value !== null && !Array.isArray(value),
  );
}
