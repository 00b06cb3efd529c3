import { z } from 'zod';

const SCHEMAS = {
  'alarm-correlation': z.object({
    link: z.string(),
    board: z.string(),
    boardType: z.string(),
    site: z.string(),
    explained: z.array(z.string()),
    unrelated: z.array(z.string()),
  }),
  'impact-assessment': z.object({
    sites: z.array(z.string()),
    users: z.number(),
    trafficMbps: z.number(),
    restoreWithinMinutes: z.number(),
  }),
  'visit-scheduling': z.object({
    engineer: z.string(),
    arrivesInMinutes: z.number(),
    repairMinutes: z.number(),
    cost: z.number(),
  }),
  'spare-part-reservation': z.object({ depot: z.string(), part: z.string(), kilometres: z.number(), left: z.number() }),
  'traffic-relief': z.object({
    moves: z.array(z.object({ from: z.string(), to: z.string(), mbps: z.number() })),
    movedMbps: z.number(),
    leftMbps: z.number(),
  }),
  'work-order': z.object({
    order: z.string(),
    engineer: z.string(),
    board: z.string(),
    depot: z.string(),
    endsInMinutes: z.number(),
  }),
  'on-site-repair': z.object({ order: z.string(), board: z.string(), outageMinutes: z.number() }),
  'recovery-check': z.object({ recovered: z.boolean(), cleared: z.number(), remaining: z.array(z.string()) }),
};

export type EvidenceName = keyof typeof SCHEMAS;
export type EvidenceOf<N extends EvidenceName> = z.infer<(typeof SCHEMAS)[N]>;

/** What each skill gives, which the ones after it may be shown. */
export const EVIDENCE: { readonly [N in EvidenceName]: z.ZodType<EvidenceOf<N>> } = SCHEMAS;

/** The agent cannot do what it was asked for; the text is for whoever asked. */
export class CannotDo extends Error {}

/** What was handed to an agent. Nothing of it is believed before it was looked at. */
export class Evidence {
  constructor(private readonly given: Readonly<Record<string, unknown>>) {}

  /** @throws CannotDo when it is missing, or not what it should be */
  of<N extends EvidenceName>(name: N): EvidenceOf<N> {
    const schema: z.ZodType<EvidenceOf<N>> = EVIDENCE[name];
    const read = schema.safeParse(this.given[name]);
    if (read.success) return read.data;
    throw new CannotDo(`缺少可用的前序结果：${name}`);
  }
}
