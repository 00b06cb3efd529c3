/**
 * The id of a skill that was given none: its name in lower case, every run of other characters than `a-z 0-9 _ -` as
 * one dash.
 *
 * @param position 1 for the first skill of the card
 */
export function skillIdOf(name: string, position: number): string {
  let id = '';
  for (const character of name.trim().toLowerCase()) {
    if (/[a-z0-9_-]/.test(character)) id += character;
    else if (!id.endsWith('-')) id += '-';
  }
  // A pattern for the dashes at the end would try again at each dash of the name.
  let end = id.length;
  while (id[end - 1] === '-') end--;
  return end === 0 ? `skill-${position}` : id.slice(0, end);
}
