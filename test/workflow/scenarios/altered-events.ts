import type { Workflow } from 'nestjs-a2a/workflow';
import { type Altered, changedLists } from './altered-lists.js';
import { orderedPairs } from './event-order.js';
import { ancestorsIn } from './graph.js';
import { eventOf, phaseOf } from './labelled-event.js';

/** Events of which one did not come, or not then. */
export function* alteredEvents(
  events: readonly string[],
  workflow: Workflow,
  parallel: boolean,
): Generator<Altered<string[]>> {
  const sure = new Set(orderedPairs(events, parallel ? ancestorsIn(workflow) : new Map()).map(String));
  yield* changedLists(events, alterLabel, 'step_start:~', (a, b, at) => {
    if (sure.has(String([at, at + 1]))) return true;
    if ([a, b].some((label) => label.startsWith('negotiation_failed:'))) return false;
    if (!parallel) return true;
    const [first, second] = [eventOf(a, at), eventOf(b, at + 1)];
    // Of subtasks that are not told apart, one may be answered before another ends, or after that.
    return first.subtask !== undefined && first.subtask === second.subtask && phaseOf(second) === phaseOf(first) + 1;
  });
  const [first = ''] = events;
  if (events.length > 1) yield { what: 'the first comes last', value: [...events.slice(1), first] };
}

/** Each word of a label, altered. */
function alterLabel(label: string): string[] {
  const words = label.split(/(->|[:/=#])/);
  return words.flatMap((word, at) => (at % 2 === 0 ? [words.with(at, `${word}~`).join('')] : []));
}
