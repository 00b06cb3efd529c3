import type { HistoryEntry } from 'nestjs-a2a/workflow';
import { withCommonName } from './class-names.js';
import { divided, ScenarioError } from './reading.js';

/** A row of the history as a scenario writes it: `step/agent=status[:errorCode:error]`. */
export interface HistoryRow {
  readonly place: string;
  readonly status: string;
  readonly errorCode?: string;
  /** `*`: any. */
  readonly error?: string;
}

export function historyRow(text: string): HistoryRow {
  const [, place = '', outcome = ''] = /^(.*?\/.*?)=(.*)$/s.exec(text) ?? [];
  const [status, rest] = divided(outcome, ':');
  if (place === '' || !['success', 'failed'].includes(status)) {
    throw new ScenarioError(`${text} is no row of a history: it must be step/agent=status[:errorCode:error]`);
  }
  if (rest === undefined) return { place, status };
  const [errorCode, error] = divided(rest, ':');
  return { place, status, errorCode, ...(error !== undefined && { error }) };
}

export function matchesRow(text: string, row: HistoryEntry): boolean {
  const { place, status, errorCode, error } = historyRow(text);
  if (place !== `${row.step}/${row.agent}` || status !== row.status) return false;
  if (status === 'success' && (row.error !== '' || row.errorCode !== '')) return false;
  if (errorCode !== undefined && errorCode !== row.errorCode) return false;
  return error === undefined || error === '*' || withCommonName(error) === withCommonName(row.error);
}

/** An entry as a row, to be shown. */
export function shownRow({ step, agent, status, errorCode, error }: HistoryEntry): string {
  return `${step}/${agent}=${status}${status === 'success' ? '' : `:${errorCode}:${error}`}`;
}
