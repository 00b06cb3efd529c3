import { Injectable } from '@nestjs/common';
import type { AgentEmitter, RequestContext } from 'nestjs-a2a';
import { Performative } from 'nestjs-a2a/workflow';
import { Network } from '../network/network.js';
import { assignmentIn } from './assignment.js';
import { CannotDo, type Evidence, type EvidenceOf } from './evidence.js';
import { finish, SkilledAgent, type SkillResult } from './skilled-agent.executor.js';
import { answerIn, firstRound, proposalIn, proposalMessage } from './visit-negotiation.js';
import { possibleVisits, restoredAfter, type Visit } from './visit-planner.js';

const SCHEDULING = 'visit-scheduling';

/** Sends people out. It proposes the cheapest visit first, and a better one when it is told what is needed. */
@Injectable()
export class FieldAgent extends SkilledAgent {
  protected override readonly skills = {
    'work-order': (evidence: Evidence) => this.order(evidence),
    'on-site-repair': (evidence: Evidence, emitter: AgentEmitter) => this.repair(evidence.of('work-order'), emitter),
  };
  private orders = 0;

  constructor(private readonly network: Network) {
    super();
  }

  override async execute(context: RequestContext, emitter: AgentEmitter): Promise<void> {
    if (context.task !== undefined) return this.negotiate(context, emitter);
    const { skill, evidence } = readQuietly(context) ?? {};
    if (skill !== SCHEDULING || evidence === undefined) return super.execute(context, emitter);
    const [visit] = possibleVisits(this.network, evidence.of('alarm-correlation'));
    if (visit === undefined) return emitter.fail('没有能修这种单板的工程师');
    await emitter.requireInput(proposalMessage({ visit, context: firstRound(context.taskId) }));
  }

  private async negotiate({ message, task }: RequestContext, emitter: AgentEmitter): Promise<void> {
    const proposal = task && proposalIn(task);
    const original = task?.history?.[0];
    if (proposal === undefined || original === undefined) return emitter.fail('没有等待答复的建议');
    const { context, restoreWithinMinutes: limit } = answerIn(message);
    if (context.performative === Performative.ACCEPT) return finish(emitter, SCHEDULING, agreed(proposal.visit));
    if (context.performative === Performative.ABORT) return emitter.reject('协商已中止');
    const { evidence } = assignmentIn(original);
    const others = possibleVisits(this.network, evidence.of('alarm-correlation'));
    const better = others.find((visit) => visit.engineer !== proposal.visit.engineer && isWithin(visit, limit));
    if (better === undefined || context.round >= context.maxRounds) return emitter.fail('没有满足时限的上门窗口');
    const next = { ...context, round: context.round + 1, performative: Performative.PROPOSE };
    await emitter.requireInput(proposalMessage({ visit: better, context: next }));
  }

  private order(evidence: Evidence): SkillResult {
    const visit = evidence.of(SCHEDULING);
    const { board } = evidence.of('alarm-correlation');
    const { depot } = evidence.of('spare-part-reservation');
    this.orders += 1;
    const order = `GD-${String(this.orders).padStart(4, '0')}`;
    const endsInMinutes = restoredAfter(visit);
    const data = { order, engineer: visit.engineer, board, depot, endsInMinutes };
    return { data, summary: `工单 ${order} 已派给${visit.engineer}` };
  }

  private async repair(order: EvidenceOf<'work-order'>, emitter: AgentEmitter): Promise<SkillResult> {
    await emitter.working(`${order.engineer}从${order.depot}取备件`);
    await emitter.working(`正在更换单板 ${order.board}`);
    this.network.replaceBoard(order.board);
    const data = { order: order.order, board: order.board, outageMinutes: order.endsInMinutes };
    return { data, summary: `单板 ${order.board} 已更换` };
  }
}

function agreed(visit: Visit): SkillResult {
  return { data: { ...visit }, summary: `${visit.engineer}将在 ${visit.arrivesInMinutes} 分钟后到达` };
}

function isWithin(visit: Visit, limit: number | undefined): boolean {
  return limit === undefined || restoredAfter(visit) <= limit;
}

/** What is no assignment is told of elsewhere. */
function readQuietly({ message }: RequestContext) {
  try {
    return assignmentIn(message);
  } catch (error) {
    if (error instanceof CannotDo) return undefined;
    throw error;
  }
}
