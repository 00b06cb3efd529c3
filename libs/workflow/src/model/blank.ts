/** Nothing, or nothing but white space. */
export function isBlank(text: unknown): boolean {
  return typeof text !== 'string' || text.trim() === '';
}
