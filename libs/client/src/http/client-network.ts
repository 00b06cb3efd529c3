import { AddressPolicy, type AddressPolicyOptions, type TargetPolicy } from 'nestjs-a2a/net';

/**
 * Where a client may connect to. Default: the public internet, by HTTPS.
 *
 * - {@link AddressPolicyOptions}: what is allowed besides, in-cluster hosts for example
 * - a `TargetPolicy`: judges every URL and every address itself
 * - `'any'`: everything, by HTTP as well; for development
 *
 * @publicApi
 */
export type ClientNetwork = AddressPolicyOptions | TargetPolicy | 'any';

const ANYWHERE: TargetPolicy = { checkUrl: () => undefined, checkAddress: () => undefined };

export function targetPolicyOf(network: ClientNetwork = {}): TargetPolicy {
  if (network === 'any') return ANYWHERE;
  return isPolicy(network) ? network : new AddressPolicy(network);
}

function isPolicy(network: AddressPolicyOptions | TargetPolicy): network is TargetPolicy {
  return 'checkUrl' in network && 'checkAddress' in network;
}
