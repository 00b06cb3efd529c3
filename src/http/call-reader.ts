import {
  A2A_VERSION_HEADER,
  ContentTypeNotSupportedError,
  InvalidRequestError,
  JSONParseError,
  parseJson,
  PayloadTooLargeError,
} from 'nestjs-a2a/protocol';
import type { CallBinding } from '../agent/server-call-context.js';
import type { A2AUser } from '../authorization/a2a-user.js';
import { checkedUser } from '../authorization/user-check.js';
import type { UserResolver } from '../authorization/user.resolver.js';
import type { CallEntry } from '../operations/operation.gate.js';
import { releaseBody, type HttpIntake } from './host/http-intake.js';
import type { CallAdmission } from './call-admission.js';
import { foreignCharsetOf } from './body-charset.js';
import { ClientPresence } from './host/client-presence.js';
import { rawRequestOf } from './host/raw-http.js';

const VERSION_HEADER = A2A_VERSION_HEADER.toLowerCase();

/** Where a call came in. */
export interface CallPlace {
  readonly binding: CallBinding;
  /** The tenant in the path, on routes that have one. */
  readonly tenant: string | undefined;
  readonly intake: HttpIntake;
}

/** Reads from a framework's request what the gate wants to know of a call. */
export class CallReader {
  constructor(
    private readonly users: UserResolver,
    private readonly admission: CallAdmission,
  ) {}

  /** Call it before any `await`: it begins to watch whether the caller leaves. */
  async entryOf(request: object, response: object, place: CallPlace): Promise<CallEntry> {
    const caller = new ClientPresence(response);
    const headers = rawRequestOf(request)?.headers ?? {};
    const inHeader = headers[VERSION_HEADER];
    return {
      user: await (this.admission.open ? this.userOf(request) : this.callerOf(request)),
      binding: place.binding,
      version: String(inHeader ?? '').trim() || (queryOf(place.intake.rawUrl).get(A2A_VERSION_HEADER) ?? undefined),
      tenant: place.tenant,
      headers,
      request,
      caller,
    };
  }

  private async callerOf(request: object): Promise<A2AUser> {
    const { admission } = this;
    // Controllers of the host's own may not have our guard.
    await admission.admit(request);
    const user = await this.userOf(request);
    admission.confirm(request, user);
    return user;
  }

  private async userOf(request: object): Promise<A2AUser> {
    return checkedUser(await this.users.resolve(request), 'The UserResolver');
  }
}

/** The query of a URL as sent. */
export function queryOf(rawUrl: string): URLSearchParams {
  const start = rawUrl.indexOf('?');
  return new URLSearchParams(start < 0 ? '' : rawUrl.slice(start + 1));
}

/** What a body may be. */
export interface BodyRule {
  /** Whether a media type will do. */
  accepts(contentType: string | undefined): boolean;
  /** What there must be, for the error. */
  readonly expected: string;
  /** The most bytes that this agent takes. */
  readonly maxBytes: number;
  /** What stands for no body at all; absent: a body is needed. */
  readonly empty?: unknown;
}

/**
 * The JSON value of a request's body, which can be read once.
 *
 * @throws ContentTypeNotSupportedError, PayloadTooLargeError, JSONParseError, InvalidRequestError
 */
export function jsonBodyOf(intake: HttpIntake, rule: BodyRule): unknown {
  const { body, contentType } = intake;
  releaseBody(intake);
  const absent = body.kind === 'none' || (body.kind === 'text' && body.text === '');
  if (absent && 'empty' in rule) return rule.empty;
  if (!rule.accepts(contentType)) {
    throw new ContentTypeNotSupportedError(`The body must be ${rule.expected}, not ${contentType ?? 'of no type'}`);
  }
  const charset = foreignCharsetOf(contentType);
  if (charset !== undefined) throw new ContentTypeNotSupportedError(`The body must be UTF-8, not ${charset}`);
  switch (body.kind) {
    case 'none':
      throw new JSONParseError('The body is empty');
    case 'text':
      if (body.bytes > rule.maxBytes) throw new PayloadTooLargeError(rule.maxBytes);
      return parseJson(body.text);
    case 'too-large':
      throw new PayloadTooLargeError(body.limit);
    case 'malformed':
      throw new JSONParseError('The body is not valid UTF-8, or its compression is broken');
    case 'unsupported-encoding':
      throw new ContentTypeNotSupportedError(`The content encoding ${body.encoding} is not supported`);
    case 'timeout':
      throw new InvalidRequestError('The body did not arrive in time');
  }
}
