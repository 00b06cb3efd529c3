import type { ColumnStatistics } from '../analysis/column-statistics.js';
import { markdownRow, markdownText } from './markdown-text.js';
import type { TableStatistics } from './table-statistics.js';

/** A wider table gets the overview only: nobody reads a hundred sections. */
const MAX_SECTIONS = 50;

const COUNT = new Intl.NumberFormat('en-US');
const FIGURE = new Intl.NumberFormat('en-US', { maximumSignificantDigits: 6 });

/** The report for people: an overview of all columns, then one section a column. */
export function markdownReport(statistics: TableStatistics): string {
  const sections = statistics.columns.length <= MAX_SECTIONS ? statistics.columns.map(columnSection) : [];
  return [...heading(statistics), ...overview(statistics), ...sections.flat()].join('\n') + '\n';
}

function heading({ table, notes }: TableStatistics): string[] {
  const name = table.name === null ? '' : `: ${markdownText(table.name)}`;
  const lines = [
    `# Table report${name}`,
    '',
    `${COUNT.format(table.rows)} rows, ${COUNT.format(table.columns)} columns.`,
    '',
  ];
  return notes.length === 0 ? lines : [...lines, ...notes.map((note) => `- ${note}`), ''];
}

function overview({ columns, table }: TableStatistics): string[] {
  return [
    markdownRow(['#', 'Column', 'Type', 'Missing', 'Min', 'Max', 'Mean', 'Median', 'Distinct']),
    markdownRow(['---:', '---', '---', '---:', '---:', '---:', '---:', '---:', '---:']),
    ...columns.map((column) =>
      markdownRow([
        String(column.position),
        markdownText(column.name),
        column.type,
        `${COUNT.format(column.missing)} (${percent(column.missing, table.rows)})`,
        figure(column.min),
        figure(column.max),
        figure(column.mean),
        approximately(column.quantiles?.approximate) + figure(column.quantiles?.p50 ?? null),
        approximately(column.distinct.approximate) + COUNT.format(column.distinct.count),
      ]),
    ),
    '',
  ];
}

function columnSection(column: ColumnStatistics): string[] {
  const lines = [`## ${column.position}. ${markdownText(column.name)} (${column.type})`, ''];
  if (column.kinds) {
    const kinds = Object.entries(column.kinds).map(([kind, count]) => `${COUNT.format(count)} ${kind}`);
    lines.push(`- Cells: ${kinds.join(', ')}. Figures are those of the numbers, if there are any.`);
  }
  if (column.quantiles) {
    const { p05, p25, p50, p75, p95, approximate } = column.quantiles;
    const figures = [p05, p25, p50, p75, p95].map(figure).join(' / ');
    lines.push(`- Quantiles 5 / 25 / 50 / 75 / 95 %: ${approximately(approximate)}${figures}`);
  }
  if (column.standardDeviation !== null) lines.push(`- Standard deviation: ${figure(column.standardDeviation)}`);
  if (column.length) {
    const { min, max, mean } = column.length;
    lines.push(`- Length: ${COUNT.format(min)} to ${COUNT.format(max)}, mean ${figure(mean)}`);
  }
  if (column.trueCount !== undefined) {
    lines.push(`- True: ${COUNT.format(column.trueCount)}, false: ${COUNT.format(column.count - column.trueCount)}`);
  }
  const { values, approximate } = column.topValues;
  if (values.length > 0) {
    const top = values.map(({ value, count }) => `${markdownText(value)} (${COUNT.format(count)})`);
    lines.push(`- Top values${approximate ? ' (at least)' : ''}: ${top.join(', ')}`);
  }
  if (values.length === 0 && approximate) lines.push('- Top values: none stands out.');
  if (lines.length === 2) lines.push('- No values.');
  return [...lines, ''];
}

function figure(value: number | string | null): string {
  if (value === null) return '–';
  return typeof value === 'string' ? markdownText(value) : FIGURE.format(value);
}

function approximately(approximate: boolean | undefined): string {
  return approximate ? '≈ ' : '';
}

function percent(part: number, whole: number): string {
  return `${((part / whole) * 100).toFixed(1)} %`;
}
