import { Graph, layout } from '@dagrejs/dagre';
import { COLOURS } from './colours.js';
import type { DrawnStep, WorkflowDrawing } from './workflow-drawing.js';

const LINE_HEIGHT = 18;
const PADDING = 12;
const CHARACTER = 7.5;
const MARGIN = 20;

interface Box {
  readonly width: number;
  readonly height: number;
}

interface Point {
  readonly x: number;
  readonly y: number;
}

/** A picture that needs nothing else: no script, no font, no style from outside. */
export function toSvg(drawing: WorkflowDrawing): string {
  const graph = new Graph({ multigraph: true });
  graph.setGraph({ rankdir: 'TB', nodesep: 40, ranksep: 50, marginx: MARGIN, marginy: MARGIN });
  for (const { id, lines } of drawing.steps) graph.setNode(id, { ...sizeOf(lines) });
  for (const { id, name } of drawing.ends) graph.setNode(id, { ...sizeOf([name]) });
  drawing.edges.forEach(({ from, to, label }, at) => {
    const { width, height } = label === '' ? { width: 0, height: 0 } : sizeOf([label]);
    graph.setEdge(from, to, { width, height, labelpos: 'c' }, String(at));
  });
  layout(graph);
  const { width = 2 * MARGIN, height = 2 * MARGIN } = finiteSize(graph.graph());
  const placeOf = (id: string): Point & Box => placed(graph.node(id));
  const edges = drawing.edges.map(({ from, to, label }, at) => {
    const { points = [], x, y } = graph.edge(from, to, String(at));
    const line = `<polyline points="${points.map((point: Point) => `${round(point.x)},${round(point.y)}`).join(' ')}" fill="none" stroke="#44546a" marker-end="url(#arrow)"/>`;
    return label === '' ? line : `${line}${textAt([label], { x: x ?? 0, y: y ?? 0 }, 'italic')}`;
  });
  const title = escaped(drawing.title === '' ? 'Workflow' : drawing.title);
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" role="img" aria-label="${title}" viewBox="0 0 ${round(width)} ${round(height)}" width="${round(width)}" height="${round(height)}" font-family="sans-serif" font-size="13">`,
    `<title>${title}</title>`,
    '<defs><marker id="arrow" viewBox="0 0 8 8" refX="8" refY="4" markerWidth="8" markerHeight="8" orient="auto"><path d="M0 0L8 4L0 8z" fill="#44546a"/></marker></defs>',
    ...edges,
    ...drawing.steps.map((step) => stepBox(step, placeOf(step.id))),
    ...drawing.ends.map(({ id, name }) => box([name], placeOf(id), 'plain', 14)),
    '</svg>',
    '',
  ].join('\n');
}

function stepBox({ lines, state }: DrawnStep, place: Point & Box): string {
  const body = box(lines, place, state ?? 'plain', 4);
  return state === undefined ? `<g>${body}</g>` : `<g><title>${state}</title>${body}</g>`;
}

function box(lines: readonly string[], place: Point & Box, colours: keyof typeof COLOURS, radius: number): string {
  const { x, y, width, height } = place;
  const { fill, line } = COLOURS[colours];
  const corner = `x="${round(x - width / 2)}" y="${round(y - height / 2)}"`;
  return `<rect ${corner} width="${round(width)}" height="${round(height)}" rx="${radius}" fill="${fill}" stroke="${line}"/>${textAt(lines, place, 'normal')}`;
}

function textAt(lines: readonly string[], { x, y }: Point, style: 'italic' | 'normal'): string {
  const top = y - ((lines.length - 1) * LINE_HEIGHT) / 2;
  return lines
    .map((line, at) => {
      const weight = at === 0 && lines.length > 1 ? ' font-weight="bold"' : '';
      return `<text x="${round(x)}" y="${round(top + at * LINE_HEIGHT)}" text-anchor="middle" dominant-baseline="central" font-style="${style}"${weight}>${escaped(line)}</text>`;
    })
    .join('');
}

function sizeOf(lines: readonly string[]): Box {
  const longest = Math.max(...lines.map(widthOf), 4);
  return { width: longest * CHARACTER + 2 * PADDING, height: lines.length * LINE_HEIGHT + 2 * PADDING };
}

/** In Latin letters: a Chinese one takes the room of two. */
function widthOf(line: string): number {
  return [...line].reduce((sum, sign) => sum + (/[\u1100-\uffff]/.test(sign) ? 2 : 1), 0);
}

function placed(node: Partial<Point & Box>): Point & Box {
  return { x: node.x ?? 0, y: node.y ?? 0, width: node.width ?? 0, height: node.height ?? 0 };
}

function finiteSize({ width, height }: Partial<Box>): Partial<Box> {
  return {
    ...(Number.isFinite(width) ? { width } : {}),
    ...(Number.isFinite(height) ? { height } : {}),
  };
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}

function escaped(text: string): string {
  return [...text]
    .filter(isXml)
    .join('')
    .replaceAll(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`);
}

/** XML has no way to write most control characters, and none for half a character. */
function isXml(sign: string): boolean {
  const code = sign.codePointAt(0) ?? 0;
  if (code < 0x20) return sign === '\t' || sign === '\n' || sign === '\r';
  return !(code >= 0xd800 && code <= 0xdfff) && code !== 0xfffe && code !== 0xffff;
}
