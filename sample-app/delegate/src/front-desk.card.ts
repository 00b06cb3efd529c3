import type { AgentCardInput } from 'nestjs-a2a';

/** What callers read about the desk. It takes what the analyst takes. */
export const FRONT_DESK_CARD: AgentCardInput = {
  name: 'Front Desk',
  description: 'Takes a table to the table analyst, tells how it gets on there, and brings the answer back.',
  version: '1.0.0',
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
      id: 'have-a-table-analysed',
      name: 'Have a table analysed',
      description: 'Statistics of each column and a report, made by the table analyst.',
      tags: ['csv', 'table', 'statistics', 'delegation'],
      examples: ['Have the attached CSV file analysed'],
    },
  ],
};
