/** Kilometres from the core. */
export interface Place {
  readonly x: number;
  readonly y: number;
}

export type ServiceLevel = 'gold' | 'silver' | 'bronze';

/** A base station, or a place where links come together. */
export interface Site extends Place {
  readonly id: string;
  readonly name: string;
  readonly users: number;
  readonly trafficMbps: number;
  readonly capacityMbps: number;
  readonly level: ServiceLevel;
}

/** A link of the tree, away from the core. It ends on a board at its upper site. */
export interface Link {
  readonly id: string;
  readonly from: string;
  readonly to: string;
  readonly board: string;
}

export interface Board {
  readonly id: string;
  readonly site: string;
  readonly type: string;
}

export interface Engineer extends Place {
  readonly name: string;
  readonly boards: readonly string[];
  readonly freeInMinutes: number;
  readonly ratePerHour: number;
}

export interface Depot extends Place {
  readonly name: string;
  readonly stock: Readonly<Record<string, number>>;
}

export interface Alarm {
  readonly id: string;
  readonly kind: 'NE_OFFLINE' | 'POWER_LOW' | 'TEMPERATURE_HIGH';
  readonly site: string;
}

const site = (
  id: string,
  name: string,
  [x, y]: readonly [number, number],
  [users, trafficMbps, capacityMbps]: readonly [number, number, number],
  level: ServiceLevel,
): Site => ({ id, name, x, y, users, trafficMbps, capacityMbps, level });

export const SITES: readonly Site[] = [
  site('HX', '核心机房', [0, 0], [0, 0, 20_000], 'gold'),
  site('A1', '东湖汇聚站', [6, 2], [900, 300, 4_000], 'gold'),
  site('A2', '西山汇聚站', [-7, 1], [700, 250, 4_000], 'gold'),
  site('S1', '科技园基站', [9, 3], [2_400, 620, 1_000], 'gold'),
  site('S2', '大学城基站', [8, 6], [3_100, 740, 1_000], 'gold'),
  site('S3', '体育馆基站', [12, 6], [800, 180, 600], 'silver'),
  site('S4', '会展中心基站', [10, 9], [1_500, 410, 800], 'silver'),
  site('S5', '江滩基站', [-9, 3], [1_100, 260, 600], 'silver'),
  site('S6', '古镇基站', [-6, -3], [500, 90, 400], 'bronze'),
  site('S7', '南湖基站', [7, 9], [1_300, 330, 900], 'silver'),
];

export const LINKS: readonly Link[] = [
  { id: 'L1', from: 'HX', to: 'A1', board: 'HX-01' },
  { id: 'L2', from: 'HX', to: 'A2', board: 'HX-02' },
  { id: 'L3', from: 'A1', to: 'S1', board: 'A1-03' },
  { id: 'L4', from: 'A1', to: 'S2', board: 'A1-04' },
  { id: 'L5', from: 'S2', to: 'S3', board: 'S2-01' },
  { id: 'L6', from: 'S2', to: 'S4', board: 'S2-02' },
  { id: 'L7', from: 'A2', to: 'S5', board: 'A2-03' },
  { id: 'L8', from: 'A2', to: 'S6', board: 'A2-04' },
  { id: 'L9', from: 'HX', to: 'S7', board: 'HX-03' },
];

export const BOARDS: readonly Board[] = LINKS.map(({ board, from }) => ({
  id: board,
  site: from,
  type: from === 'HX' ? 'OTN-4' : 'PTN-8',
}));

/** What is always there, and has nothing to do with the fault. */
export const NOISE: readonly Alarm[] = [
  { id: 'AL-901', kind: 'POWER_LOW', site: 'S6' },
  { id: 'AL-902', kind: 'TEMPERATURE_HIGH', site: 'S1' },
];

export const ENGINEERS: readonly Engineer[] = [
  { name: '王磊', boards: ['PTN-8'], x: -8, y: 0, freeInMinutes: 240, ratePerHour: 120 },
  { name: '李娜', boards: ['PTN-8', 'OTN-4'], x: 2, y: 1, freeInMinutes: 30, ratePerHour: 260 },
  { name: '张伟', boards: ['PTN-8'], x: 5, y: -3, freeInMinutes: 60, ratePerHour: 180 },
  { name: '陈静', boards: ['OTN-4'], x: 0, y: 0, freeInMinutes: 0, ratePerHour: 100 },
];

export const DEPOTS: readonly Depot[] = [
  { name: '中心备件库', x: 0, y: 1, stock: { 'PTN-8': 1, 'OTN-4': 2 } },
  { name: '东区备件库', x: 7, y: 0, stock: { 'PTN-8': 0, 'OTN-4': 1 } },
  { name: '西区备件库', x: -8, y: 2, stock: { 'PTN-8': 3 } },
];
