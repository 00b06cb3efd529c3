import { isRecord } from 'nestjs-a2a/protocol';
import type { JournalRecord } from './journal-record.js';

type Test = (value: unknown) => boolean;

const isText: Test = (value) => typeof value === 'string';
const isTruth: Test = (value) => typeof value === 'boolean';
const OF_SUBTASK: Readonly<Record<string, Test>> = { step: isText, index: (value) => Number.isInteger(value) };

const MEMBERS: Readonly<Record<JournalRecord['kind'], Readonly<Record<string, Test>>>> = {
  run: { workflow: isRecord, runtimeIntent: isText, lang: isText },
  send: { ...OF_SUBTASK, contextId: isText, messageId: isText, content: isRecord },
  task: { ...OF_SUBTASK, taskId: isText },
  finished: { ...OF_SUBTASK, result: isRecord },
  routed: {
    step: isText,
    decisions: (value) =>
      Array.isArray(value) && value.every((item) => isRecord(item) && isTruth(item.allowed) && isText(item.reason)),
  },
  ended: { success: isTruth, error: (value) => value === null || isText(value) },
};

/** Is a value that was read from somewhere a record, as far as it can be told without its content? */
export function isJournalRecord(value: unknown): value is JournalRecord {
  if (!isRecord(value)) return false;
  const { kind } = value;
  const tests = Object.entries(MEMBERS).find(([name]) => name === kind)?.[1];
  return tests !== undefined && Object.entries(tests).every(([name, test]) => test(value[name]));
}
