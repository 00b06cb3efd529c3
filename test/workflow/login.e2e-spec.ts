import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type ClientHttpLimits, type ClientHttpRequest, SafeClientHttp } from 'nestjs-a2a/client';
import {
  type AuthProvider,
  DefaultWorkflowEngineClient,
  MessageContent,
  RemoteA2AError,
  workflowEngineClientConfig,
  type WorkflowEngineClientOptions,
} from 'nestjs-a2a/workflow';
import { CardAuthenticator } from '../../libs/workflow/src/credentials/card.authenticator.js';
import { readCredentials } from '../../libs/workflow/src/credentials/credentials-config.js';
import { BusinessValues } from '../../libs/workflow/src/model/business-values.js';
import { bareCard } from '../support/bare-card.js';
import { caught } from '../support/caught.js';
import { at } from '../support/http-call.js';
import { halfAnswer, JsonService, type ServiceScript } from '../support/workflow/json-service.js';

const SECRET = 'hunter2';
const LOGIN = '/login?client_secret=hunter2';
const service = new JsonService();
beforeAll(() => service.start());
beforeEach(() => service.reset(script));
afterAll(() => service.close());

let login: ServiceScript = () => [200, { token: 'T' }];
let agentStatus = 200;
const script: ServiceScript = (request, response) => {
  if (request.line.endsWith(LOGIN)) return login(request, response);
  return [agentStatus, { tasks: [], nextPageToken: '', pageSize: 1, totalSize: 0 }];
};

const cardOfService = () =>
  bareCard({
    capabilities: { extensions: ['urn:own', 'urn:both'].map((uri) => ({ uri })) },
    supportedInterfaces: [{ url: service.url, protocolBinding: 'HTTP+JSON', protocolVersion: '1.0' }],
    securitySchemes: { s: { httpAuthSecurityScheme: { scheme: 'bearer' } } },
    securityRequirements: [{ schemes: { s: { list: [] } } }],
  });
const credentialsOf = (url = `${service.url}${LOGIN}`) => ({
  A: { s: { login_url: url, username: 'u', password: SECRET } },
});

async function calling<T>(
  call: (client: DefaultWorkflowEngineClient) => Promise<T>,
  options: WorkflowEngineClientOptions = { credentialsConfig: credentialsOf() },
): Promise<T> {
  const client = new DefaultWorkflowEngineClient([cardOfService()], { config: workflowEngineClientConfig(options) });
  return call(client).finally(() => client.close());
}
const listTasks = (client: DefaultWorkflowEngineClient) => client.listTasks('A', {});

describe('a login server', () => {
  beforeEach(() => {
    agentStatus = 200;
  });

  it.each<readonly [reason: string, script: ServiceScript]>([
    [
      'login gave no JSON',
      (_request, response) => void response.setHeader('content-type', 'text/html').end(`<b>${SECRET}</b>`),
    ],
    ['login gave no JSON', () => [204]],
    ['login gave no JSON', () => [200, '['.repeat(60_000)]],
    [
      'login returned 302',
      (_request, response) => {
        response.setHeader('location', `${service.url}/elsewhere`);
        return [302, {}];
      },
    ],
    ['login gave no token', () => [200, { token: 'a\r\nX-Evil: 1' }]],
    ['login gave no token', () => [200, { token: 'a\u0000b' }]],
    ['login gave no token', () => [200, { token: '中' }]],
    ['login gave no token', (_request, response) => void response.end(Buffer.from('{"token":"é"}', 'latin1'))],
    ['login failed: <url>: The answer has more than 65536 bytes', () => [200, { token: 'x'.repeat(1 << 20) }]],
    [
      'login failed: <url>: The headers of the answer are too large',
      (_request, response) => {
        response.setHeader('x', 'y'.repeat(20_000));
        return [200, { token: 'T' }];
      },
    ],
    [
      'login failed: <url>: The connection failed (UND_ERR_SOCKET)',
      (_request, response) => void response.writeHead(200).write('{"token":', () => response.destroy()),
    ],
  ])('that fails keeps the message from being sent: %s', async (reason, failing) => {
    login = failing;
    const error = await caught(calling((client) => client.sendTask('A', MessageContent.text('go'))));
    const why = reason.replace('<url>', service.url);
    expect(error.message).toBe(`Authentication failed for agent A: ${why} (scheme=s), request blocked`);
    expect([error.name, error.cause]).toEqual(['SecurityException', undefined]);
    expect(service.lines).toEqual([`POST ${LOGIN}`]);
  });

  it('is told without its query when it is not there', async () => {
    const credentialsConfig = credentialsOf('http://127.0.0.1:1/?secret=hunter2');
    const error = await caught(calling(listTasks, { credentialsConfig }));
    expect(error.message).toContain('login failed: http://127.0.0.1:1: The connection failed (ECONNREFUSED)');
    expect(error.message).not.toContain(SECRET);
  });

  it('is waited for as long as the limit, body included', async () => {
    login = halfAnswer;
    class Hasty extends SafeClientHttp {
      override request(request: ClientHttpRequest, limits?: ClientHttpLimits) {
        return super.request(request, { ...limits, totalTimeoutMs: 40 });
      }
    }
    const authenticator = new CardAuthenticator({
      provider: null,
      credentials: readCredentials({
        credentialsConfigPath: null,
        credentialsConfig: BusinessValues.map(credentialsOf()),
        credentialEncryptionKey: null,
      }),
      http: new Hasty({ network: 'any' }),
      hasClientCertificate: false,
    });
    const error = await caught(authenticator.headersFor('A', cardOfService(), new AbortController().signal));
    expect(error.message).toMatch(/login failed: \S+: .* \(scheme=s\), request blocked$/);
    await authenticator.close();
  });

  it('is asked once, and an agent that refuses its token is not asked again', async () => {
    login = () => [200, { token: 'T' }];
    await calling(async (client) => {
      await listTasks(client);
      agentStatus = 401;
      const error = await caught(listTasks(client));
      expect(error.message).toBe('listTasks failed for A: A2A request failed with HTTP 401');
      expect(RemoteA2AError.findIn(error)).toMatchObject({ httpStatus: 401 });
    });
    expect(service.lines).toHaveLength(3);
    expect(service.authorizations).toEqual([undefined, 'Bearer T', 'Bearer T']);
  });
});

