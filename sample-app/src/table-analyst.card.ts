import type { AgentCardInput } from 'nestjs-a2a';

/** What callers read about the agent before they send it anything. */
export const TABLE_ANALYST_CARD: AgentCardInput = {
  name: 'Table Analyst',
  description: 'Takes a table and answers with statistics of each column and a report.',
  version: '1.0.0',
  // Plain text is talk ("here it is"); bytes of an unnamed type are what simple upload scripts send.
  defaultInputModes: [
    'text/plain',
    'text/csv',
    'text/tab-separated-values',
    'application/json',
    'application/octet-stream',
  ],
  defaultOutputModes: ['application/json', 'text/markdown', 'text/plain'],
  skills: [
    {
      id: 'analyse-table',
      name: 'Analyse a table',
      description:
        'Type, missing values, minimum, maximum, mean, quantiles and top values of each column, as JSON and as a Markdown report. Tables up to 50 MB and 1,000 columns.',
      tags: ['csv', 'table', 'statistics', 'data'],
      examples: ['Analyse the attached CSV file'],
    },
  ],
};
