import { isRecord } from 'nestjs-a2a/protocol';

/**
 * The text that the arguments of a tool call ask to send: their string `message`; else all of them as they are, since
 * models do not always keep to a schema.
 *
 * @param args JSON as text, or what was read from it
 */
export function messageOf(args: unknown): string {
  if (typeof args === 'string') return messageMember(parsed(args)) ?? args;
  if (args === undefined || args === null) return '';
  // What JSON does not know, a function for example, says nothing.
  const json: string | undefined = JSON.stringify(args);
  return messageMember(args) ?? json ?? '';
}

function messageMember(args: unknown): string | undefined {
  return isRecord(args) && typeof args['message'] === 'string' ? args['message'] : undefined;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
