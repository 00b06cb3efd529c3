import {
  A2A_MEDIA_TYPE,
  ERROR_DOMAIN,
  JSON_MEDIA_TYPE,
  MethodNotFoundError,
  toStatusBody,
  type A2AError,
  type SpecRevision,
} from 'nestjs-a2a/protocol';
import { errorHeaders } from '../error-headers.js';
import type { HttpAnswer, RouteMatch } from '../host/a2a-route.js';

/** The media type of an answer: the protocol's own, unless the caller takes plain JSON only. */
export function answerType(accept: string | undefined, revision: SpecRevision): string {
  if (revision === '1.0.0') return JSON_MEDIA_TYPE;
  if (accept === undefined) return A2A_MEDIA_TYPE;
  const wanted = accept.split(',').map((range) => range.split(';', 1)[0]?.trim().toLowerCase());
  return wanted.includes(JSON_MEDIA_TYPE) && !wanted.some(takesA2A) ? JSON_MEDIA_TYPE : A2A_MEDIA_TYPE;
}

/** An error in the form of google.rpc.Status. */
export function statusAnswer(error: A2AError, type: string, revision: SpecRevision): HttpAnswer {
  const { status, body } = toStatusBody(error, revision);
  return { status, headers: { 'content-type': type, ...errorHeaders(error) }, body: JSON.stringify(body) };
}

/** The answer to a path or verb that is no operation. */
export function refusal(
  match: Exclude<RouteMatch, { kind: 'match' }>,
  accept: string | undefined,
  revision: SpecRevision,
): HttpAnswer {
  const type = answerType(accept, revision);
  if (match.kind === 'not-found') return statusAnswer(new MethodNotFoundError('this path'), type, revision);
  const allow = match.allow.join(', ');
  const info = {
    '@type': 'type.googleapis.com/google.rpc.ErrorInfo',
    reason: 'METHOD_NOT_ALLOWED',
    domain: ERROR_DOMAIN,
  };
  const error = { code: 405, status: 'UNIMPLEMENTED', message: `Allowed here: ${allow}`, details: [info] };
  return { status: 405, headers: { 'content-type': type, allow }, body: JSON.stringify({ error }) };
}

function takesA2A(range: string | undefined): boolean {
  return range === A2A_MEDIA_TYPE || range === 'application/*' || range === '*/*';
}
