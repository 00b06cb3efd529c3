import { isBlank } from '../model/blank.js';
import { redactText } from './redaction.js';

// A getter may give a fresh cause each time.
const MAX_CAUSES = 100;

/** An error, then its cause, then the cause of that: each once, the deepest last. */
export function causesOf(error: unknown): unknown[] {
  const chain: unknown[] = [];
  let current = error;
  while (current !== undefined && current !== null && !chain.includes(current) && chain.length < MAX_CAUSES) {
    chain.push(current);
    current = causeOf(current);
  }
  return chain;
}

/** Name of the class of an error, as it may be shown: no text that somebody else has written. */
export function classNameOf(error: unknown): string {
  if (typeof error !== 'object' || error === null) return 'Error';
  const names = [memberOf(error, 'name'), memberOf(memberOf(error, 'constructor'), 'name')];
  const name = names.find((entry) => typeof entry === 'string' && /^[A-Za-z_$][\w$]{0,99}$/.test(entry));
  return typeof name === 'string' ? name : 'Error';
}

export function messageOf(error: unknown): string {
  const message = memberOf(error, 'message');
  return typeof message === 'string' ? message : classNameOf(error);
}

/** What an error says, without credentials; the name of its class when it says nothing. */
export function textOf(error: unknown): string {
  const text = typeof error === 'string' ? error : messageOf(error);
  return isBlank(text) ? classNameOf(error) : redactText(text);
}

function causeOf(error: unknown): unknown {
  return memberOf(error, 'cause');
}

// Anything can be thrown, and a getter of it may throw again.
function memberOf(value: unknown, name: string): unknown {
  if ((typeof value !== 'object' && typeof value !== 'function') || value === null) return undefined;
  try {
    return Reflect.get(value, name);
  } catch {
    return undefined;
  }
}
