import { Injectable } from '@nestjs/common';
import { kilometresBetween, Network } from '../network/network.js';
import { DEPOTS, type ServiceLevel, type Site } from '../network/network-data.js';
import { CannotDo, type Evidence, type EvidenceOf } from './evidence.js';
import { SkilledAgent, type SkillResult } from './skilled-agent.executor.js';

const RESTORE_WITHIN_MINUTES: Readonly<Record<ServiceLevel, number>> = { gold: 180, silver: 360, bronze: 720 };
const NEIGHBOUR_KM = 6;

/** Knows sites, users, capacity and spare parts. */
@Injectable()
export class ResourceAgent extends SkilledAgent {
  protected override readonly skills = {
    'impact-assessment': (evidence: Evidence) => this.assess(evidence.of('alarm-correlation')),
    'spare-part-reservation': (evidence: Evidence) => this.reserve(evidence.of('alarm-correlation')),
    'traffic-relief': (evidence: Evidence) => this.relieve(evidence.of('impact-assessment')),
  };
  private readonly depots = DEPOTS.map((depot) => ({ ...depot, stock: new Map(Object.entries(depot.stock)) }));

  constructor(private readonly network: Network) {
    super();
  }

  private assess({ link }: EvidenceOf<'alarm-correlation'>): SkillResult {
    const cut = this.network.links.find(({ id }) => id === link);
    if (cut === undefined) throw new CannotDo(`没有这条链路：${link}`);
    const sites = this.network.sitesBehind(cut).map((id) => this.network.site(id));
    const data = {
      sites: sites.map(({ id }) => id),
      users: sum(sites.map(({ users }) => users)),
      trafficMbps: sum(sites.map(({ trafficMbps }) => trafficMbps)),
      restoreWithinMinutes: Math.min(...sites.map(({ level }) => RESTORE_WITHIN_MINUTES[level])),
    };
    const summary = `影响 ${sites.length} 个基站、${data.users} 个用户，须在 ${data.restoreWithinMinutes} 分钟内恢复`;
    return { data, summary };
  }

  private reserve({ site, boardType: part }: EvidenceOf<'alarm-correlation'>): SkillResult {
    const place = this.network.site(site);
    const [nearest] = this.depots
      .filter(({ stock }) => (stock.get(part) ?? 0) > 0)
      .map((depot) => ({ depot, kilometres: rounded(kilometresBetween(depot, place)) }))
      .sort((one, other) => one.kilometres - other.kilometres);
    if (nearest === undefined) throw new CannotDo(`所有备件库都没有 ${part}`);
    const { depot, kilometres } = nearest;
    const left = (depot.stock.get(part) ?? 0) - 1;
    depot.stock.set(part, left);
    return {
      data: { depot: depot.name, part, kilometres, left },
      summary: `${depot.name}已预留一块 ${part}，余 ${left}`,
    };
  }

  /** Site after site, to the nearest neighbours that have room. */
  private relieve({ sites }: EvidenceOf<'impact-assessment'>): SkillResult {
    const affected = sites.map((id) => this.network.site(id));
    const room = new Map(
      this.network.sites.map(({ id, capacityMbps, trafficMbps }) => [id, capacityMbps - trafficMbps]),
    );
    const moves: { from: string; to: string; mbps: number }[] = [];
    for (const from of affected) {
      let left = from.trafficMbps;
      for (const to of this.neighboursOf(from)) {
        const mbps = Math.min(left, room.get(to.id) ?? 0);
        if (mbps <= 0) continue;
        moves.push({ from: from.id, to: to.id, mbps });
        room.set(to.id, (room.get(to.id) ?? 0) - mbps);
        left -= mbps;
      }
    }
    const movedMbps = sum(moves.map(({ mbps }) => mbps));
    const leftMbps = sum(affected.map(({ trafficMbps }) => trafficMbps)) - movedMbps;
    return { data: { moves, movedMbps, leftMbps }, summary: `疏通 ${movedMbps} Mbps，尚余 ${leftMbps} Mbps` };
  }

  private neighboursOf(site: Site): Site[] {
    const near = (other: Site): number => kilometresBetween(site, other);
    return this.network.sites
      .filter((other) => other.users > 0 && this.network.isOnline(other.id) && near(other) <= NEIGHBOUR_KM)
      .sort((one, other) => near(one) - near(other));
  }
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

function rounded(value: number): number {
  return Math.round(value * 10) / 10;
}
