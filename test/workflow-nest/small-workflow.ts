import { MessageContent, Workflow, type TaskRequest } from 'nestjs-a2a/workflow';
import { completed, hanging, ScriptedEngineClient } from '../support/workflow/scripted-engine-client.js';

/** One step with one subtask for the agent `X`. */
export const SMALL = Workflow.fromMap({
  name: 'small',
  steps: [{ name: 'A', subtasks: [{ agent: 'X', description: 'a' }], next: [{ step: 'end' }] }],
});

export const asTold = ({ instruction }: TaskRequest): MessageContent => MessageContent.text(instruction);

/** An agent that is done at once. */
export function quickClient(): ScriptedEngineClient {
  return new ScriptedEngineClient({ X: () => Promise.resolve(completed(['r'])) });
}

/** An agent that never answers. */
export function hangingClient(): ScriptedEngineClient {
  return new ScriptedEngineClient({ X: hanging });
}

/** An agent that answers when it is let. */
export function waitingClient(): { readonly client: ScriptedEngineClient; readonly goOn: () => void } {
  let goOn: () => void = () => undefined;
  const gate = new Promise<void>((resolve) => (goOn = resolve));
  const client = new ScriptedEngineClient({ X: () => gate.then(() => completed(['r'])) });
  return { client, goOn };
}
