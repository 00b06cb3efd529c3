import type { JsonValue } from 'nestjs-a2a/protocol';

/** A subtask by its place in the workflow. */
interface OfSubtask {
  readonly step: string;
  readonly index: number;
}

/**
 * A line of a journal: plain JSON.
 *
 * - `run`: what is run; the first line, and the only one of its kind
 * - `send`: a message is about to leave, with this content and these ids
 * - `task`: the agent made this task of it
 * - `finished`: what the subtask came to
 * - `routed`: the decisions about the edges of a step, in their order
 * - `ended`: the run is over
 *
 * @publicApi
 */
export type JournalRecord =
  | { readonly kind: 'run'; readonly workflow: JsonValue; readonly runtimeIntent: string; readonly lang: string }
  | (OfSubtask & {
      readonly kind: 'send';
      readonly contextId: string;
      readonly messageId: string;
      readonly content: JsonValue;
    })
  | (OfSubtask & { readonly kind: 'task'; readonly taskId: string })
  | (OfSubtask & { readonly kind: 'finished'; readonly result: JsonValue })
  | {
      readonly kind: 'routed';
      readonly step: string;
      readonly decisions: readonly { readonly allowed: boolean; readonly reason: string }[];
    }
  | { readonly kind: 'ended'; readonly success: boolean; readonly error: string | null };
