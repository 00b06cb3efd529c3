/** Does a listed origin, or any URL of it, mean this one? */
export function isOrigin(entry: string, origin: string): boolean {
  if (!URL.canParse(entry)) return false;
  const { origin: listed } = new URL(entry);
  // All that are not of the web are called alike.
  return listed !== 'null' && listed === origin;
}
