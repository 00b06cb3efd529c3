export { AddressPolicy, type AddressPolicyOptions } from './address.policy.js';
export { ForbiddenTargetError, SafeHttpError, type SafeHttpErrorCode } from './errors.js';
export { SafeHttpClient } from './safe-http-client.js';
export type {
  HostResolver,
  SafeAnswer,
  SafeHttpClientOptions,
  SafeRequest,
  SafeTlsOptions,
} from './safe-http.types.js';
export type { TargetPolicy } from './target-policy.js';
