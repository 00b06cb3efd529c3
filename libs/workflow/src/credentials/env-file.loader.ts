import { WorkflowArgumentError } from '../errors/workflow.error.js';
import { readTextFile } from './read-text-file.js';

const LINE = /^\s*([^=\s#][^=]*?)\s*=\s*(.*?)\s*$/;

/**
 * Reads `.env` files, when it is asked to and not before. The engine itself reads none.
 *
 * @publicApi
 */
export const EnvFileLoader = {
  /**
   * Reads `KEY=VALUE` lines. Lines that begin with `#`, and lines of another form, are passed over; double quotes around
   * a value are taken off; of two lines with one key the first counts.
   */
  parse(text: string): Readonly<Record<string, string>> {
    const found = new Map<string, string>();
    for (const line of text.replace(/^\ufeff/, '').split(/\r\n|\r|\n/)) {
      const [, key, value] = LINE.exec(line) ?? [];
      if (key !== undefined && value !== undefined && !found.has(key)) found.set(key, unquoted(value));
    }
    return Object.freeze(Object.fromEntries(found));
  },

  /**
   * Puts the values of a file into the environment, where they are not there yet.
   *
   * @param environment Default: the one of the process
   * @returns what was put there
   * @throws WorkflowArgumentError when the file cannot be read
   */
  load(path: string, environment: Record<string, string | undefined> = process.env): Readonly<Record<string, string>> {
    const added: [string, string][] = [];
    for (const [key, value] of Object.entries(EnvFileLoader.parse(read(path)))) {
      if (environment[key] !== undefined) continue;
      environment[key] = value;
      added.push([key, value]);
    }
    return Object.freeze(Object.fromEntries(added));
  },
};

function read(path: string): string {
  try {
    return readTextFile(path);
  } catch (cause) {
    throw new WorkflowArgumentError(`Env file cannot be read: ${path}`, { cause });
  }
}

function unquoted(value: string): string {
  return value.length >= 2 && value.startsWith('"') && value.endsWith('"') ? value.slice(1, -1) : value;
}
