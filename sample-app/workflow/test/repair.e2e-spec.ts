import 'reflect-metadata';
import { afterEach, describe, expect, it } from '@jest/globals';
import { type ExecutionResult, type NegotiationReply, renderWorkflow, type WorkflowEvent } from 'nestjs-a2a/workflow';
import { eventLine } from '../src/console/event-line.js';
import { readPsop } from '../src/center/read-psop.js';
import { Network } from '../src/network/network.js';
import { RepairCenter } from '../src/repair-center.js';

const PSOP = 'sample-app/workflow/psop/board-fault.json';
const STEPS = [
  '告警关联定位',
  '影响评估',
  '上门窗口协商',
  '备件预留',
  '业务疏通',
  '工单下发',
  '现场修复',
  '恢复验证',
  '闭环报告',
];

let center: RepairCenter | undefined;
afterEach(async () => center?.close());

async function repaired(network: Network) {
  center = await RepairCenter.start(network);
  const psop = await readPsop(PSOP);
  const run = center.run(psop, '请修复');
  const events: WorkflowEvent[] = [];
  run.events$.subscribe((event) => events.push(event));
  return { psop, result: await run, events };
}

/** What a step came to. */
function outputOf({ stepOutputs }: ExecutionResult, step: string): unknown {
  return Object.values(stepOutputs[step] ?? {})[0]?.[0];
}

function wordsOf(reply: NegotiationReply): unknown {
  return reply.kind === 'send' ? reply.content.metadata['negotiationContext'] : reply.code;
}

describe('the repair workflow', () => {
  it('runs its nine steps, with a visit that is negotiated in two rounds, and repairs the network', async () => {
    const network = new Network(['A1-04']);
    const { psop, result, events } = await repaired(network);

    expect([result.success, result.error]).toEqual([true, null]);
    expect(result.history.map(({ step, status }) => [step, status])).toEqual(STEPS.map((step) => [step, 'success']));
    expect(network.alarms().map(({ id }) => id)).toEqual(['AL-901', 'AL-902']);
    expect(outputOf(result, '告警关联定位')).toMatchObject({
      board: 'A1-04',
      explained: ['AL-101', 'AL-102', 'AL-103'],
    });
    expect(outputOf(result, '业务疏通')).toMatchObject({ movedMbps: 950, leftMbps: 380 });
    expect(outputOf(result, '闭环报告')).toMatchObject({ withinLimit: true, outageMinutes: 115 });

    const replies = events.flatMap((event) =>
      event.type === 'negotiation_resolved' ? [wordsOf(event.data.reply)] : [],
    );
    expect(replies).toMatchObject([
      { round: 1, maxRounds: 3, performative: 'REJECT' },
      { round: 2, maxRounds: 3, performative: 'ACCEPT' },
    ]);
    const ofField = events.flatMap((event) => (event.type === 'agent_status_update' ? [event.data] : []));
    const asked = ofField.filter(({ state }) => state === 'TASK_STATE_INPUT_REQUIRED');
    expect(new Set(asked.map(({ task_id }) => task_id)).size).toBe(1);

    expect(events.map(eventLine).join('\n')).toContain('拒绝：313 分钟才能恢复，时限是 180 分钟');
    expect(renderWorkflow(psop, result)).toContain('"业务已恢复"');
    expect(renderWorkflow(psop, result, 'svg')).toContain('闭环报告');
  });

  it.each([
    ['HX-01', '陈静', '中心备件库', 5],
    ['A2-04', '王磊', '西区备件库', 1],
  ])('comes to other results for the board %s', async (board, engineer, depot, cleared) => {
    const { result, events } = await repaired(new Network([board]));
    expect(result.success).toBe(true);
    expect(outputOf(result, '工单下发')).toMatchObject({ board, engineer, depot });
    expect(outputOf(result, '恢复验证')).toEqual({ recovered: true, cleared, remaining: [] });
    expect(events.filter(({ type }) => type === 'negotiation_request')).toHaveLength(1);
  });

  it('fails in its first step when nothing is broken', async () => {
    const { result } = await repaired(new Network());
    expect(result).toMatchObject({ success: false, error: 'Step execution failed' });
    expect(result.history).toMatchObject([{ step: '告警关联定位', status: 'failed', errorCode: 'remote.task_failed' }]);
  });
});
