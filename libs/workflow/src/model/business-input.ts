import type { JsonValue } from 'nestjs-a2a/protocol';
import { WorkflowArgumentError } from '../errors/workflow.error.js';
import { isBlank } from './blank.js';
import { BusinessValues } from './business-values.js';

/**
 * What a subtask is given: a text, or any JSON value.
 *
 * @publicApi
 */
export type BusinessInput = { readonly text: string } | { readonly data: JsonValue };

export const BusinessInput = {
  /** @throws WorkflowArgumentError `Text must not be blank` */
  text(text: string): BusinessInput {
    if (isBlank(text)) throw new WorkflowArgumentError('Text must not be blank');
    return Object.freeze({ text });
  },

  /** @throws WorkflowArgumentError when the value cannot be written as JSON */
  data(data: unknown): BusinessInput {
    if (data === undefined) throw new WorkflowArgumentError('Exactly one of text or data is required');
    return Object.freeze({ data: BusinessValues.snapshot(data) });
  },

  /**
   * Reads `{ text }` or `{ data }`.
   *
   * @throws WorkflowArgumentError `Exactly one of text or data is required`
   */
  of(input: { readonly text?: string; readonly data?: unknown }): BusinessInput {
    const { text, data } = input;
    if ((text === undefined) === (data === undefined)) {
      throw new WorkflowArgumentError('Exactly one of text or data is required');
    }
    return text === undefined ? BusinessInput.data(data) : BusinessInput.text(text);
  },
};
