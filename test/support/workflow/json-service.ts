import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { closeServer, portOf } from '../../net/canary.js';

/** What a service was asked. */
export interface AskedRequest {
  readonly line: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: unknown;
}

/** What it says: a status with JSON, or anything at all. */
export type ServiceScript = (
  request: AskedRequest,
  response: ServerResponse,
) => readonly [status: number, body?: unknown] | void;

/** A service over real HTTP that answers by a script. */
export class JsonService {
  readonly asked: AskedRequest[] = [];
  script: ServiceScript = () => [200, {}];
  private readonly server: Server;

  constructor() {
    this.server = createServer(async (request, response) => {
      let text = '';
      for await (const chunk of request) text += String(chunk);
      const { method = '', url = '', headers } = request;
      const asked = { line: `${method} ${url}`, headers, body: text === '' ? undefined : JSON.parse(text) };
      this.asked.push(asked);
      const said = this.script(asked, response);
      if (!said) return;
      const [status, body] = said;
      response.writeHead(status, { 'content-type': 'application/json' });
      response.end(typeof body === 'string' || body === undefined ? body : JSON.stringify(body));
    });
  }

  get url(): string {
    return `http://127.0.0.1:${portOf(this.server)}`;
  }

  get lines(): string[] {
    return this.asked.map(({ line }) => line);
  }

  /** Of each request. */
  get authorizations(): (string | undefined)[] {
    return this.asked.map(({ headers }) => headers.authorization);
  }

  reset(script: ServiceScript = () => [200, {}]): void {
    this.asked.length = 0;
    this.script = script;
  }

  async start(): Promise<void> {
    await new Promise<void>((listening) => this.server.listen(0, '127.0.0.1', listening));
  }

  close(): Promise<void> {
    return closeServer(this.server);
  }
}

/** An answer whose headers come, and whose body stops half way. */
export const halfAnswer: ServiceScript = (_request, response) => {
  response.writeHead(200, { 'content-type': 'application/json' });
  response.write('{"data": {');
};
