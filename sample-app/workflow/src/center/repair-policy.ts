import { Injectable } from '@nestjs/common';
import { restoredAfter, type Visit } from '../agents/visit-planner.js';

/** What the operator wants. */
@Injectable()
export class RepairPolicy {
  private readonly maxCost = 600;

  /** Why a visit will not do; undefined when it will. */
  objectionTo(visit: Visit, restoreWithinMinutes: number): string | undefined {
    const restored = restoredAfter(visit);
    if (restored > restoreWithinMinutes) return `${restored} 分钟才能恢复，时限是 ${restoreWithinMinutes} 分钟`;
    return visit.cost > this.maxCost ? `费用 ${visit.cost} 元，超过 ${this.maxCost} 元` : undefined;
  }
}
