/**
 * Somebody's text inside a Markdown table or line: it must not end the cell, start markup, or become HTML in whatever
 * shows the report.
 */
export function markdownText(text: string): string {
  return text
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/[\p{Cc}\p{Bidi_Control}]/gu, '')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll(/[\\`*_{}[\]()#+!|~]/g, '\\$&');
}

/** A row of a Markdown table; its cells are Markdown already. */
export function markdownRow(cells: readonly string[]): string {
  return `| ${cells.join(' | ')} |`;
}
