import { type Fields, isAbsent, isFields } from './card-fields.js';
import type { CardFindings } from './card-findings.js';

/**
 * Every requirement must name schemes that the card declares. A requirement in the form of protocol 0.3 would read as
 * "nothing is required", so it is refused rather than ignored.
 */
export function checkRequirements(findings: CardFindings, path: string, value: unknown, schemes: Fields): void {
  if (isAbsent(value)) return;
  if (!Array.isArray(value)) {
    findings.fault(path, 'must be an array of security requirements');
    return;
  }
  value.forEach((requirement: unknown, index) => {
    const at = `${path}[${index}]`;
    const named = isFields(requirement) ? requirement['schemes'] : undefined;
    if (!isFields(named)) {
      findings.fault(at, 'must have the form { "schemes": { "<name of a scheme>": { "list": [<scopes>] } } }');
      return;
    }
    for (const name of Object.keys(named)) {
      if (Object.hasOwn(schemes, name)) continue;
      findings.fault(`${at}.schemes.${name}`, 'names a scheme that securitySchemes does not declare');
    }
  });
}
