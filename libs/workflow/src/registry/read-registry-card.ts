import { readAgentCard } from 'nestjs-a2a/client';
import { type AgentCard, isRecord } from 'nestjs-a2a/protocol';
import { WorkflowArgumentError } from '../errors/workflow.error.js';
import { isBlank } from '../model/blank.js';
import { normalizeAgentCard } from './normalize-agent-card.js';

const KEY_PLACES = ['query', 'header', 'cookie'];

/**
 * Reads a card as a registry gives it into one that the engine's client takes. It is normalised first; then its security
 * must be complete, so that no agent is called with less than its card asks for.
 *
 * @param raw it is not changed
 * @throws WorkflowArgumentError that names the member; A2AClientError `AGENT_CARD_INVALID` for all but security
 * @publicApi
 */
export function readRegistryCard(raw: object): AgentCard {
  const normalized = normalizeAgentCard(raw) ?? {};
  const { securitySchemes = {}, securityRequirements = [] } = normalized;
  const written = isRecord(securitySchemes) ? Object.entries(securitySchemes) : [];
  for (const [name, scheme] of written) checkScheme(`securitySchemes.${name}`, scheme);
  if (Array.isArray(securityRequirements)) securityRequirements.forEach(checkRequirement);
  const { card } = readAgentCard(normalized);
  // What cannot be read is left out there, and must not be missed here.
  const lost = written.find(([name]) => !Object.hasOwn(card.securitySchemes ?? {}, name));
  if (lost) fail(`securitySchemes.${lost[0]} is of no known form`);
  return card;
}

function checkScheme(where: string, scheme: unknown): void {
  if (!isRecord(scheme)) return fail(`${where} must be an object`);
  const { httpAuthSecurityScheme: http, apiKeySecurityScheme: key, openIdConnectSecurityScheme: openId } = scheme;
  if (isRecord(http)) needText(`${where}.scheme`, http['scheme']);
  if (isRecord(key)) {
    needText(`${where}.name`, key['name']);
    const place = key['location'] ?? key['in'];
    if (typeof place !== 'string' || !KEY_PLACES.includes(place)) {
      fail(`${where}.location must be one of ${KEY_PLACES.join(', ')}`);
    }
  }
  if (isRecord(openId)) needText(`${where}.openIdConnectUrl`, openId['openIdConnectUrl']);
}

function checkRequirement(requirement: unknown, at: number): void {
  const where = `securityRequirements[${at}]`;
  if (!isRecord(requirement) || !isRecord(requirement['schemes'])) return fail(`${where}.schemes must be an object`);
  for (const [name, scopes] of Object.entries(requirement['schemes'])) {
    if (!isScopes(scopes)) fail(`${where}.schemes.${name} must be a list of scopes`);
  }
}

function isScopes(scopes: unknown): boolean {
  if (isTexts(scopes)) return true;
  if (!isRecord(scopes)) return false;
  const { list, ...others } = scopes;
  return Object.keys(others).length === 0 && (list === undefined || isTexts(list));
}

function isTexts(value: unknown): boolean {
  return Array.isArray(value) && value.every((item) => typeof item === 'string');
}

function needText(where: string, value: unknown): void {
  if (isBlank(value)) fail(`${where} is required`);
}

function fail(message: string): never {
  throw new WorkflowArgumentError(`The agent card cannot be read: ${message}`);
}
