import type { SecurityScheme } from 'nestjs-a2a/protocol';
import { camelCased, type Fields, isAbsent, isFields } from './card-fields.js';
import type { CardFindings } from './card-findings.js';

/**
 * A scheme that is checked, as the card is to tell it.
 *
 * @publicApi
 */
export interface DeclaredScheme {
  readonly name: string;
  readonly definition: SecurityScheme;
}

/**
 * The card with the schemes that are checked: each is added unless the card tells of it itself, in which case both must
 * mean the same. A card that says nothing of what callers need gets each scheme as an alternative.
 */
export function withCheckedSchemes(findings: CardFindings, card: Fields, schemes: readonly DeclaredScheme[]): Fields {
  if (schemes.length === 0) return card;
  const told = card['securitySchemes'];
  const given = isFields(told) ? told : {};
  const merged: Record<string, unknown> = { ...given };
  for (const { name, definition } of schemes) {
    if (isAbsent(given[name])) merged[name] = definition;
    else if (!meanTheSame(given[name], definition)) {
      const ours = JSON.stringify(definition);
      findings.fault(`securitySchemes.${name}`, `contradicts the scheme that checks it, which is ${ours}`);
    }
  }
  const requirements = card['securityRequirements'];
  const nothingSaid = isAbsent(requirements) || (Array.isArray(requirements) && requirements.length === 0);
  if (!nothingSaid) warnOfUnused(findings, requirements, schemes);
  return {
    ...card,
    securitySchemes: isAbsent(told) || isFields(told) ? merged : told,
    securityRequirements: nothingSaid
      ? schemes.map(({ name }) => ({ schemes: { [name]: { list: [] } } }))
      : requirements,
  };
}

/**
 * Every requirement must name schemes that the card declares. A requirement in the form of protocol 0.3 would read as
 * "nothing is required", so it is refused rather than ignored.
 *
 * @param schemes absent while it is not known yet which ones there are
 */
export function checkRequirements(
  findings: CardFindings,
  path: string,
  value: unknown,
  schemes: Fields | undefined,
): void {
  if (isAbsent(value)) return;
  if (!Array.isArray(value)) {
    findings.fault(path, 'must be an array of security requirements');
    return;
  }
  value.forEach((requirement: unknown, index) => {
    const at = `${path}[${index}]`;
    const named = isFields(requirement) ? requirement['schemes'] : undefined;
    if (!isFields(requirement) || !isFields(named)) {
      findings.fault(at, 'must have the form { "schemes": { "<name of a scheme>": { "list": [<scopes>] } } }');
      return;
    }
    checkOnly('schemes', findings, at, requirement);
    for (const [name, needed] of Object.entries(named)) {
      if (isFields(needed)) checkOnly('list', findings, `${at}.schemes.${name}`, needed);
      if (schemes === undefined || Object.hasOwn(schemes, name)) continue;
      findings.fault(`${at}.schemes.${name}`, 'names a scheme that securitySchemes does not declare');
    }
  });
}

/** Another field would be passed over, and with it what the card's author wants callers to have. */
function checkOnly(field: string, findings: CardFindings, path: string, value: Fields): void {
  for (const other of Object.keys(value)) {
    if (other !== field) findings.fault(`${path}.${other}`, `has no meaning here: ${field} alone says what is needed`);
  }
}

function warnOfUnused(findings: CardFindings, requirements: unknown, schemes: readonly DeclaredScheme[]): void {
  const list: unknown[] = Array.isArray(requirements) ? requirements : [];
  const named = new Set(
    list.flatMap((entry) => (isFields(entry) && isFields(entry['schemes']) ? Object.keys(entry['schemes']) : [])),
  );
  for (const { name } of schemes) {
    if (!named.has(name)) findings.warnings.push(`securityRequirements never name ${name}: nobody can use that scheme`);
  }
}

/** Whether two schemes take the same credentials in the same place; a token may be told of in more than one way. */
function meanTheSame(told: unknown, definition: SecurityScheme): boolean {
  const first = carrierOf(told);
  // Of what cannot be read, the decoder says what is wrong.
  return first === undefined || first === carrierOf(definition);
}

function carrierOf(scheme: unknown): string | undefined {
  if (!isFields(scheme)) return undefined;
  const { apiKeySecurityScheme: key, httpAuthSecurityScheme: http, ...others } = camelCased(scheme);
  if (isFields(key)) {
    const name = String(key['name']);
    return `key in ${String(key['location'])} ${key['location'] === 'header' ? name.toLowerCase() : name}`;
  }
  if (isFields(http)) return `http ${String(http['scheme']).toLowerCase()}`;
  if (isFields(others['mtlsSecurityScheme'])) return 'certificate';
  return isFields(others['oauth2SecurityScheme']) || isFields(others['openIdConnectSecurityScheme'])
    ? 'http bearer'
    : undefined;
}
