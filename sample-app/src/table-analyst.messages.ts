import type { MissingTable } from './source/find-table.js';

const HOW =
  'Send it as a file part (CSV or TSV in UTF-8), as a text part with mediaType text/csv, or as a data part with an array of objects. The first row names the columns.';

/** What is asked when a message has no table, by what it has instead. */
export const QUESTIONS: Readonly<Record<MissingTable, string>> = {
  none: `Which table shall I analyse? ${HOW}`,
  url: `I do not fetch links; please send the table itself. ${HOW}`,
  data: `The data is not a table. ${HOW}`,
};

/** Said when a caller cancels. */
export const STOPPED = 'Stopped on request.';
