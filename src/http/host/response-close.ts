import { queuedOn } from './raw-http.js';
import type { Connection, RawResponse } from './raw-http.js';

// One listener on a connection, however many of its responses are watched.
const WATCHED = new WeakMap<Connection, Set<() => void>>();

/**
 * Calls back once when the response is closed. Node tells that only to the response that has the connection: one that
 * queues behind others (pipelining) hears nothing when the connection is cut, so the connection is watched for it.
 *
 * @returns takes the listener away
 */
export function onceClosed(raw: RawResponse, listener: () => void): () => void {
  const connection = queuedOn(raw);
  if (connection === undefined) {
    raw.once('close', listener);
    return () => raw.removeListener('close', listener);
  }
  const listeners = listenersOn(connection);
  const forget = (): void => {
    raw.removeListener('close', closed);
    listeners.delete(closed);
  };
  const closed = (): void => {
    forget();
    listener();
  };
  raw.once('close', closed);
  listeners.add(closed);
  return forget;
}

function listenersOn(connection: Connection): Set<() => void> {
  const known = WATCHED.get(connection);
  if (known !== undefined) return known;
  const listeners = new Set<() => void>();
  WATCHED.set(connection, listeners);
  connection.once('close', () => {
    for (const listener of listeners) listener();
  });
  return listeners;
}
