/** An absolute http(s) URL without its trailing slash; `undefined` if it is none, or carries what a base may not. */
export function normalisePublicUrl(text: string): string | undefined {
  // The URL parser forgives blanks, backslashes and a missing `//`; a setting with them is a slip worth naming.
  if (!/^https?:\/\/[^/]/i.test(text) || /[\s\\?#]/.test(text)) return undefined;
  if (!URL.canParse(text)) return undefined;
  const url = new URL(text);
  if (url.username !== '' || url.password !== '') return undefined;
  return url.href.replace(/\/+$/, '');
}
