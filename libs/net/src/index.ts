export { abortable } from './abortable.js';
export { AddressPolicy, type AddressPolicyOptions } from './address.policy.js';
export { ForbiddenTargetError, SafeHttpError, type SafeHttpErrorCode } from './errors.js';
export { canonicalIp } from './ip-address.js';
export { nearName } from './near-name.js';
export { retryAfterOf } from './retry-after.js';
export { SafeHttpClient } from './safe-http-client.js';
export type {
  HostResolver,
  SafeAnswer,
  SafeHttpClientOptions,
  SafeRequest,
  SafeStream,
  SafeStreamRequest,
} from './safe-http.types.js';
export type { TargetPolicy } from './target-policy.js';
export { createTlsContext } from './tls/create-tls-context.js';
export type { TlsContext, TlsContextOptions } from './tls/tls-context.js';
export { TlsContextError } from './tls/tls.errors.js';
export { type UnknownName, unknownNames } from './unknown-names.js';
