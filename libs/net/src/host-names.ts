/** The host of a URL as rules see it: no brackets, no dot at the end. */
export function hostOf(url: URL): string {
  return url.hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '');
}

// Names that lead somewhere else on every network, or into the machine, by standard or by habit.
const INNER_SUFFIXES = ['localhost', 'localdomain', 'local', 'internal', 'intranet', 'lan', 'home.arpa', 'svc'];
const INNER_NAMES = new Set(['kubernetes.default', 'metadata.goog']);

/** What is wrong with a host name, which is not an address. */
export function nameFault(host: string): string | undefined {
  if (host === '') return 'no host';
  if (host.includes('%')) return 'zone id';
  const labels = host.split('.');
  if (labels.includes('')) return 'host name with an empty label';
  if (INNER_SUFFIXES.includes(host)) return 'host name of the local network';
  if (labels.length === 1) return 'host name without a domain';
  if (INNER_NAMES.has(host) || INNER_SUFFIXES.some((suffix) => host.endsWith(`.${suffix}`))) {
    return 'host name of the local network';
  }
  return undefined;
}
