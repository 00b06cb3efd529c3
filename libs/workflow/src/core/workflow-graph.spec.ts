import { describe, expect, it } from '@jest/globals';
import { WorkflowDefinitionError } from '../errors/workflow.error.js';
import { Workflow } from '../model/workflow.js';
import { BitSet } from './bit-set.js';
import { copySteps } from './step-definition.js';
import { WorkflowGraph } from './workflow-graph.js';

/** `A>B,C` is a step with edges; `A(x,y)>B` one that takes its context from x and y. */
function graphOf(...steps: readonly string[]): WorkflowGraph {
  return WorkflowGraph.of(copySteps(Workflow.fromMap({ steps: steps.map(stepOf) })));
}

function stepOf(text: string): object {
  const [, name, sources, targets = ''] = /^(.*?)(?:\((.*)\))?(?:>(.*))?$/.exec(text) ?? [];
  return {
    name,
    context_from: sources === undefined ? null : sources.split(',').filter(Boolean),
    next: targets
      .split(',')
      .filter(Boolean)
      .map((step) => ({ step })),
  };
}

describe('WorkflowGraph', () => {
  it.each<[readonly string[], string]>([
    [[' '], 'Workflow step name must not be blank'],
    [['A', ''], 'Workflow step name must not be blank'],
    [['end'], 'Workflow step name is reserved for a terminal route: end'],
    [['endNode'], 'Workflow step name is reserved for a terminal route: endNode'],
    [['retry'], 'Workflow step name is reserved for a terminal route: retry'],
    [['A', 'A'], 'Duplicate workflow step name: A'],
    [['A> '], 'Step A contains an outgoing edge with a blank target'],
    [['A>B,B', 'B'], 'Step A contains duplicate outgoing target B'],
    [['A>end,end'], 'Step A contains duplicate outgoing target end'],
    [['A>Q,Q'], 'Step A references missing step Q'],
    [['A>END'], 'Step A references missing step END'],
    [['A>B', 'B(*,A)'], "Step B cannot combine '*' with named context sources"],
    [['A(Q)>A'], 'Step A references missing context source Q'],
    [['A>B,C', 'B', 'C(B)'], 'Step C context source B is not an upstream dependency'],
    [['A(A)'], 'Step A context source A is not an upstream dependency'],
    [['A>B', 'B>C', 'C>B'], 'Workflow graph contains a cycle at step B'],
    [['A>A'], 'Workflow graph contains a cycle at step A'],
    [['X', 'A>B', 'B>C', 'C>A'], 'Workflow graph contains a cycle at step A'],
    // Faults of the context come before the cycle, and those of edges before both.
    [['A>A', 'B(Z)'], 'Step B references missing context source Z'],
    [['A>A', 'B(Z)>N'], 'Step B references missing step N'],
  ])('refuses %j: %s', (steps, text) => {
    expect(() => graphOf(...steps)).toThrow(new WorkflowDefinitionError(text));
  });

  it('refuses an edge that is null', () => {
    const [step] = Workflow.fromMap({ steps: [{ name: 'A' }] }).steps;
    const holed = { id: '', name: '', description: '', steps: [{ ...step, next: [null] }] };
    // @ts-expect-error: hosts without types can do so
    expect(() => WorkflowGraph.of(copySteps(holed))).toThrow('Step A contains a null outgoing edge');
  });

  it('accepts no steps, and the three ends of a path', () => {
    expect(graphOf().roots).toEqual([]);
    expect(graphOf('A>end,endNode,retry').roots).toEqual([0]);
  });

  it('begins where no edge leads to, whatever the layer says', () => {
    expect(graphOf('C', 'A>C', 'B>C', 'D').roots).toEqual([1, 2, 3]);
  });

  it.each<[string, readonly string[], readonly string[]]>([
    ['direct predecessors in the order of the workflow', ['B>D', 'A>B,D', 'D'], ['B', 'A']],
    ['nobody', ['A>D', 'D()'], []],
    ['all ancestors, the nearest first', ['A>B,C', 'C>D', 'B>D', 'D(*)'], ['C', 'B', 'A']],
    ['an ancestor once, at its shortest distance', ['A>B,D', 'B>C', 'C>D', 'D(*)'], ['A', 'C', 'B']],
    ['those named, as they are named', ['A>B', 'B>C', 'C>D', 'D(C,A)'], ['C', 'A']],
  ])('takes the context from %s', (_, steps, names) => {
    const graph = graphOf(...steps);
    const last = steps.length - 1;
    expect(graph.contextSources(graph.indexOf('D') ?? last).map((at) => graph.steps[at]?.name)).toEqual(names);
  });

  it('waits for activated ancestors of any distance, and for no others', () => {
    const { ancestry } = graphOf('A>B', 'B>C', 'C>D', 'D', 'X>D');
    const activated = new BitSet(5);
    const finished = new BitSet(5);
    activated.add(0);
    expect(ancestry.waitsFor(3, activated, finished)).toBe(true);
    finished.add(0);
    expect(ancestry.waitsFor(3, activated, finished)).toBe(false);
    activated.add(4);
    expect(ancestry.waitsFor(3, activated, finished)).toBe(true);
    expect(ancestry.waitsFor(2, activated, finished)).toBe(false);
  });

  it('is not afraid of a long chain that bites its tail', () => {
    const names = Array.from({ length: 2000 }, (_, at) => (at < 1999 ? `s${at}>s${at + 1}` : `s${at}>s0`));
    expect(() => graphOf(...names)).toThrow('Workflow graph contains a cycle at step s0');
  });
});
