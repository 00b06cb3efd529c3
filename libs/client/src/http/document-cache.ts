import { A2A_VERSION_HEADER, parseJson, PROTOCOL_VERSION } from 'nestjs-a2a/protocol';
import { A2AClientError, A2AHttpError } from '../client-error.js';
import { SharedWork } from '../shared-work.js';
import type { ClientHttp, ClientHttpAnswer } from './client-http.js';
import { freshnessOf } from './freshness.js';

/** A JSON document as it was last fetched. Shared by all who ask: not to be changed. */
export interface JsonDocument {
  readonly url: string;
  readonly value: unknown;
  /** When the agent last said that this is it, by the clock of the cache. */
  readonly checkedAt: number;
}

/** Options of {@link DocumentCache}. */
export interface DocumentCacheOptions {
  /** For a document whose answer says nothing of it, in milliseconds. */
  readonly defaultLifetimeMs: number;
  /** All documents together, in characters of their JSON. */
  readonly maxSize?: number;
  /** Milliseconds. Default: the time of day. */
  readonly now?: () => number;
}

/** How a document is asked for. */
export interface DocumentRequest {
  /** Ask the server, whatever the cache has. */
  readonly force?: boolean;
  readonly signal?: AbortSignal;
}

interface Entry extends JsonDocument {
  readonly headers: ClientHttpAnswer['headers'];
  readonly freshUntil: number;
  readonly size: number;
}

const MAX_DOCUMENT_BYTES = 1024 * 1024;
const MAX_ENTRIES = 256;
const MAX_SIZE = 16 * 1024 * 1024;
const MAX_VALIDATOR_LENGTH = 512;
const TIMEOUT_MS = 10_000;

/**
 * JSON documents by URL, kept as long as HTTP allows and asked for again only with "has it changed?". Who asks for one
 * that is on its way waits for that. Bounded: what was not used for longest leaves first.
 *
 * @see RFC 9111
 */
export class DocumentCache {
  // In order of use, the oldest first.
  private readonly entries = new Map<string, Entry>();
  private readonly fetches = new SharedWork<JsonDocument>();
  private readonly now: () => number;
  private size = 0;

  constructor(
    private readonly http: Pick<ClientHttp, 'request'>,
    private readonly options: DocumentCacheOptions,
  ) {
    this.now = options.now ?? Date.now;
  }

  /** Is it there, and may be used without asking? */
  isFresh(url: string): boolean {
    return (this.entries.get(url)?.freshUntil ?? 0) > this.now();
  }

  /**
   * @throws A2AHttpError when the answer is not 200
   * @throws A2AClientError `NOT_JSON`, and whatever the HTTP client throws
   */
  async get(url: string, { force = false, signal }: DocumentRequest = {}): Promise<JsonDocument> {
    const entry = this.entries.get(url);
    if (!entry || force || !this.isFresh(url)) {
      return this.fetches.run(url, (stop) => this.fetch(url, force ? undefined : entry, force, stop), signal);
    }
    this.entries.delete(url);
    this.entries.set(url, entry);
    return entry;
  }

  private async fetch(
    url: string,
    known: Entry | undefined,
    force: boolean,
    signal: AbortSignal,
  ): Promise<JsonDocument> {
    const asked = this.now();
    const answer = await this.http.request(
      { method: 'GET', url, headers: headersFor(known, force), signal },
      { maxAnswerBytes: MAX_DOCUMENT_BYTES, totalTimeoutMs: TIMEOUT_MS },
    );
    if (answer.status === 304 && known) return this.keep(confirmed(known, answer), asked);
    if (answer.status !== 200) {
      // Gone, or not for us any more; a server in trouble is another matter.
      if (answer.status < 500) this.drop(url);
      throw new A2AHttpError(answer.status, answer.headers, `the answer is ${answer.status}`);
    }
    return this.keep({ url, value: jsonOf(answer), headers: answer.headers, size: answer.body.length }, asked);
  }

  private keep(found: Omit<Entry, 'freshUntil' | 'checkedAt'>, asked: number): JsonDocument {
    const { storable, lifetimeMs } = freshnessOf(found.headers, this.options.defaultLifetimeMs);
    // From the time of the question: the answer may have been on its way for long.
    const entry: Entry = { ...found, checkedAt: asked, freshUntil: asked + lifetimeMs };
    this.drop(found.url);
    if (!storable) return entry;
    this.entries.set(found.url, entry);
    this.size += entry.size;
    const { maxSize = MAX_SIZE } = this.options;
    for (const url of this.entries.keys()) {
      if (this.size <= maxSize && this.entries.size <= MAX_ENTRIES) break;
      this.drop(url);
    }
    return entry;
  }

  private drop(url: string): void {
    this.size -= this.entries.get(url)?.size ?? 0;
    this.entries.delete(url);
  }
}

function headersFor(known: Entry | undefined, force: boolean): Record<string, string> {
  const etag = known?.headers['etag'];
  const modified = known?.headers['last-modified'];
  return {
    accept: 'application/json',
    [A2A_VERSION_HEADER]: PROTOCOL_VERSION,
    ...(force && { 'cache-control': 'no-cache' }),
    ...(isValidator(etag) && { 'if-none-match': etag }),
    ...(isValidator(modified) && { 'if-modified-since': modified }),
  };
}

function isValidator(value: string | undefined): value is string {
  return value !== undefined && value !== '' && value.length <= MAX_VALIDATOR_LENGTH;
}

/** What was known, with what the server says of it now. */
function confirmed(known: Entry, answer: ClientHttpAnswer): Omit<Entry, 'freshUntil' | 'checkedAt'> {
  const said = Object.entries(answer.headers).filter(([, value]) => value !== undefined);
  // How old the earlier answer was says nothing of this one.
  const { age: _age, date: _date, ...kept } = known.headers;
  return { url: known.url, value: known.value, size: known.size, headers: { ...kept, ...Object.fromEntries(said) } };
}

// Whatever type the answer names: some serve cards as files of no type in particular.
function jsonOf({ body }: ClientHttpAnswer): unknown {
  try {
    return parseJson(body);
  } catch {
    // Without the cause, which may quote the body.
    throw new A2AClientError('NOT_JSON', 'the answer is not JSON');
  }
}

/** A URL without its query, which may hold a key. */
export function shown(url: string): string {
  const { origin, pathname } = new URL(url);
  return origin + pathname;
}
