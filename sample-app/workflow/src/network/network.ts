import {
  BOARDS,
  LINKS,
  NOISE,
  SITES,
  type Alarm,
  type Board,
  type Link,
  type Place,
  type Site,
} from './network-data.js';

/** The network as it is: the world that the three agents share, and that a repair changes. */
export class Network {
  private readonly broken: Set<string>;

  constructor(broken: readonly string[] = []) {
    this.broken = new Set(broken);
  }

  get sites(): readonly Site[] {
    return SITES;
  }

  get links(): readonly Link[] {
    return LINKS;
  }

  site(id: string): Site {
    return found(SITES, id, '站点');
  }

  board(id: string): Board {
    return found(BOARDS, id, '单板');
  }

  /** The sites that hang on a link, its own end first. */
  sitesBehind({ to }: Link): readonly string[] {
    return [to, ...LINKS.filter(({ from }) => from === to).flatMap((link) => this.sitesBehind(link))];
  }

  isOnline(site: string): boolean {
    return !this.offline().includes(site);
  }

  /** A board that breaks takes its own management channel with it: only the sites behind it are missed. */
  alarms(): readonly Alarm[] {
    const missed = this.offline().map((site, at): Alarm => ({ id: `AL-${101 + at}`, kind: 'NE_OFFLINE', site }));
    return [...missed, ...NOISE];
  }

  replaceBoard(id: string): void {
    this.broken.delete(this.board(id).id);
  }

  private offline(): readonly string[] {
    const sites = LINKS.filter(({ board }) => this.broken.has(board)).flatMap((link) => this.sitesBehind(link));
    return [...new Set(sites)];
  }
}

export function kilometresBetween(one: Place, other: Place): number {
  return Math.hypot(one.x - other.x, one.y - other.y);
}

function found<T extends { readonly id: string }>(entries: readonly T[], id: string, what: string): T {
  const entry = entries.find((candidate) => candidate.id === id);
  if (entry === undefined) throw new Error(`没有这个${what}：${id}`);
  return entry;
}
