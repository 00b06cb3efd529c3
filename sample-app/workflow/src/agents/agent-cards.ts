import type { AgentCardInput } from 'nestjs-a2a';
import { A2ATExtension } from 'nestjs-a2a/workflow';

const { TASK_T, NEGOTIATION_T } = A2ATExtension;
const JSON_MODES = { defaultInputModes: ['text/plain', 'application/json'], defaultOutputModes: ['application/json'] };

/** A skill whose id is what a workflow calls it. */
const skill = (id: string, name: string, description: string) => ({ id, name, description, tags: ['telecom'] });

export const FAULT_CARD: AgentCardInput = {
  name: '故障诊断智能体',
  description: '关联告警、定位根因、验证恢复。',
  version: '1.0.0',
  ...JSON_MODES,
  capabilities: { extensions: [{ uri: TASK_T.uri }] },
  skills: [
    skill('alarm-correlation', '告警关联', '从当前告警中找出故障单板'),
    skill('recovery-check', '恢复验证', '确认受影响的基站已恢复'),
    skill('closing-report', '闭环报告', '汇总处置全过程'),
  ],
};

export const RESOURCE_CARD: AgentCardInput = {
  name: '资源管理智能体',
  description: '掌握站点、用户、容量与备件。',
  version: '1.0.0',
  ...JSON_MODES,
  capabilities: { extensions: [{ uri: TASK_T.uri }] },
  skills: [
    skill('impact-assessment', '影响评估', '受影响的用户、流量与恢复时限'),
    skill('spare-part-reservation', '备件预留', '在最近的备件库预留单板'),
    skill('traffic-relief', '业务疏通', '把流量分担到邻近基站'),
  ],
};

export const FIELD_CARD: AgentCardInput = {
  name: '现场服务智能体',
  description: '协商上门窗口、派发工单、现场维修。',
  version: '1.0.0',
  ...JSON_MODES,
  capabilities: { extensions: [{ uri: TASK_T.uri }, { uri: NEGOTIATION_T.uri }] },
  skills: [
    skill('visit-scheduling', '上门窗口', '提出上门窗口，并按时限协商'),
    skill('work-order', '工单下发', '把工单派给工程师'),
    skill('on-site-repair', '现场修复', '更换故障单板'),
  ],
};
