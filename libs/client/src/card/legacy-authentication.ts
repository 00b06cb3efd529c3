import { isRecord, type SecurityRequirement, type SecurityScheme } from 'nestjs-a2a/protocol';
import { itemsOf, textOf, type WireObject } from './wire-member.js';

/** Security as a card of today says it. */
export interface CardSecurity {
  readonly securitySchemes: Record<string, SecurityScheme>;
  readonly securityRequirements: SecurityRequirement[];
}

const API_KEY_HEADER = 'X-API-Key';

/**
 * Reads `authentication`, which cards had before security schemes: `{ type, header }`, or `{ schemes: [name] }` of which
 * one is enough. Undefined when there is none.
 */
export function readLegacyAuthentication(card: WireObject): CardSecurity | undefined {
  const { authentication } = card;
  if (!isRecord(authentication)) return undefined;
  const listed = itemsOf(authentication, 'schemes').filter((name) => typeof name === 'string');
  const type = textOf(authentication, 'type');
  const types = listed.length > 0 ? listed : type === undefined ? [] : [type];
  if (types.length === 0) return undefined;
  const header = textOf(authentication, 'header') ?? API_KEY_HEADER;
  return {
    // What is not known stays without a scheme: it cannot be fulfilled then, and is not taken for nothing.
    securitySchemes: Object.fromEntries(
      types.flatMap((name) => {
        const scheme = schemeOf(name, header);
        return scheme ? [[name, scheme]] : [];
      }),
    ),
    securityRequirements: types.map((name) => ({ schemes: { [name]: { list: [] } } })),
  };
}

function schemeOf(type: string, header: string): SecurityScheme | undefined {
  switch (type.toLowerCase().replaceAll(/[^a-z]/g, '')) {
    case 'apikey':
      return { apiKeySecurityScheme: { location: 'header', name: header } };
    case 'bearer':
    case 'http':
      return { httpAuthSecurityScheme: { scheme: 'bearer' } };
    case 'basic':
      return { httpAuthSecurityScheme: { scheme: 'basic' } };
    default:
      return undefined;
  }
}
