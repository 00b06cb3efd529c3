import { SafeHttpError } from './errors.js';

const NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
// Control characters could end the header and start another; what is beyond Latin-1 has no bytes on the wire.
const VALUE = /^[\t\x20-\x7e\x80-\xff]*$/;

/** They say where the request goes and where it ends: the client's business, and the way to smuggle another one. */
const OWN = new Set([
  'connection',
  'content-length',
  'expect',
  'host',
  'keep-alive',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

/**
 * The headers as they are sent, names in lower case. Values never show in errors: they may be secrets.
 *
 * @throws SafeHttpError `BAD_HEADER`
 */
export function requestHeaders(headers: Readonly<Record<string, string>> = {}): Record<string, string> {
  // Nothing is decompressed here, so nothing compressed is asked for.
  const sent = new Map([['accept-encoding', 'identity']]);
  const seen = new Set<string>();
  for (const [written, value] of Object.entries(headers)) {
    const name = written.toLowerCase();
    if (!NAME.test(name)) throw bad('A header name holds characters that no header name may have');
    if (OWN.has(name)) throw bad(`The header '${name}' is set by the client: leave it out`);
    if (seen.has(name)) throw bad(`The header '${name}' is there twice: write it once`);
    if (!VALUE.test(value)) throw bad(`The value of the header '${name}' holds control or non-Latin-1 characters`);
    seen.add(name);
    sent.set(name, value);
  }
  return Object.fromEntries(sent);
}

function bad(message: string): SafeHttpError {
  return new SafeHttpError('BAD_HEADER', message);
}