describe('a provider of headers', () => {
  const task = (contextId: unknown) => ({ id: 't', contextId, status: { state: 'TASK_STATE_COMPLETED' } });
  const operations: Record<string, (client: DefaultWorkflowEngineClient) => Promise<unknown>> = {
    'POST /message:send': (client) =>
      client.sendTask('A', MessageContent.text('go').withExtension('urn:own').withExtension('urn:both')),
    'GET /tasks/t': (client) => client.getTask('A', 't'),
    'GET /tasks': listTasks,
    'POST /tasks/t:cancel': (client) => client.cancelTask('A', 't'),
    'POST /tasks/t:subscribe': (client) => client.subscribeToTask('A', 't', () => undefined),
  };

  it.each(Object.entries(operations))('is asked before %s, each time anew', async (line, call) => {
    service.script = ({ line: asked, body }, response) => {
      if (asked.endsWith(':subscribe')) {
        response.setHeader('content-type', 'text/event-stream');
        return void response.end(`data: ${JSON.stringify({ task: task('c') })}\n\n`);
      }
      if (asked === 'GET /tasks') return [200, { tasks: [], nextPageToken: '', pageSize: 1, totalSize: 0 }];
      return [200, asked.endsWith(':send') ? { task: task(at(body, 'message.contextId')) } : task('c')];
    };
    let count = 0;
    const authProvider: AuthProvider = {
      applyAuth: async (agent, card, headers) => {
        headers['authorization'] = `${agent} ${card.name} ${(count += 1)}`;
        headers['a2a-extensions'] = 'urn:host, urn:both';
      },
    };
    await calling(async (client) => [await call(client), await call(client)], { authProvider });
    expect(service.lines).toEqual([line, line]);
    expect(service.authorizations).toEqual(['A A 1', 'A A 2']);
    const extensions = service.asked.map(({ headers }) => String(headers['a2a-extensions']).split(/,\s*/).sort());
    const own = line.endsWith(':send') ? ['urn:both', 'urn:host', 'urn:own'] : ['urn:both', 'urn:host'];
    expect(extensions).toEqual([own, own]);
  });

  it.each<readonly [name: string, value: string]>([
    ['Authorization', `${SECRET}\r\nX-Evil: 1`],
    ['Authorization', `${SECRET}中`],
    ['X-A\r\nX-Evil', SECRET],
    ['', SECRET],
    ['Host', SECRET],
    ['Content-Length', '2'],
    ['Transfer-Encoding', 'chunked'],
  ])('cannot smuggle %j', async (name, value) => {
    const authProvider: AuthProvider = { applyAuth: (_agent, _card, headers) => void (headers[name] = value) };
    const error = await caught(calling(listTasks, { authProvider }));
    expect(error.message).toMatch(/^listTasks failed for A: /);
    expect(error.message).not.toContain(SECRET);
    expect(service.asked).toEqual([]);
  });
});
