import { eventOf, type LabelledEvent, phaseOf } from './labelled-event.js';
import { orderedPairs } from './event-order.js';

/**
 * What is wrong with the events of a run.
 *
 * @param ancestors `undefined`: nothing runs side by side, so each event has its place. Else the steps before each step
 */
export function compareEvents(
  expected: readonly string[],
  actual: readonly string[],
  ancestors: ReadonlyMap<string, ReadonlySet<string>> | undefined,
): string[] {
  const impossible = impossibleIn(expected);
  if (impossible !== undefined) return [`events: no run has such an order: ${impossible}`];
  const counts = compareCounts(expected, actual);
  if (counts.length > 0) return counts;
  return ancestors === undefined ? compareList(expected, actual) : comparePairs(expected, actual, ancestors);
}

function compareList(expected: readonly string[], actual: readonly string[]): string[] {
  const [mine, theirs] = [withoutFloating(actual), withoutFloating(expected)];
  const at = theirs.findIndex((label, n) => mine[n] !== label);
  if (at >= 0) return [`events: number ${at + 1} is ${mine[at]}, not ${theirs[at]}`];
  return comparePairs(expected, actual, new Map());
}

/** Those that have their place in the list, whatever else happens at the time. */
function withoutFloating(labels: readonly string[]): readonly string[] {
  return labels.filter((label) => !label.startsWith('negotiation_failed:'));
}

function compareCounts(expected: readonly string[], actual: readonly string[]): string[] {
  const labels = new Set([...expected, ...actual]);
  const count = (list: readonly string[], label: string): number => list.filter((entry) => entry === label).length;
  return [...labels].flatMap((label) => {
    const [wanted, found] = [count(expected, label), count(actual, label)];
    return wanted === found ? [] : [`events: ${label} came ${found} times, not ${wanted}`];
  });
}

function comparePairs(
  expected: readonly string[],
  actual: readonly string[],
  ancestors: ReadonlyMap<string, ReadonlySet<string>>,
): string[] {
  const impossible = impossibleIn(actual);
  if (impossible !== undefined) return [`events: ${impossible}`];
  const places = placesOf(expected, actual);
  const wrong = orderedPairs(expected, ancestors).find(([a, b]) => (places[a] ?? 0) > (places[b] ?? 0));
  return wrong === undefined ? [] : [`events: ${expected[wrong[0]]} came after ${expected[wrong[1]]}`];
}

/** Where each expected event is in the run; of those with one label, the first is the first. */
function placesOf(expected: readonly string[], actual: readonly string[]): readonly number[] {
  const next = new Map<string, number>();
  return expected.map((label) => {
    const place = actual.indexOf(label, next.get(label) ?? 0);
    next.set(label, place + 1);
    return place;
  });
}

/** A subtask that is answered before it has ended, or ends before it is asked for; an agent that is called for none. */
function impossibleIn(labels: readonly string[]): string | undefined {
  const reached = new Map<string, number[]>();
  const open = new Map<string, number>();
  for (const event of labels.map(eventOf)) {
    const { label, subtask, agent = '' } = event;
    const phase = phaseOf(event);
    if (phase === 0) open.set(agent, (open.get(agent) ?? 0) + 1);
    if (phase === 1) open.set(agent, (open.get(agent) ?? 0) - 1);
    if (isOfAgent(event) && (open.get(agent) ?? 0) <= 0) return `${label} came while ${agent} had nothing to do`;
    if (subtask === undefined || phase < 0) continue;
    const counts = reached.get(subtask) ?? [0, 0, 0];
    reached.set(subtask, counts);
    counts[phase] = (counts[phase] ?? 0) + 1;
    if (phase > 0 && (counts[phase] ?? 0) > (counts[phase - 1] ?? 0)) return `${label} came too early`;
  }
  return undefined;
}

function isOfAgent({ type }: LabelledEvent): boolean {
  return type.startsWith('agent_') || type === 'negotiation_request' || type === 'negotiation_resolved';
}
