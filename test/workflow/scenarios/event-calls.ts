import type { LabelledEvent } from './labelled-event.js';

/** Which events belong to one dispatch of a subtask, as far as their labels tell. */
export interface Calls {
  sameCall(a: LabelledEvent, b: LabelledEvent): boolean;
}

interface Dispatch {
  readonly step: string | undefined;
  readonly subtask: string;
  readonly agent: string;
  hasEnded: boolean;
  isOver: boolean;
}

/**
 * Sorts events by the dispatch that they belong to. Where two dispatches of one agent are open at the same time, labels do
 * not tell which of them an event is of: it belongs to none then, except that a status and the answer after it do.
 */
export function callsOf(events: readonly LabelledEvent[]): Calls {
  const dispatches: Dispatch[] = [];
  const belongs = new Map<number, Dispatch>();
  const ending = new Map<string, Dispatch>();
  for (const event of events) {
    const { type, agent, step, subtask, at } = event;
    if (type === 'step_complete' || type === 'error') {
      // Those that lost against another one end without a word.
      for (const dispatch of dispatches) if (dispatch.step === step) dispatch.isOver = true;
    }
    if (agent === undefined) continue;
    if (type === 'task_request' && subtask !== undefined) {
      const made = { step, subtask, agent, hasEnded: false, isOver: false };
      dispatches.push(made);
      belongs.set(at, made);
      continue;
    }
    const open = dispatches.filter((entry) => entry.agent === agent && !entry.isOver);
    const own = subtask === undefined ? open : open.filter((entry) => entry.subtask === subtask);
    if (type === 'task_status_changed') {
      const one = own.find(({ hasEnded }) => !hasEnded);
      if (one === undefined || subtask === undefined) continue;
      one.hasEnded = true;
      ending.set(subtask, one);
      if (own.length === 1) belongs.set(at, one);
      continue;
    }
    if (type === 'task_response') {
      const one = ending.get(subtask ?? '');
      if (one !== undefined) one.isOver = true;
      if (one !== undefined && own.length === 1) belongs.set(at, one);
      continue;
    }
    const [one] = own;
    if (one !== undefined && own.length === 1) belongs.set(at, one);
  }
  return {
    sameCall: (a, b) => {
      const one = belongs.get(a.at);
      return one !== undefined && one === belongs.get(b.at);
    },
  };
}
