import { kilometresBetween, type Network } from '../network/network.js';
import { ENGINEERS } from '../network/network-data.js';
import type { EvidenceOf } from './evidence.js';

const MINUTES_PER_KM = 2;
const REPAIR_MINUTES = 45;

export type Visit = EvidenceOf<'visit-scheduling'>;

/** All visits that are possible, the cheapest first. */
export function possibleVisits(network: Network, { site, boardType }: EvidenceOf<'alarm-correlation'>): Visit[] {
  const place = network.site(site);
  return ENGINEERS.filter(({ boards }) => boards.includes(boardType))
    .map((engineer) => {
      const travel = Math.round(kilometresBetween(engineer, place) * MINUTES_PER_KM);
      return {
        engineer: engineer.name,
        arrivesInMinutes: engineer.freeInMinutes + travel,
        repairMinutes: REPAIR_MINUTES,
        cost: Math.round((engineer.ratePerHour * (travel + REPAIR_MINUTES)) / 60),
      };
    })
    .sort((one, other) => one.cost - other.cost);
}

export function restoredAfter({ arrivesInMinutes, repairMinutes }: Visit): number {
  return arrivesInMinutes + repairMinutes;
}
