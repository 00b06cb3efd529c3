import { AddressPolicy, type AddressPolicyOptions, type TargetPolicy } from 'nestjs-a2a/net';
import { A2AClientError } from '../client-error.js';
import { checkNames, INVALID_CONFIGURATION, type NamesOf } from '../option-names.js';

/**
 * Where a client may connect to. Default: the public internet, by HTTPS.
 *
 * - {@link AddressPolicyOptions}: what is allowed besides, in-cluster hosts for example; `localhost`, `127.0.0.1` and
 *   `::1` in `hosts` are one
 * - a `TargetPolicy`: judges every URL and every address itself
 * - `'any'`: everything, by HTTP as well; for development
 *
 * @publicApi
 */
export type ClientNetwork = AddressPolicyOptions | TargetPolicy | 'any';

const ANYWHERE: TargetPolicy = { checkUrl: () => undefined, checkAddress: () => undefined };

const THIS_MACHINE = ['localhost', '127.0.0.1', '::1'];

const NAMES: NamesOf<AddressPolicyOptions> = {
  hosts: true,
  cidrs: true,
  allowHttp: true,
  ports: true,
  onlyListed: true,
};

/** @throws A2AClientError `INVALID_CONFIGURATION` */
export function targetPolicyOf(network: ClientNetwork = {}): TargetPolicy {
  if (network === 'any') return ANYWHERE;
  if (typeof network !== 'object') throw invalid("right is an object, a policy of your own or 'any'");
  if (isPolicy(network)) return network;
  checkNames('network', network, NAMES);
  try {
    return new AddressPolicy(withAllOfThisMachine(network));
  } catch (error) {
    throw error instanceof TypeError ? invalid(error.message, error) : error;
  }
}

// Who calls an agent on this machine by one of them is led to another by its card.
function withAllOfThisMachine(options: AddressPolicyOptions): AddressPolicyOptions {
  const { hosts = [] } = options;
  const isThisMachine = hosts.some((host) => THIS_MACHINE.includes(host.toLowerCase().replace(/^\[|\]$/g, '')));
  return isThisMachine ? { ...options, hosts: [...hosts, ...THIS_MACHINE] } : options;
}

/** Is it for others to say what may be reached? */
export function isPolicy(network: AddressPolicyOptions | TargetPolicy): network is TargetPolicy {
  return 'checkUrl' in network && 'checkAddress' in network;
}

function invalid(problem: string, cause?: unknown): A2AClientError {
  return new A2AClientError(INVALID_CONFIGURATION, `network: ${problem}`, { cause });
}
