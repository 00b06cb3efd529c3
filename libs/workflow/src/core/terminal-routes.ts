const TERMINALS: ReadonlySet<string> = new Set(['end', 'endNode', 'retry']);

/** An edge to it ends the path. Letter case counts. */
export function isTerminalRoute(name: string): boolean {
  return TERMINALS.has(name);
}
