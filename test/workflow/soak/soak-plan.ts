import { Workflow } from 'nestjs-a2a/workflow';
import type { Random } from '../../fuzz/random.js';

/** What becomes of one task. It travels to the agent as the text of its message. */
export interface TaskPlan {
  /** Names it in all runs. */
  readonly name: string;
  readonly end: 'done' | 'fail' | 'throw' | 'hang';
  readonly delayMs: number;
  /**
   * What happens on the way.
   *
   * - `refuse`: HTTP 503, before it arrives
   * - `cut`: the connection breaks before it arrives
   * - `drop`: the connection breaks once the task is shown at work
   */
  readonly fault: 'none' | 'refuse' | 'cut' | 'drop';
}

/** One run. */
export interface RunPlan {
  readonly workflow: Workflow;
  /** When it is cancelled, if it is. */
  readonly cancelAfterMs: number | undefined;
  /** How it ends when it is not cancelled. */
  readonly success: boolean;
  /** Some task of it never ends by itself. */
  readonly hangs: boolean;
}

const AGENTS = ['X', 'Y', 'Z'];
const ENDS = ['done', 'done', 'done', 'done', 'done', 'done', 'done', 'done', 'done', 'fail', 'throw'] as const;
const FAULTS = ['none', 'none', 'none', 'none', 'none', 'none', 'none', 'none', 'drop', 'drop'] as const;
const LATE_FAULTS = ['refuse', 'cut'] as const;

/** Up to three layers of up to three steps, each layer behind all of the one before. */
export function runPlan(random: Random, run: number): RunPlan {
  const layers = Array.from({ length: 1 + random.below(3) }, (_, layer) =>
    Array.from({ length: 1 + random.below(3) }, (_, at) => stepPlan(random, `${run}-${layer}-${at}`)),
  );
  const steps = layers.flatMap((layer, at) =>
    layer.map(({ name, type, tasks }) => ({
      name,
      type,
      subtasks: tasks.map((task) => ({ agent: random.pick(AGENTS), description: JSON.stringify(task) })),
      next: (layers[at + 1] ?? []).map((step) => ({ step: step.name })),
    })),
  );
  return {
    workflow: Workflow.fromMap({ id: `run-${run}`, name: `run-${run}`, steps }),
    cancelAfterMs: random.chance(0.15) ? random.below(200) : undefined,
    success: layers.every((layer) => layer.every(succeeds)),
    hangs: layers.some((layer) => layer.some(({ tasks }) => tasks.some(({ end }) => end === 'hang'))),
  };
}

interface StepPlan {
  readonly name: string;
  readonly type: 'AllSuccess' | 'AnySuccess';
  readonly tasks: readonly TaskPlan[];
}

function stepPlan(random: Random, name: string): StepPlan {
  const type = random.chance(0.4) ? 'AnySuccess' : 'AllSuccess';
  const tasks = Array.from({ length: 1 + random.below(3) }, (_, at) => taskPlan(random, `${name}-${at}`));
  return { name, type, tasks };
}

function taskPlan(random: Random, name: string): TaskPlan {
  const end = random.chance(0.05) ? 'hang' : random.pick(ENDS);
  const fault = random.chance(0.03) ? random.pick(LATE_FAULTS) : random.pick(FAULTS);
  return { name, end, delayMs: random.below(40), fault };
}

function succeeds({ type, tasks }: StepPlan): boolean {
  const isGood = ({ end, fault }: TaskPlan): boolean => end === 'done' && fault !== 'refuse' && fault !== 'cut';
  return type === 'AnySuccess' ? tasks.some(isGood) : tasks.every(isGood);
}
