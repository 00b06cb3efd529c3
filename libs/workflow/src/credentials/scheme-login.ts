import { A2AClientError, type ClientHttp } from 'nestjs-a2a/client';
import { isRecord, type JsonValue, parseJson } from 'nestjs-a2a/protocol';
import { SecurityException } from '../errors/workflow.error.js';
import type { SchemeConfig } from './scheme-config.js';

/** Whose login it is; for errors. */
export interface LoginOwner {
  readonly agent: string;
  readonly scheme: string;
}

const TIMEOUT_MS = 30_000;
const MAX_ANSWER_BYTES = 65_536;
const SPARE_MS = 60_000;
// Of characters that a header can hold.
const TOKEN = /^[\x21-\x7e\x80-\xff](?:[\x20-\x7e\x80-\xff]*[\x21-\x7e\x80-\xff])?$/;

/** Gets the token of one scheme of one agent, and keeps it until a minute before its end. */
export class SchemeLogin {
  private kept: { readonly token: string; readonly goodUntil: number } | undefined;
  private running: Promise<string> | undefined;

  constructor(
    private readonly owner: LoginOwner,
    private readonly config: SchemeConfig,
    private readonly http: ClientHttp,
    private readonly now: () => number,
  ) {}

  /**
   * All who ask at the same time wait for one login.
   *
   * @throws SecurityException with nothing of what the service says but its status
   */
  token(): Promise<string> {
    if (this.kept !== undefined && this.now() < this.kept.goodUntil) return Promise.resolve(this.kept.token);
    this.running ??= this.login().finally(() => (this.running = undefined));
    return this.running;
  }

  private async login(): Promise<string> {
    // From before the question: the token's time runs since then at the latest.
    const asked = this.now();
    const token = tokenIn(await this.answer(), this.config.tokenPaths);
    if (token === undefined) throw this.failed('login gave no token');
    this.kept = { token, goodUntil: asked + this.config.ttlMs - SPARE_MS };
    return token;
  }

  private async answer(): Promise<unknown> {
    const { loginUrl: url, method, isForm, fields } = this.config;
    const body = fields && (isForm ? formOf(fields) : JSON.stringify(fields));
    const type = isForm ? 'application/x-www-form-urlencoded; charset=utf-8' : 'application/json';
    const headers = { accept: 'application/json', ...(body !== undefined && { 'content-type': type }) };
    const limits = { totalTimeoutMs: TIMEOUT_MS, headersTimeoutMs: TIMEOUT_MS, maxAnswerBytes: MAX_ANSWER_BYTES };
    let answer;
    try {
      answer = await this.http.request({ method, url, headers, body }, limits);
    } catch (error) {
      throw this.failed(`login failed${error instanceof A2AClientError ? `: ${error.message}` : ''}`);
    }
    if (answer.status < 200 || answer.status > 299) throw this.failed(`login returned ${answer.status}`);
    try {
      return parseJson(answer.body);
    } catch {
      // Without the cause: parsers repeat what they could not read.
      throw this.failed('login gave no JSON');
    }
  }

  private failed(reason: string): SecurityException {
    const { agent, scheme } = this.owner;
    return new SecurityException(
      `Authentication failed for agent ${agent}: ${reason} (scheme=${scheme}), request blocked`,
    );
  }
}

function formOf(fields: Readonly<Record<string, JsonValue>>): string {
  const form = new URLSearchParams();
  for (const [name, value] of Object.entries(fields)) form.set(name, value === null ? '' : String(value));
  return form.toString();
}

function tokenIn(answer: unknown, paths: SchemeConfig['tokenPaths']): string | undefined {
  for (const path of paths) {
    const value = path.reduce(memberOf, answer);
    if (typeof value === 'string' && TOKEN.test(value)) return value;
  }
  return undefined;
}

function memberOf(value: unknown, name: string): unknown {
  return isRecord(value) && Object.hasOwn(value, name) ? value[name] : undefined;
}
