import { COLOURS } from './colours.js';
import type { WorkflowDrawing } from './workflow-drawing.js';

/** A flow chart in the language of Mermaid. */
export function toMermaid({ steps, ends, edges }: WorkflowDrawing): string {
  const states = new Set(steps.flatMap(({ state }) => state ?? []));
  const lines = [
    'flowchart TD',
    ...steps.map(({ id, lines: [name = '', ...tasks], state }) => {
      const text = [name, ...tasks].map(escaped).join('<br/>');
      return `  ${id}["${text}"]${state === undefined ? '' : `:::${state}`}`;
    }),
    ...ends.map(({ id, name }) => `  ${id}(["${escaped(name)}"])`),
    ...edges.map(({ from, to, label }) => `  ${from} -->${label === '' ? '' : `|"${escaped(label)}"|`} ${to}`),
    ...[...states].map((state) => `  classDef ${state} fill:${COLOURS[state].fill},stroke:${COLOURS[state].line}`),
  ];
  return `${lines.join('\n')}\n`;
}

/** Mermaid writes signs that mean something as numbers, with `#` instead of `&#`. Those of Chinese mean nothing to it. */
function escaped(text: string): string {
  return text.replaceAll(/[^\p{L}\p{N}\u3001-\u301f\uff00-\uff65 .,:/()_-]/gu, (sign) => `#${sign.codePointAt(0)};`);
}
