import { type Altered, changedLists } from './altered-lists.js';
import { type HistoryRow, historyRow } from './history-row.js';

/** A history with one thing in it that was not so. */
export function alteredHistory(history: readonly string[], parallel: boolean): Iterable<Altered<string[]>> {
  return changedLists(history, alterRow, '~/~=success', () => !parallel);
}

function alterRow(text: string): string[] {
  const row = historyRow(text);
  const { place, status, errorCode, error } = row;
  const slash = place.indexOf('/');
  const altered: HistoryRow[] = [
    { ...row, place: `${place}~` },
    { ...row, place: `${place.slice(0, slash)}~${place.slice(slash)}` },
    status === 'success' ? { place, status: 'failed', errorCode: '~', error: '*' } : { place, status: 'success' },
  ];
  if (errorCode !== undefined) altered.push({ ...row, errorCode: `${errorCode}~` });
  if (error !== undefined && error !== '*') altered.push({ ...row, error: `${error}~` });
  return altered.map(written);
}

function written({ place, status, errorCode, error }: HistoryRow): string {
  return [`${place}=${status}`, ...[errorCode, error].filter((entry) => entry !== undefined)].join(':');
}
