import { isRecord } from 'nestjs-a2a/protocol';

/** The `error` member of an answer, in the form that agents share. */
export interface ErrorEnvelope {
  /** 400 to 599. */
  readonly code: number;
  readonly status: string | undefined;
  readonly message: string;
  readonly details: readonly unknown[];
}

/**
 * Reads `{ error: { code, status?, message, details? } }`; `undefined` for whatever is no such envelope: problem+json, an
 * error further inside, a code of success, no message.
 */
export function readErrorEnvelope(body: unknown): ErrorEnvelope | undefined {
  if (!isRecord(body) || !isRecord(body['error'])) return undefined;
  const { code, status, message, details } = body['error'];
  if (typeof code !== 'number' || !Number.isInteger(code) || code < 400 || code > 599) return undefined;
  if (typeof message !== 'string' || message.trim() === '') return undefined;
  return {
    code,
    status: typeof status === 'string' && status !== '' ? status : undefined,
    message,
    details: Array.isArray(details) ? details : [],
  };
}
