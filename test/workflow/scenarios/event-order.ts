import { callsOf } from './event-calls.js';
import { eventOf, type LabelledEvent } from './labelled-event.js';

/** Two places in a list of events: the first comes before the second, however the run goes. */
export type OrderedPair = readonly [before: number, after: number];

/**
 * What is sure of the order of events when steps and subtasks run side by side: the order inside one subtask, one call
 * of an agent and one step, the bracket of the run, and that a step begins after those before it in the graph.
 *
 * @param ancestors the steps before each step
 */
export function orderedPairs(
  labels: readonly string[],
  ancestors: ReadonlyMap<string, ReadonlySet<string>>,
): readonly OrderedPair[] {
  const events = labels.map((label, at) => eventOf(label, at));
  const calls = callsOf(events);
  const precedes = (a: LabelledEvent, b: LabelledEvent): boolean => {
    // It may come before or after what the executor makes of it.
    if (a.type === 'negotiation_failed') return b.type === 'close';
    if (b.type === 'negotiation_failed') return a.type === 'start' || (calls.sameCall(a, b) && isOfClient(a));
    if (isBracket(a) || isBracket(b) || calls.sameCall(a, b)) return true;
    if (a.step !== undefined && a.step === b.step) return ordered(a, b);
    return b.type === 'step_start' && a.step !== undefined && ancestors.get(b.step ?? '')?.has(a.step) === true;
  };
  return events.flatMap((a, at) =>
    events
      .slice(at + 1)
      // Whichever of the two is first in the list: where the order is sure, it counts.
      .flatMap((b): OrderedPair[] => (precedes(a, b) || precedes(b, a) ? [[a.at, b.at]] : [])),
  );
}

function isOfClient({ type }: LabelledEvent): boolean {
  return type === 'task_request' || type.startsWith('agent_') || type.startsWith('negotiation_');
}

/** The first and the last events of a run, between which all others are. */
function isBracket({ type, step }: LabelledEvent): boolean {
  return ['start', 'workflow_complete', 'complete', 'close'].includes(type) || (type === 'error' && step === undefined);
}

/** Two events of one step, of which no subtask's own order is known. */
function ordered(a: LabelledEvent, b: LabelledEvent): boolean {
  if (a.type === 'step_start' || isEnd(b) || b.type === 'route_decision') return true;
  if (a.type !== 'task_request') return false;
  return b.type === 'task_request' || a.subtask === b.subtask;
}

function isEnd({ type }: LabelledEvent): boolean {
  return type === 'step_complete' || type === 'error';
}
