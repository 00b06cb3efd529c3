import { describe, expect, it } from '@jest/globals';
import type { ExecutionResult } from '../model/execution-result.js';
import { TaskStatus } from '../model/task-status.js';
import { Workflow } from '../model/workflow.js';
import { renderWorkflow } from './render-workflow.js';

const workflow = Workflow.fromMap({
  name: '<Repair> & "more"\u0000\u0007',
  steps: [
    {
      name: 'find',
      subtasks: [{ agent: 'A', description: '查询 <b>' }],
      next: [{ step: 'mend', condition: 'is "broken"?' }, { step: 'end' }],
    },
    {
      name: 'mend',
      type: 'AnySuccess',
      subtasks: [
        { agent: 'B', description: 'x' },
        { agent: 'C', description: 'y' },
      ],
      next: [{ step: 'check' }],
    },
    { name: 'check', subtasks: [], next: [] },
  ],
});

function rowOf(step: string, agent: string, status: TaskStatus) {
  const place = { step, agent, status, subtask_index: 0, task: '', taskId: '' };
  return { ...place, outputs: [], error: '', errorCode: '', errorDetails: {} };
}

const result: ExecutionResult = {
  success: false,
  error: 'x',
  history: [
    rowOf('find', 'A', TaskStatus.SUCCESS),
    rowOf('mend', 'B', TaskStatus.FAILED),
    rowOf('mend', 'C', TaskStatus.FAILED),
  ],
  stepOutputs: { find: {}, mend: {} },
};

describe('renderWorkflow', () => {
  it('draws steps, edges and ends for Mermaid, whatever their names are', () => {
    expect(renderWorkflow(workflow)).toBe(
      [
        'flowchart TD',
        '  s0["find<br/>A: 查询 #60;b#62;"]',
        '  s1["mend<br/>B: x<br/>C: y"]',
        '  s2["check"]',
        '  e0(["end"])',
        '  s0 -->|"is #34;broken#34;#63;"| s1',
        '  s0 --> e0',
        '  s1 --> s2',
        '',
      ].join('\n'),
    );
  });

  it('shows how the steps came out', () => {
    const lines = renderWorkflow(workflow, result).split('\n');
    expect(lines.filter((line) => line.includes(':::')).map((line) => line.split(':::')[1])).toEqual([
      'success',
      'failed',
      'skipped',
    ]);
    expect(lines.filter((line) => line.includes('classDef'))).toHaveLength(3);
    const svg = renderWorkflow(workflow, result, 'svg');
    expect([...svg.matchAll(/<g><title>(\w+)<\/title>/g)].map(([, state]) => state)).toEqual([
      'success',
      'failed',
      'skipped',
    ]);
  });

  it('makes an SVG document that is well formed and has everything in it', () => {
    const svg = renderWorkflow(workflow, undefined, 'svg');
    expect(svg).toContain('&#60;Repair&#62; &#38; &#34;more&#34;');
    expect(svg).toContain('is &#34;broken&#34;?');
    expect(svg.match(/<rect /g)).toHaveLength(4);
    expect(svg.match(/<polyline /g)).toHaveLength(3);
    expect(svg).not.toMatch(/NaN|undefined/);
    expect(unclosed(svg)).toEqual([]);
  });

  it('draws an empty workflow', () => {
    expect(unclosed(renderWorkflow(Workflow.fromMap({}), undefined, 'svg'))).toEqual([]);
    expect(renderWorkflow(Workflow.fromMap({}))).toBe('flowchart TD\n');
  });

  it('shortens what is too long to be read', () => {
    const long = Workflow.fromMap({ steps: [{ name: `${'长'.repeat(100)}\n` }] });
    expect(renderWorkflow(long)).toContain(`s0["${'长'.repeat(59)}#8230;"]`);
  });
});

/** Names of elements that are not closed in their order; of a document whose text has no bare `<`. */
function unclosed(xml: string): string[] {
  const open: string[] = [];
  for (const [, closing, name = '', rest = ''] of xml.matchAll(/<(\/?)(\w+)((?:\s+[\w-]+="[^"<]*")*\s*\/?)>/g)) {
    if (closing === '/') {
      if (open.pop() !== name) return [name];
    } else if (!rest.endsWith('/')) open.push(name);
  }
  expect(xml.replaceAll(/<[^<>]*>/g, '')).not.toMatch(/[<>]/);
  return open;
}
