import { type AgentInterface, ProtocolBinding } from 'nestjs-a2a/protocol';
import { camelCased, isAbsent, isFields, readRequiredText, readText } from './card-fields.js';
import type { CardFindings } from './card-findings.js';

const STANDARD: ReadonlySet<unknown> = new Set(Object.values(ProtocolBinding));

/** The interfaces on bindings of the author's own; the standard ones are what the module mounts, and nothing else. */
export function readCustomInterfaces(findings: CardFindings, value: unknown): AgentInterface[] {
  if (isAbsent(value)) return [];
  if (!Array.isArray(value)) {
    findings.fault('supportedInterfaces', 'must be an array of interfaces');
    return [];
  }
  return value.flatMap((entry: unknown, index): AgentInterface[] => {
    const path = `supportedInterfaces[${index}]`;
    if (!isFields(entry)) {
      findings.fault(path, 'must be an object');
      return [];
    }
    const { url, protocolBinding, protocolVersion, tenant } = camelCased(entry);
    if (STANDARD.has(protocolBinding)) {
      findings.ignored(path, `${String(protocolBinding)} interfaces are derived from what is mounted`);
      return [];
    }
    const binding = readRequiredText(findings, `${path}.protocolBinding`, protocolBinding);
    if (binding !== '' && !URL.canParse(binding)) {
      const right = [...Object.values(ProtocolBinding), 'the URI of a custom binding'].join(', ');
      findings.fault(`${path}.protocolBinding`, `${JSON.stringify(binding)} is none of ${right}`);
    }
    const custom: AgentInterface = {
      url: readRequiredText(findings, `${path}.url`, url),
      protocolBinding: binding,
      protocolVersion: readRequiredText(findings, `${path}.protocolVersion`, protocolVersion),
    };
    const named = readText(findings, `${path}.tenant`, tenant, '');
    return [named === '' ? custom : { ...custom, tenant: named }];
  });
}
