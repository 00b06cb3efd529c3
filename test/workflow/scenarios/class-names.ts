// Scenarios name the classes of another edition, in which a value and a state out of turn are not told apart as here.
const FAMILIES: readonly (readonly string[])[] = [
  ['IllegalStateException', 'IllegalArgumentException', 'WorkflowStateError', 'WorkflowArgumentError'],
  ['NullPointerException', 'NullResultError'],
];

/** A text that ends with the name of a class, the name put in place of all that mean the same. */
export function withCommonName(text: string): string {
  const [, before = '', name = ''] = /^(|.*(?:=|: ))(\w+)$/s.exec(text) ?? [];
  const family = FAMILIES.find((names) => names.includes(name));
  return family === undefined ? text : `${before}${family[0]}`;
}
