import { Injectable } from '@nestjs/common';
import { Network } from '../network/network.js';
import type { Link } from '../network/network-data.js';
import { CannotDo, type Evidence, type EvidenceOf } from './evidence.js';
import { SkilledAgent, type SkillResult } from './skilled-agent.executor.js';

/** Finds out what is broken, and whether it still is. */
@Injectable()
export class FaultAgent extends SkilledAgent {
  protected override readonly skills = {
    'alarm-correlation': () => this.correlate(),
    'recovery-check': (evidence: Evidence) => this.check(evidence.of('impact-assessment')),
    'closing-report': (evidence: Evidence) => this.report(evidence),
  };

  constructor(private readonly network: Network) {
    super();
  }

  /** The link whose sites are all missed, and that explains most of what is missed. */
  private correlate(): SkillResult {
    const alarms = this.network.alarms();
    const missed = new Set(alarms.filter(({ kind }) => kind === 'NE_OFFLINE').map(({ site }) => site));
    const candidates = this.network.links
      .map((link) => ({ link, behind: this.network.sitesBehind(link) }))
      .filter(({ behind }) => behind.every((site) => missed.has(site)))
      .sort((one, other) => other.behind.length - one.behind.length);
    const [best] = candidates;
    if (best === undefined) throw new CannotDo('没有可以关联的退服告警');
    const { link, behind } = best;
    const isExplained = ({ kind, site }: { kind: string; site: string }): boolean =>
      kind === 'NE_OFFLINE' && behind.includes(site);
    const explained = alarms.filter(isExplained).map(({ id }) => id);
    const unrelated = alarms.filter((alarm) => !isExplained(alarm)).map(({ id }) => id);
    const data = { ...this.causeOf(link), explained, unrelated };
    return { data, summary: `根因：${link.board} 单板（${data.boardType}），${explained.length} 条告警由它引起` };
  }

  private causeOf(link: Link) {
    const { id: board, type: boardType, site } = this.network.board(link.board);
    return { link: link.id, board, boardType, site };
  }

  private check({ sites }: EvidenceOf<'impact-assessment'>): SkillResult {
    const remaining = sites.filter((site) => !this.network.isOnline(site));
    const recovered = remaining.length === 0;
    const cleared = sites.length - remaining.length;
    const summary = recovered ? `${cleared} 个基站全部恢复` : `${remaining.length} 个基站仍未恢复`;
    return { data: { recovered, cleared, remaining }, summary };
  }

  private report(evidence: Evidence): SkillResult {
    const cause = evidence.of('alarm-correlation');
    const { users, restoreWithinMinutes } = evidence.of('impact-assessment');
    const { engineer, cost } = evidence.of('visit-scheduling');
    const { depot } = evidence.of('spare-part-reservation');
    const { movedMbps } = evidence.of('traffic-relief');
    const { order, outageMinutes } = evidence.of('on-site-repair');
    const { cleared } = evidence.of('recovery-check');
    const withinLimit = outageMinutes <= restoreWithinMinutes;
    const text = [
      `故障单板：${this.network.site(cause.site).name} ${cause.board}`,
      `影响用户：${users}；疏通流量：${movedMbps} Mbps`,
      `工单 ${order}：${engineer}，费用 ${cost} 元，备件来自${depot}`,
      `中断 ${outageMinutes} 分钟（时限 ${restoreWithinMinutes} 分钟），恢复基站 ${cleared} 个`,
    ].join('\n');
    return { data: { text, withinLimit, outageMinutes }, summary: withinLimit ? '在时限内闭环' : '超出时限' };
  }
}
