import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http';
import { at, jsonOf } from './http-call.js';

/** One notification as a receiver got it. */
export interface HookCall {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  readonly body: unknown;
}

/** What a receiver answers: a status, a status with headers, or nothing at all. */
export type HookAnswer = number | { readonly status: number; readonly headers: Record<string, string> } | 'hang';

/** A receiver of push notifications on loopback. */
export class Hook {
  readonly calls: HookCall[] = [];
  /** Calls that hang. */
  hanging = 0;
  private readonly watchers = new Set<() => void>();

  private constructor(
    private readonly server: Server,
    readonly port: number,
  ) {}

  /** @param answer what the n-th call gets, from 1 */
  static async open(answer: (n: number, call: HookCall) => HookAnswer = () => 200): Promise<Hook> {
    const server = createServer((request, response) => void hook.take(request, response, answer));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const address = server.address();
    if (address === null || typeof address === 'string') throw new Error('The hook has no port');
    const hook: Hook = new Hook(server, address.port);
    return hook;
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}/hook`;
  }

  /** What each call tells, in a word: a state, or the text of an artifact. */
  get words(): string[] {
    return this.calls.map(({ body }) => wordOf(body));
  }

  get ids(): (string | string[] | undefined)[] {
    return this.calls.map(({ headers }) => headers['x-a2a-notification-id']);
  }

  /** Resolves when the calls are what is awaited; the limit of the test is the only one. */
  async until(holds: (calls: readonly HookCall[]) => boolean): Promise<void> {
    while (!holds(this.calls)) await new Promise<void>((resolve) => this.watchers.add(resolve));
  }

  /** Resolves when a call told this word. */
  async untilWord(word: string): Promise<void> {
    await this.until(() => this.words.includes(word));
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private async take(
    request: IncomingMessage,
    response: ServerResponse,
    answerOf: (n: number, call: HookCall) => HookAnswer,
  ): Promise<void> {
    let text = '';
    request.setEncoding('utf8');
    for await (const chunk of request) text += chunk;
    const { method = '', url = '', headers } = request;
    const call = { method, path: url, headers, text, body: jsonOf(text) };
    this.calls.push(call);
    const answer = answerOf(this.calls.length, call);
    if (answer === 'hang') this.hang(response);
    else if (typeof answer === 'number') response.writeHead(answer).end();
    else response.writeHead(answer.status, answer.headers).end();
    this.changed();
  }

  private hang(response: ServerResponse): void {
    this.hanging++;
    response.on('close', () => {
      this.hanging--;
      this.changed();
    });
  }

  private changed(): void {
    for (const watcher of this.watchers) watcher();
    this.watchers.clear();
  }
}

function wordOf(body: unknown): string {
  const state = at(body, 'statusUpdate.status.state');
  if (state !== undefined) return String(state);
  const task = at(body, 'task.status.state');
  if (task !== undefined) return `task ${String(task)}`;
  return String(at(body, 'artifactUpdate.artifact.parts.0.text'));
}
