import { isRecord, type JsonValue } from 'nestjs-a2a/protocol';
import { WorkflowArgumentError } from '../errors/workflow.error.js';
import { isBlank } from '../model/blank.js';
import type { JsonObject } from '../model/business-values.js';

/** How to log in for one scheme of one agent, checked and complete. */
export interface SchemeConfig {
  readonly loginUrl: string;
  readonly method: LoginMethod;
  readonly isForm: boolean;
  /** Of the body; undefined = no body. */
  readonly fields: JsonObject | undefined;
  /** Ways through the answer to the token; the first that leads to one counts. */
  readonly tokenPaths: readonly (readonly string[])[];
  readonly ttlMs: number;
  /** Undefined: nobody says which. */
  readonly header: string | undefined;
  readonly prefix: string | undefined;
  readonly accept: string | undefined;
}

const METHODS = ['POST', 'GET', 'PUT', 'PATCH', 'DELETE'] as const;
type LoginMethod = (typeof METHODS)[number];

const FORM = 'application/x-www-form-urlencoded';
const MEDIA_TYPES = ['application/json', FORM];
const DEFAULT_TTL_SECONDS = 3600;
// Only where nobody says which: services call it one of these.
const USUAL_TOKEN_FIELDS = ['accessSession', 'access_token', 'token'];
const HEADER_VALUE = /^[\t\x20-\x7e\x80-\xff]*$/;
const HEADER_NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;

/**
 * Reads what the credentials say of a scheme.
 *
 * @param where for errors, e.g. `credentials.<agent>.<scheme>`
 * @throws WorkflowArgumentError that names the member
 */
export function readSchemeConfig(config: JsonObject, where: string): SchemeConfig {
  const text = (name: string): string | undefined => textOf(config, name, where);
  const isForm = mediaTypeOf(text('content_type'), where) === FORM;
  const tokenField = text('token_field');
  const header = text('auth_header');
  if (header !== undefined && !isHeaderName(header)) fail(`${where}.auth_header is no name of a header`);
  return {
    loginUrl: urlOf(text('login_url'), where),
    method: methodOf(text('method'), where),
    isForm,
    fields: fieldsOf(config, isForm, where),
    tokenPaths: tokenField === undefined ? USUAL_TOKEN_FIELDS.map((name) => [name]) : [tokenField.split('.')],
    ttlMs: ttlOf(config['token_ttl'], where) * 1000,
    header,
    prefix: prefixOf(config['auth_header_prefix'], where),
    accept: headerValue(text('accept_header'), `${where}.accept_header`),
  };
}

export function isHeaderName(name: string): boolean {
  return HEADER_NAME.test(name) && name !== '__proto__';
}

function textOf(config: JsonObject, name: string, where: string): string | undefined {
  const value = config[name];
  if (value === undefined || value === null) return undefined;
  if (typeof value !== 'string') return fail(`${where}.${name} must be a string`);
  return isBlank(value) ? undefined : value;
}

// The space at its end counts, and so does an empty one.
function prefixOf(value: JsonValue | undefined, where: string): string | undefined {
  if (value === undefined || value === null) return undefined;
  const at = `${where}.auth_header_prefix`;
  return typeof value === 'string' ? headerValue(value, at) : fail(`${at} must be a string`);
}

function headerValue(value: string | undefined, where: string): string | undefined {
  return value === undefined || HEADER_VALUE.test(value) ? value : fail(`${where} holds what no header may hold`);
}

function urlOf(url: string | undefined, where: string): string {
  if (url === undefined) return fail(`${where}.login_url is required`);
  const parsed = URL.canParse(url) ? new URL(url) : undefined;
  if (parsed === undefined || !/^https?:$/.test(parsed.protocol)) {
    return fail(`${where}.login_url must be an absolute http or https URL`);
  }
  // Nothing would send them.
  const hasAccount = parsed.username !== '' || parsed.password !== '';
  return hasAccount ? fail(`${where}.login_url must hold no account: give username and password`) : url;
}

function methodOf(method: string | undefined, where: string): LoginMethod {
  if (method === undefined) return 'POST';
  return (
    METHODS.find((known) => known === method.toUpperCase()) ??
    fail(`${where}.method must be one of ${METHODS.join(', ')}`)
  );
}

function mediaTypeOf(contentType: string | undefined, where: string): string {
  const type = contentType?.split(';')[0]?.trim().toLowerCase() ?? 'application/json';
  return MEDIA_TYPES.includes(type) ? type : fail(`${where}.content_type must be ${MEDIA_TYPES.join(' or ')}`);
}

function ttlOf(value: unknown, where: string): number {
  if (value === undefined || value === null) return DEFAULT_TTL_SECONDS;
  const isNumber = typeof value === 'number' || (typeof value === 'string' && /^\s*\d+(\.\d+)?\s*$/.test(value));
  const seconds = isNumber ? Number(value) : Number.NaN;
  return seconds > 0 && Number.isFinite(seconds) ? seconds : fail(`${where}.token_ttl must be a positive number`);
}

function fieldsOf(config: JsonObject, isForm: boolean, where: string): JsonObject | undefined {
  const given = config['request_fields'];
  const fields = given === undefined || given === null ? accountOf(config, where) : given;
  if (fields === undefined) return undefined;
  if (!isRecord(fields)) return fail(`${where}.request_fields must be an object`);
  const plain = Object.entries(fields).map(([name, value]): [string, JsonValue] => [name, plainValue(value)]);
  const nested = plain.find(([, value]) => typeof value === 'object' && value !== null);
  if (isForm && nested) return fail(`${where}.request_fields.${nested[0]} must be plain text: the body is a form`);
  return Object.fromEntries(plain);
}

function accountOf(config: JsonObject, where: string): JsonObject | undefined {
  const pairs = ['username', 'password'].flatMap((name) => {
    const value = config[name];
    if (value === undefined || value === null) return [];
    if (typeof value !== 'string') return fail(`${where}.${name} must be a string`);
    return [[textOf(config, `${name}_field`, where) ?? name, value]];
  });
  return pairs.length === 0 ? undefined : Object.fromEntries(pairs);
}

// Older guides write `{ "value": "…" }`.
function plainValue(value: JsonValue): JsonValue {
  return isRecord(value) && 'value' in value ? value['value'] : value;
}

function fail(message: string): never {
  throw new WorkflowArgumentError(message);
}
