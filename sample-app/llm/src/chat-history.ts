import type { ModelMessage } from 'ai';
import type { RequestContext } from 'nestjs-a2a';
import { isTextPart, Role, TaskState, type Part, type Task } from 'nestjs-a2a/protocol';

const MAX_TURNS = 20;
/** So that a long conversation does not outgrow the model; the newest turns stay. */
const MAX_CHARACTERS = 40_000;

/** What was said so far, and what is said now. Each answered task of the conversation is a turn. */
export async function chatMessages(context: RequestContext): Promise<ModelMessage[]> {
  const turns: ModelMessage[] = [];
  let room = MAX_CHARACTERS - context.text.length;
  // Only what this caller may see, whatever contextId was sent; newest first.
  for (const task of await context.previousTasks({ limit: MAX_TURNS })) {
    if (task.status.state !== TaskState.COMPLETED) continue;
    const [question, answer] = turnOf(task);
    room -= question.length + answer.length;
    if (room < 0) break;
    if (question !== '' && answer !== '') {
      turns.unshift({ role: 'user', content: question }, { role: 'assistant', content: answer });
    }
  }
  return [...turns, { role: 'user', content: context.text }];
}

function turnOf({ history = [], artifacts = [] }: Task): readonly [question: string, answer: string] {
  const question = history.filter(({ role }) => role === Role.USER).flatMap(({ parts }) => parts);
  return [textOf(question), textOf(artifacts.flatMap(({ parts }) => parts))];
}

function textOf(parts: readonly Part[]): string {
  return parts.map((part) => (isTextPart(part) ? part.text : '')).join('');
}
