import { ROUNDS, summary } from '../lib/measure.mjs';

const STEPS = 1_000;
const SIDE_BY_SIDE = 20;
const MAX_MS = 300;

const step = (name, next, conditional) => ({
  name,
  subtasks: [{ agent: 'X', description: `work ${name}` }],
  next: next.map((target) => ({ step: target, condition: conditional ? 'good?' : '' })),
});
const names = (count) => Array.from({ length: count }, (_, n) => `s${n}`);

/** Each step behind the one before, and each edge a question. */
const chain = () => names(STEPS).map((name, n) => step(name, n + 1 < STEPS ? [`s${n + 1}`] : ['end'], true));

/** One step, then all others side by side, then one behind all of them. */
const wide = () =>
  names(STEPS).map((name, n) => {
    if (n === 0) return step(name, names(STEPS).slice(1, -1));
    return step(name, [n + 1 < STEPS ? `s${STEPS - 1}` : 'end']);
  });

/** A chain in which each step sees all before it. */
const seeing = () => chain().map((entry) => ({ ...entry, context_from: ['*'] }));

/** Layers of steps, each step behind all of the layer before. */
const layered = () =>
  names(STEPS).map((name, n) => {
    const next = (Math.floor(n / SIDE_BY_SIDE) + 1) * SIDE_BY_SIDE;
    return step(name, next < STEPS ? names(next + SIDE_BY_SIDE).slice(next) : ['end']);
  });

/** What the engine itself costs: the agents answer at once, and without a network. */
export async function workflowSteps() {
  const { controlPoint, executePsop, MessageContent, ReceivedMessage, RouteDecision, Workflow, WorkflowEngineClient } =
    await import('nestjs-a2a/workflow');

  class InstantClient extends WorkflowEngineClient {
    async sendTask() {
      const received = new ReceivedMessage(null, {}, [{ artifactId: 'a', parts: [{ text: 'done' }] }]);
      return {
        receivedMessages: [received],
        outputs: ['done'],
        task: null,
        taskState: 'TASK_STATE_COMPLETED',
        text: '',
        metadata: {},
        failureCode: null,
        failureMessage: null,
      };
    }
    callbackTimeoutSeconds() {
      return 600;
    }
    async close() {}
  }

  const host = controlPoint({
    onTask: ({ instruction }) => MessageContent.text(instruction),
    onRoute: () => RouteDecision.allow(),
  });
  const rows = [];
  for (const [title, steps] of [
    ['in a row', chain()],
    ['in a row, each with all results before it', seeing()],
    ['side by side', wide()],
    [`${SIDE_BY_SIDE} side by side, each behind ${SIDE_BY_SIDE}`, layered()],
  ]) {
    const times = [];
    for (let round = 0; round <= ROUNDS; round++) {
      let events = 0;
      const start = performance.now();
      const { success, history } = await executePsop({
        psop: Workflow.fromMap({ id: 'bench', name: 'bench', steps }),
        engineClient: new InstantClient(),
        controlPoint: host,
        eventCallback: { onEvent: () => (events += 1) },
      });
      const time = performance.now() - start;
      if (!success || history.length !== STEPS || events < STEPS * 5) throw new Error('The workflow did not run');
      // The first round is for the compiler.
      if (round > 0) times.push(time);
    }
    const ours = summary(times);
    rows.push({
      bar: `workflow of ${STEPS.toLocaleString('en')} steps, ${title}: our own time`,
      must: `<= ${MAX_MS} ms`,
      value: ours.median,
      holds: ours.median <= MAX_MS,
      detail: { ours, unit: 'ms' },
    });
  }
  return rows;
}
