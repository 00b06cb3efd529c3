import { fromStatusBody, parseJson, type ErrorCircumstances } from 'nestjs-a2a/protocol';
import { A2AHttpError } from '../client-error.js';

/** How an answer begins. */
export interface AnswerHead {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | undefined>>;
}

/** A body as JSON; as text where it is none, as undefined where it is empty. */
export function readBody(text: string): unknown {
  if (text.trim() === '') return undefined;
  try {
    return parseJson(text);
  } catch {
    return text;
  }
}

/** What HTTP tells about an error that came in the body. */
export function circumstancesOf({ status, headers }: AnswerHead): ErrorCircumstances {
  const cause = new A2AHttpError(status, headers, `The agent answered with HTTP ${status}`);
  return { cause, retryAfterSeconds: cause.retryAfterSeconds };
}

/** The error of an answer whose status is no success. */
export function failureOf(head: AnswerHead, body: unknown): Error {
  if (head.status >= 400) return fromStatusBody(head.status, body, circumstancesOf(head));
  const hint = head.status >= 300 ? ': redirects are not followed, use the final URL' : '';
  return new A2AHttpError(head.status, head.headers, `The agent answered with HTTP ${head.status}${hint}`);
}

/** An answer that is none of the protocol's. */
export function unreadable({ status, headers }: AnswerHead, what: string): A2AHttpError {
  return new A2AHttpError(status, headers, `The agent's answer cannot be read: ${what}`, 'INVALID_ANSWER');
}

export function isSuccess({ status }: AnswerHead): boolean {
  return status >= 200 && status < 300;
}
