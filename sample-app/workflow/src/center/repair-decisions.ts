import { Injectable } from '@nestjs/common';
import { isDataPart, type JsonValue } from 'nestjs-a2a/protocol';
import {
  A2ATExtension,
  A2atMessages,
  BusinessFailure,
  DefaultControlPoint,
  type MessageContent,
  NegotiationReply,
  type NegotiationRequest,
  Performative,
  RouteDecision,
  type RouteRequest,
  type TaskRequest,
  type WorkflowInput,
} from 'nestjs-a2a/workflow';
import { EVIDENCE, Evidence } from '../agents/evidence.js';
import { RepairPolicy } from './repair-policy.js';

const { TASK_T, NEGOTIATION_T } = A2ATExtension;
const NEGOTIABLE: ReadonlySet<string> = new Set(['visit-scheduling']);

/** Decides in place of the operator: what agents are told, which visit will do, and whether the repair is over. */
@Injectable()
export class RepairDecisions extends DefaultControlPoint {
  constructor(private readonly policy: RepairPolicy) {
    super();
  }

  override onTask({ instruction, skill, workflowInput }: TaskRequest): MessageContent {
    const generated = { extensionUri: TASK_T.uri, promptText: instruction, templateUri: `urn:example:repair:${skill}` };
    const data = { skill, evidence: evidenceIn(workflowInput) };
    const content = A2atMessages.from(generated, [{ text: instruction }, { data }]);
    return NEGOTIABLE.has(skill) ? content.withExtension(NEGOTIATION_T.uri) : content;
  }

  override onRoute({ currentResults }: RouteRequest): RouteDecision {
    const found = currentResults.map(({ outputs }) => EVIDENCE['recovery-check'].safeParse(outputs[0]));
    const isOver = found.every(({ data }) => data?.recovered === true);
    return isOver ? RouteDecision.allow('受影响基站全部在线') : RouteDecision.deny('仍有基站退服');
  }

  override onNegotiation({ received, task }: NegotiationRequest): NegotiationReply {
    const context = A2atMessages.contextOf(received);
    const proposal = EVIDENCE['visit-scheduling'].safeParse(received.message?.parts.find(isDataPart)?.data);
    if (!proposal.success) throw new BusinessFailure('repair.unreadable_proposal', '建议中没有上门窗口');
    const { restoreWithinMinutes } = new Evidence(evidenceIn(task.workflowInput)).of('impact-assessment');
    const objection = this.policy.objectionTo(proposal.data, restoreWithinMinutes);
    if (objection !== undefined && context.round >= context.maxRounds) {
      return NegotiationReply.stop('repair.no_visit', objection);
    }
    const performative = objection === undefined ? Performative.ACCEPT : Performative.REJECT;
    const promptText = objection === undefined ? '接受' : `拒绝：${objection}`;
    const templateUri = 'urn:example:repair:visit-reply';
    const negotiationContext = { ...context, performative };
    return NegotiationReply.send(
      A2atMessages.from({ extensionUri: NEGOTIATION_T.uri, promptText, templateUri, negotiationContext }, [
        { text: promptText },
        { data: { restoreWithinMinutes } },
      ]),
    );
  }
}

/** What the steps before came to, by the skill that did it. */
function evidenceIn({ upstreamResults }: WorkflowInput): { [skill: string]: JsonValue } {
  const results = upstreamResults.flatMap(({ taskResults }) => taskResults);
  return Object.fromEntries(
    results.flatMap(({ skill, outputs: [first] }) => (first === undefined ? [] : [[skill, first]])),
  );
}
