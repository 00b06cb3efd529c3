import { AddressPolicy, type AddressPolicyOptions, ForbiddenTargetError, SafeHttpError } from 'nestjs-a2a/net';
import { A2AClientError } from '../client-error.js';
import { type ClientNetwork, isPolicy } from './client-network.js';

/** Those that have to do with no host. */
const OWN = new Set(['CLOSED', 'BAD_HEADER']);

/** Scheme, host and port of a URL: what stands besides in it may be a secret. */
export function placeOf(url: string): string | undefined {
  if (!URL.canParse(url)) return undefined;
  const { protocol, host } = new URL(url);
  return host === '' ? undefined : `${protocol}//${host}`;
}

/** What failed below, as an error of the client that says where. */
export function httpFailure(cause: unknown, url: string, network: ClientNetwork | undefined): unknown {
  const place = placeOf(url);
  if (cause instanceof SafeHttpError) {
    const message = place === undefined || OWN.has(cause.code) ? cause.message : `${place}: ${cause.message}`;
    return new A2AClientError(cause.code, message, { cause });
  }
  if (!(cause instanceof ForbiddenTargetError)) return cause;
  const { reason } = cause;
  return new A2AClientError(
    cause.code,
    `${place ?? 'The target'} is refused: ${reason}${place === undefined ? '' : wayIn(new URL(url), network)}`,
    { cause },
  );
}

/** What to write into the option, where that would help. */
function wayIn(url: URL, network: ClientNetwork = {}): string {
  if (network === 'any') return '';
  if (isPolicy(network)) return '. That is what the policy in the option network says';
  const { hostname, protocol } = url;
  const hosts = [hostname.replace(/^\[|\]$/g, '')];
  const allowHttp = network.allowHttp === true || protocol === 'http:';
  if (!isAllowed(url, { hosts, allowHttp })) return '';
  if (Object.keys(network).length === 0) {
    const value = `{ hosts: ['${hosts[0]}']${allowHttp ? ', allowHttp: true' : ''} }`;
    return `. If it is meant to be reached, set the option network: ${value}, or network: 'any' for development`;
  }
  const more = allowHttp && network.allowHttp !== true ? ', and set allowHttp: true' : '';
  return `. If it is meant to be reached, add '${hosts[0]}' to hosts in the option network${more}`;
}

function isAllowed(url: URL, options: AddressPolicyOptions): boolean {
  try {
    new AddressPolicy(options).checkUrl(url);
    return true;
  } catch {
    return false;
  }
}
