import { isRecord } from 'nestjs-a2a/protocol';
import type { A2AClientOptions } from '../client-options.js';
import type { ClientHttp } from '../http/client-http.js';
import type { A2AAgentSettings } from './a2a-client-module.options.js';

/** What a connection depends on: an agent with one of these of its own cannot use those of the others. */
const OF_CONNECTIONS = ['network', 'tls', 'connectTimeoutMs'] as const;

/**
 * The options of the client of one agent.
 *
 * @param shared the connections of the root
 */
export function agentOptions(root: A2AClientOptions, settings: A2AAgentSettings, shared: ClientHttp): A2AClientOptions {
  const { url: _url, ...given } = settings;
  const own = defined<A2AClientOptions>(given);
  const merged = { ...root, ...own };
  const { limits, retry, polling, interceptors = [] } = root;
  return {
    ...merged,
    limits: { ...limits, ...own.limits },
    retry: { ...retry, ...own.retry },
    polling: { ...polling, ...own.polling },
    interceptors: [...interceptors, ...(own.interceptors ?? [])],
    http: own.http ?? (OF_CONNECTIONS.some((option) => option in own) ? undefined : shared),
  };
}

/** The first option in which two do not agree. */
export function differingOption(one: A2AAgentSettings, other: A2AAgentSettings): string | undefined {
  const first = new Map<string, unknown>(Object.entries(defined(one)));
  const second = new Map<string, unknown>(Object.entries(defined(other)));
  return [...new Set([...first.keys(), ...second.keys()])].find((name) => !isSame(first.get(name), second.get(name)));
}

/** Without what is undefined: that would hide what the root says. */
function defined<T extends object>(options: T): Partial<T> {
  const kept = { ...options };
  for (const name of Object.keys(kept)) if (Reflect.get(kept, name) === undefined) Reflect.deleteProperty(kept, name);
  return kept;
}

/** Are they written alike? What is no plain data is only like itself: two credentials show no difference. */
function isSame(one: unknown, other: unknown): boolean {
  if (Object.is(one, other)) return true;
  if (one instanceof URL || other instanceof URL) return String(one) === String(other);
  if (Array.isArray(one) && Array.isArray(other)) {
    return one.length === other.length && one.every((entry, index) => isSame(entry, other[index]));
  }
  if (!isPlain(one) || !isPlain(other)) return false;
  return Object.keys({ ...one, ...other }).every((name) => isSame(one[name], other[name]));
}

function isPlain(value: unknown): value is Record<string, unknown> {
  return isRecord(value) && Object.getPrototypeOf(value) === Object.prototype;
}
