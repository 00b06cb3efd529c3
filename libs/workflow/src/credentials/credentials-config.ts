import { fileURLToPath } from 'node:url';
import { isRecord, type JsonValue, parseJson } from 'nestjs-a2a/protocol';
import { WorkflowArgumentError } from '../errors/workflow.error.js';
import { isBlank } from '../model/blank.js';
import { BusinessValues, type JsonObject } from '../model/business-values.js';
import { CredentialCrypto } from './credential-crypto.js';
import { readTextFile } from './read-text-file.js';
import { readSchemeConfig, type SchemeConfig } from './scheme-config.js';

/** Schemes by their names, by the names of the agents. */
export type AgentCredentials = ReadonlyMap<string, ReadonlyMap<string, SchemeConfig>>;

/** Where credentials come from. */
export interface CredentialsSettings {
  readonly credentialsConfigPath: string | null;
  readonly credentialsConfig: JsonObject | null;
  readonly credentialEncryptionKey: string | null;
}

/**
 * Reads credentials, in the direct form or in that with profiles. Everything that can be wrong with them is found here,
 * encrypted values with another key among it.
 *
 * @returns null when none are configured
 * @throws WorkflowArgumentError, SecurityException; no value of the credentials is in their texts
 */
export function readCredentials(settings: CredentialsSettings): AgentCredentials | null {
  const { credentialsConfigPath: path, credentialsConfig, credentialEncryptionKey: key } = settings;
  const config = path === null ? credentialsConfig : readFile(path);
  if (config === null) return null;
  const opened = objectOf(decrypted(config, key), 'credentials');
  return 'profiles' in opened || 'agents' in opened ? ofProfiles(opened) : ofAgents(opened);
}

function readFile(path: string): JsonObject {
  let text: string;
  try {
    text = readTextFile(path.startsWith('file:') ? fileURLToPath(path) : path);
  } catch (cause) {
    const isMissing = isRecord(cause) && cause['code'] === 'ENOENT';
    const what = isMissing ? 'Credentials file not found:' : 'Failed to load credentials from';
    throw new WorkflowArgumentError(`${what} ${path}`, { cause });
  }
  return objectOf(parsed(text, path), 'credentials');
}

function parsed(text: string, path: string): unknown {
  try {
    return parseJson(text);
  } catch {
    // Without the cause: parsers repeat what they could not read.
    throw new WorkflowArgumentError(`Failed to load credentials from ${path}`);
  }
}

function decrypted(value: JsonValue, key: string | null): JsonValue {
  if (typeof value === 'string') return CredentialCrypto.decrypt(value, key);
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((item) => decrypted(item, key));
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, decrypted(member, key)]));
}

function ofAgents(config: JsonObject): AgentCredentials {
  return new Map(
    Object.entries(config).map(([agent, schemes]) => {
      const where = `credentials.${named('agent', agent)}`;
      return [agent, schemesOf(objectOf(schemes, where), where)];
    }),
  );
}

function ofProfiles(config: JsonObject): AgentCredentials {
  const profiles = objectOf(config['profiles'] ?? {}, 'profiles');
  for (const [name, profile] of Object.entries(profiles)) {
    const where = `profiles.${named('profile', name)}`;
    for (const [scheme, member] of Object.entries(objectOf(profile, where))) {
      objectOf(member, `${where}.${named('scheme', scheme)}`);
    }
  }
  return new Map(
    Object.entries(objectOf(config['agents'] ?? {}, 'agents')).map(([agent, entry]) => {
      const where = `agents.${named('agent', agent)}`;
      const { profile, overrides } = objectOf(entry, where);
      if (typeof profile !== 'string' || !Object.hasOwn(profiles, profile)) {
        const shown = typeof profile === 'string' ? profile : '';
        throw new WorkflowArgumentError(`Unknown credential profile '${shown}' for agent ${agent}`);
      }
      const partial = objectOf(overrides ?? {}, `${where}.overrides`);
      for (const [scheme, member] of Object.entries(partial)) objectOf(member, `${where}.overrides.${scheme}`);
      return [agent, schemesOf(objectOf(merged(profiles[profile] ?? {}, partial), where), where)];
    }),
  );
}

function schemesOf(schemes: JsonObject, where: string): ReadonlyMap<string, SchemeConfig> {
  return new Map(
    Object.entries(schemes).map(([scheme, config]) => {
      const at = `${where}.${named('scheme', scheme)}`;
      return [scheme, readSchemeConfig(objectOf(config, at), at)];
    }),
  );
}

function merged(below: JsonValue, above: JsonValue): JsonValue {
  if (!isRecord(below) || !isRecord(above)) return above;
  const base: JsonObject = below;
  const over: JsonObject = above;
  const changed = Object.entries(over).map(([name, value]): [string, JsonValue] => [
    name,
    Object.hasOwn(base, name) ? merged(base[name] ?? null, value) : value,
  ]);
  return Object.fromEntries([...Object.entries(base), ...changed]);
}

function named(what: string, name: string): string {
  if (isBlank(name)) throw new WorkflowArgumentError(`Credential ${what} name must not be blank`);
  return name;
}

function objectOf(value: unknown, where: string): JsonObject {
  if (!isRecord(value)) throw new WorkflowArgumentError(`${where} must be an object`);
  return BusinessValues.map(value);
}
