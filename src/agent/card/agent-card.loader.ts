import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseJson } from 'nestjs-a2a/protocol';
import type { AgentCardInput } from './agent-card-input.js';
import { AgentCardError } from './agent-card.error.js';
import { isFields } from './card-fields.js';
import { findJsonFault } from './json-fault.js';

const THREE_WAYS =
  'give the card as an object (agentCard: { name: … } in the options of A2AModule), ' +
  'as the path of a JSON file (agentCard, or the environment variable A2A_SERVER_AGENT_CARD), ' +
  'or by a provider for AgentCardProvider';

function fail(description: string, cause?: unknown): never {
  throw new AgentCardError([{ path: '', description }], cause === undefined ? undefined : { cause });
}

function locate(path: string): string {
  if (path.startsWith('classpath:')) {
    const rest = path.slice('classpath:'.length).replace(/^\/+/, '');
    fail(
      `${JSON.stringify(path)} cannot be found, as Node has no class path; ` +
        `write the path from the working directory: ${JSON.stringify(rest)}`,
    );
  }
  if (!path.startsWith('file:')) return resolve(path);
  if (!path.startsWith('file://')) return resolve(path.slice('file:'.length));
  try {
    return fileURLToPath(path);
  } catch (cause) {
    fail(`${JSON.stringify(path)} is no usable file URL; write a path, or file:///absolute/path.json`, cause);
  }
}

/** Not by `instanceof`: under Jest, Node's own errors are of another realm than the code's. */
function codeOf(error: unknown): string {
  return isFields(error) && typeof error['code'] === 'string' ? error['code'] : 'for an unknown reason';
}

function read(location: string, path: string): string {
  try {
    return readFileSync(location, 'utf8');
  } catch (cause) {
    const code = codeOf(cause);
    if (code !== 'ENOENT' && code !== 'ENOTDIR') fail(`${location} cannot be read (${code})`, cause);
    const given = location === path ? '' : `, which is ${JSON.stringify(path)} seen from ${process.cwd()}`;
    fail(`there is no file ${location}${given}; ${THREE_WAYS}`, cause);
  }
}

function parse(text: string, location: string): unknown {
  try {
    return parseJson(text);
  } catch (cause) {
    const fault = findJsonFault(text.replace(/^\uFEFF/, ''));
    const place = fault === undefined ? '' : `, see line ${fault.line}, column ${fault.column}`;
    fail(`${location} is not JSON${place}`, cause);
  }
}

/** Only what makes it a card at all; the rest is told apart, with all its faults at once, when it is normalised. */
function isCard(value: unknown): value is AgentCardInput {
  return isFields(value) && typeof value['name'] === 'string';
}

/**
 * Reads an agent card from a JSON file.
 *
 * @param path relative to the working directory, or absolute; `file:` may stand before it
 * @throws AgentCardError that says where the file was looked for, or where it stops being JSON
 * @publicApi
 */
export function loadAgentCardFile(path: string): AgentCardInput {
  const location = locate(path.trim());
  const value = parse(read(location, path.trim()), location);
  if (!isFields(value)) fail(`${location} must hold a JSON object`);
  if (!isCard(value)) fail(`${location} must hold a card with a name`);
  return value;
}
