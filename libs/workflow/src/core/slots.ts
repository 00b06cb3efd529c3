import { WorkflowArgumentError } from '../errors/workflow.error.js';

/** A place that was taken; give it back once. */
export type ReleaseSlot = () => void;

/** Lets a number of holders in at a time; the others wait in order. */
export class Slots {
  private taken = 0;
  private readonly waiting: (() => void)[] = [];

  /** @param size `Infinity`: everybody */
  constructor(private readonly size: number) {}

  /** Resolves when there is room. Rejects with the signal's reason when it aborts before. */
  take(signal: AbortSignal): Promise<ReleaseSlot> | ReleaseSlot {
    signal.throwIfAborted();
    if (this.taken < this.size) {
      this.taken += 1;
      return this.release();
    }
    return new Promise((resolve, reject) => {
      const enter = (): void => {
        signal.removeEventListener('abort', leave);
        resolve(this.release());
      };
      const leave = (): void => {
        this.waiting.splice(this.waiting.indexOf(enter), 1);
        reject(signal.reason);
      };
      signal.addEventListener('abort', leave, { once: true });
      this.waiting.push(enter);
    });
  }

  private release(): ReleaseSlot {
    let held = true;
    return () => {
      if (!held) return;
      held = false;
      const next = this.waiting.shift();
      // The place goes on to the next one, so that nobody new comes in between.
      if (next === undefined) this.taken -= 1;
      else next();
    };
  }
}

/** How many subtasks may be at work; left out: as many as there are. */
export interface RunLimits {
  readonly maxParallelTasks?: number;
  readonly maxParallelTasksPerAgent?: number;
}

/** @throws WorkflowArgumentError when nobody would ever be let in */
export function checkLimits({ maxParallelTasks = 1, maxParallelTasksPerAgent = 1 }: RunLimits): void {
  for (const [name, limit] of Object.entries({ maxParallelTasks, maxParallelTasksPerAgent })) {
    if (!(limit >= 1)) throw new WorkflowArgumentError(`${name} must be at least 1`);
  }
}

/** Slots of a run, and of each agent in it. */
export class RunSlots {
  private readonly all: Slots;
  private readonly byAgent = new Map<string, Slots>();

  constructor(
    maxParallel: number,
    private readonly maxParallelPerAgent: number,
  ) {
    this.all = new Slots(maxParallel);
  }

  /** The agent's slot first: who waits for a busy agent takes no place from the others. */
  async take(agent: string, signal: AbortSignal): Promise<ReleaseSlot> {
    const leaveAgent = await this.ofAgent(agent).take(signal);
    try {
      const leaveRun = await this.all.take(signal);
      return () => {
        leaveRun();
        leaveAgent();
      };
    } catch (error) {
      leaveAgent();
      throw error;
    }
  }

  private ofAgent(agent: string): Slots {
    let slots = this.byAgent.get(agent);
    if (slots === undefined) this.byAgent.set(agent, (slots = new Slots(this.maxParallelPerAgent)));
    return slots;
  }
}
