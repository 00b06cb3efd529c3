import { createServer, type IncomingMessage, request as httpRequest, type ServerResponse } from 'node:http';
import { closeServer, portOf } from '../../net/canary.js';

/** A request on its way to an agent. */
export interface GatewayCall {
  readonly method: string;
  readonly path: string;
  readonly body: string;
  /** To the caller. */
  readonly response: ServerResponse;
  /** Sends it on to the agent, with these headers. */
  forward(headers?: Readonly<Record<string, string>>): Promise<IncomingMessage>;
}

/** Stands before an agent, sees what comes, and may do to it what networks and other servers do. */
export class AgentGateway {
  readonly url: string;
  private upstream = '';
  private onCall: (call: GatewayCall) => Promise<void> = handOn;

  private constructor(private readonly server: ReturnType<typeof createServer>) {
    this.url = `http://127.0.0.1:${portOf(server)}`;
    server.on('request', (request, response) => {
      response.on('error', () => undefined);
      this.take(request, response).catch(() => response.destroy());
    });
  }

  static async start(): Promise<AgentGateway> {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return new AgentGateway(server);
  }

  /**
   * @param upstream where the agent is
   * @param onCall sees to each request. Default: it is handed on
   */
  open(upstream: string, onCall: (call: GatewayCall) => Promise<void> = handOn): void {
    this.upstream = upstream;
    this.onCall = onCall;
  }

  close(): Promise<void> {
    return closeServer(this.server);
  }

  private async take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await textOf(request);
    const { method = 'GET', url: path = '/', headers } = request;
    await this.onCall({
      method,
      path,
      body,
      response,
      forward: (more = {}) => this.send(method, path, body, { ...headers, ...more }),
    });
  }

  /** Calls the agent behind the gateway, of which nobody else hears. */
  send(
    method: string,
    path: string,
    body: string,
    headers: Readonly<Record<string, string | string[] | undefined>>,
  ): Promise<IncomingMessage> {
    const { host: _host, connection: _connection, 'transfer-encoding': _encoding, ...kept } = headers;
    return new Promise((resolve, reject) => {
      const call = httpRequest(
        this.upstream + path,
        { method, headers: { ...kept, 'content-length': String(Buffer.byteLength(body)) } },
        resolve,
      );
      call.on('error', reject);
      call.end(body);
    });
  }
}

/** Lets the agent answer. */
export async function handOn({ forward, response }: GatewayCall): Promise<void> {
  const answer = await forward();
  const text = await textOf(answer);
  response.writeHead(answer.statusCode ?? 500, { 'content-type': String(answer.headers['content-type']) }).end(text);
}

export async function textOf(message: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of message) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks).toString('utf8');
}
