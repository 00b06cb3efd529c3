import { hostOf } from './host-names.js';
import { parseIp } from './ip-address.js';

/** A list of hosts, each an exact name or `*.suffix`, which is every name below the suffix. */
export class HostList {
  private readonly exact = new Set<string>();
  private readonly suffixes: string[] = [];

  /** @throws TypeError when an item is neither a name nor `*.suffix` */
  constructor(items: readonly string[]) {
    for (const item of items) {
      const below = item.startsWith('*.');
      const host = normalise(below ? item.slice(2) : item, item);
      if (!below) this.exact.add(host);
      else if (parseIp(host)) throw notAHost(item);
      else this.suffixes.push(`.${host}`);
    }
  }

  has(host: string): boolean {
    return this.exact.has(host) || this.suffixes.some((suffix) => host.endsWith(suffix));
  }
}

// By the same parser as the URLs that are compared with it: case, IDN and odd spellings of addresses come out alike.
function normalise(name: string, item: string): string {
  const text = name.includes(':') && !name.startsWith('[') ? `[${name}]` : name;
  if (text === '' || /[/?#@\\*\s]/.test(text) || (!text.startsWith('[') && text.includes(':'))) throw notAHost(item);
  if (!URL.canParse(`https://${text}/`)) throw notAHost(item);
  const url = new URL(`https://${text}/`);
  if (url.port !== '' || hostOf(url) === '') throw notAHost(item);
  return hostOf(url);
}

function notAHost(item: string): TypeError {
  return new TypeError(`'${item}' is not a host: write a name without scheme, port and path, or '*.example.com'`);
}
