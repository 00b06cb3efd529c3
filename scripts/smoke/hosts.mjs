// The hosts that the packed package is installed into, each a small project of its own.
import {
  MODELS,
  NEST_11_EXPRESS,
  NEST_11_TESTING,
  NEST_12_EXPRESS,
  NEST_12_FASTIFY,
  TYPESCRIPT_5,
  TYPESCRIPT_6,
} from './versions.mjs';

const DECORATORS = { experimentalDecorators: true, emitDecoratorMetadata: true };
const STRICT = { target: 'ES2022', strict: true, types: ['node'], rootDir: 'src', outDir: 'dist', ...DECORATORS };

const AGENT = `import { Injectable } from '@nestjs/common';
import { A2AModule, AgentExecutor, type AgentEmitter, type RequestContext } from 'nestjs-a2a';
import { PROTOCOL_VERSION, type Part } from 'nestjs-a2a/protocol';

@Injectable()
export class EchoAgent extends AgentExecutor {
  async execute(context: RequestContext, emitter: AgentEmitter): Promise<void> {
    const parts: Part[] = context.message.parts;
    await emitter.working(\`\${parts.length} part in version \${PROTOCOL_VERSION}\`);
    await emitter.text(\`echo: \${context.text}\`);
    await emitter.complete();
  }
}

export const AGENT = A2AModule.forRoot({
  agentCard: { name: 'Smoke', description: 'Says what it hears' },
  executor: EchoAgent,
});
`;

/** @param extension '.js' where relative imports are complete. */
const appModule = (extension) => `import { Module } from '@nestjs/common';
import { A2AClient } from 'nestjs-a2a/client';
import { A2AClientModule, InjectA2AClient, observe } from 'nestjs-a2a/client/nest';
import { Observable } from 'rxjs';
import { AGENT } from './agent${extension}';

const CLIENTS = A2AClientModule.forFeature([{ name: 'other', url: 'https://agents.example.com' }]);

@Module({ imports: [AGENT, A2AClientModule.forRoot(), CLIENTS] })
export class AppModule {
  constructor(@InjectA2AClient('other') other: A2AClient) {
    if (!(other instanceof A2AClient)) throw new Error('there is another copy of the client');
    if (!(observe(other).sendTask('hi') instanceof Observable)) throw new Error('there is another copy of rxjs');
  }
}
`;

const main = (extension, { create, type, imports }) => `import 'reflect-metadata';
import { NestFactory } from '@nestjs/core';
${imports}
import { AppModule } from './app.module${extension}';

async function bootstrap(): Promise<void> {
  const app = await NestFactory.create<${type}>(${create});
  app.enableShutdownHooks();
  await app.listen(0, '127.0.0.1');
  process.stdout.write(\`ready on \${await app.getUrl()}\\n\`);
}

void bootstrap();
`;

const onExpress = (extension) =>
  main(extension, {
    create: "AppModule, { logger: ['error', 'warn'] }",
    type: 'NestExpressApplication',
    imports: "import type { NestExpressApplication } from '@nestjs/platform-express';",
  });

const onFastify = (extension) =>
  main(extension, {
    create: "AppModule, new FastifyAdapter(), { logger: ['error', 'warn'] }",
    type: 'NestFastifyApplication',
    imports: "import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';",
  });

const sources = (extension, mainFile) => ({
  'src/agent.ts': AGENT,
  'src/app.module.ts': appModule(extension),
  'src/main.ts': mainFile(extension),
});

const SPEC = `import { Test } from '@nestjs/testing';
import { A2ADiagnostics, AgentExecutor } from 'nestjs-a2a';
import { TaskState } from 'nestjs-a2a/protocol';
import type { INestApplication } from '@nestjs/common';
import { AppModule } from './app.module';
import { EchoAgent } from './agent';

describe('AppModule', () => {
  let app: INestApplication;

  beforeAll(async () => {
    const module = await Test.createTestingModule({ imports: [AppModule] }).compile();
    app = module.createNestApplication();
    await app.listen(0, '127.0.0.1');
  });

  afterAll(() => app.close());

  it('serves the agent', async () => {
    const url = await app.getUrl();
    const answer = await fetch(\`\${url}/a2a/jsonrpc\`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'a2a-version': '1.0' },
      body: JSON.stringify({
        jsonrpc: '2.0',
        id: 1,
        method: 'SendMessage',
        params: { message: { messageId: 'm1', role: 'ROLE_USER', parts: [{ text: 'hello' }] } },
      }),
    });
    const { result } = (await answer.json()) as { result: { task: { status: { state: string } } } };
    expect(result.task.status.state).toBe(TaskState.COMPLETED);
  });

  it('has one copy of the classes', () => {
    expect(app.get(A2ADiagnostics)).toBeInstanceOf(A2ADiagnostics);
    expect(new EchoAgent()).toBeInstanceOf(AgentExecutor);
  });
});
`;

const SCRIPT = `import 'reflect-metadata';
import { AgentExecutor, serveAgent } from 'nestjs-a2a';
import { A2AClient, createA2ATool } from 'nestjs-a2a/client';
import { toAiTools } from 'nestjs-a2a/client/ai';
import { toLangChainTool } from 'nestjs-a2a/client/langchain';

class EchoAgent extends AgentExecutor {
  /** @param {import('nestjs-a2a').RequestContext} context */
  async execute(context) {
    return \`echo: \${context.text}\`;
  }
}

const agent = await serveAgent(EchoAgent, { name: 'Smoke', host: '127.0.0.1' });
const client = await A2AClient.discover(agent.url, { network: 'any' });
if ((await client.sendTask('client')) !== 'echo: client') throw new Error('the client heard something else');
const tool = createA2ATool(client, { name: 'echo', description: 'Says what it hears' });
if (!('echo' in toAiTools([tool]))) throw new Error('the AI SDK got no tool');
const told = await toLangChainTool(tool).invoke({ message: 'tool' });
if (told !== 'echo: tool') throw new Error('the tool heard something else');
await client.close();
process.stdout.write(\`ready on \${agent.url}\\n\`);
process.once('SIGTERM', () => void agent.close());
`;

const REQUIRING_SCRIPT = `require('reflect-metadata');
const { AgentExecutor, serveAgent } = require('nestjs-a2a');
const { A2AClient, createA2ATool } = require('nestjs-a2a/client');
const { toAiTools } = require('nestjs-a2a/client/ai');
const { toLangChainTool } = require('nestjs-a2a/client/langchain');
const { TaskState } = require('nestjs-a2a/protocol');

class EchoAgent extends AgentExecutor {
  /**
   * @param {import('nestjs-a2a').RequestContext} context
   * @param {import('nestjs-a2a').AgentEmitter} emitter
   */
  async execute(context, emitter) {
    await emitter.text(\`echo: \${context.text}\`);
    await emitter.updateStatus(TaskState.COMPLETED);
  }
}

void serveAgent(EchoAgent, { name: 'Smoke', host: '127.0.0.1' }).then(async (agent) => {
  const client = await A2AClient.discover(agent.url, { network: 'any' });
  if ((await client.sendTask('client')) !== 'echo: client') throw new Error('the client heard something else');
  const tool = createA2ATool(client, { name: 'echo', description: 'Says what it hears' });
  if (!('echo' in toAiTools([tool]))) throw new Error('the AI SDK got no tool');
  const told = await toLangChainTool(tool).invoke({ message: 'tool' });
  if (told !== 'echo: tool') throw new Error('the tool heard something else');
  await client.close();
  process.stdout.write(\`ready on \${agent.url}\\n\`);
  process.once('SIGTERM', () => void agent.close());
});
`;

/** As `nest new` of the 11 line writes it. */
const JEST_CONFIG = {
  moduleFileExtensions: ['js', 'json', 'ts'],
  rootDir: 'src',
  testRegex: '.*\\.spec\\.ts$',
  transform: { '^.+\\.(t|j)s$': 'ts-jest' },
  collectCoverageFrom: ['**/*.(t|j)s'],
  coverageDirectory: '../coverage',
  testEnvironment: 'node',
};

/**
 * A host: what it installs, its files, the compiler options it is type-checked and built with, and how it starts.
 *
 * @typedef {object} Host
 * @property {string} name
 * @property {Record<string, string>} dependencies
 * @property {object} [manifest] more of its package.json
 * @property {object} compilerOptions
 * @property {Record<string, string>} files
 * @property {string} start
 * @property {string[]} [absent] packages that must not have come along
 * @property {boolean} [test] runs its `npm test` too
 */

/** @type {Host[]} */
export const HOSTS = [
  {
    name: 'Nest 12, ESM, Express',
    dependencies: { ...NEST_12_EXPRESS, ...TYPESCRIPT_6 },
    manifest: { type: 'module' },
    compilerOptions: { ...STRICT, module: 'nodenext' },
    files: sources('.js', onExpress),
    start: 'dist/main.js',
    absent: ['fastify', '@nestjs/platform-fastify'],
  },
  {
    name: 'Nest 12, ESM, Fastify, no Express',
    dependencies: { ...NEST_12_FASTIFY, ...TYPESCRIPT_6 },
    manifest: { type: 'module' },
    compilerOptions: { ...STRICT, module: 'nodenext' },
    files: sources('.js', onFastify),
    start: 'dist/main.js',
    absent: ['express', '@nestjs/platform-express'],
  },
  {
    name: 'Nest 11, CommonJS, old resolution',
    dependencies: { ...NEST_11_EXPRESS, ...TYPESCRIPT_5 },
    compilerOptions: { ...STRICT, module: 'commonjs', moduleResolution: 'node10' },
    files: sources('', onExpress),
    start: 'dist/main.js',
  },
  {
    name: 'Nest 11, CommonJS, nodenext',
    dependencies: { ...NEST_11_EXPRESS, ...TYPESCRIPT_5 },
    compilerOptions: { ...STRICT, module: 'nodenext' },
    files: sources('', onExpress),
    start: 'dist/main.js',
  },
  {
    name: 'Nest 11 as nest new makes it, npm test',
    dependencies: { ...NEST_11_EXPRESS, ...NEST_11_TESTING, ...TYPESCRIPT_5 },
    manifest: { scripts: { test: 'jest' }, jest: JEST_CONFIG },
    compilerOptions: {
      ...DECORATORS,
      module: 'commonjs',
      target: 'ES2023',
      declaration: true,
      removeComments: true,
      allowSyntheticDefaultImports: true,
      sourceMap: true,
      outDir: './dist',
      baseUrl: './',
      incremental: true,
      skipLibCheck: true,
      strictNullChecks: true,
      forceConsistentCasingInFileNames: true,
      noImplicitAny: false,
      strictBindCallApply: false,
      noFallthroughCasesInSwitch: false,
    },
    files: { ...sources('', onExpress), 'src/app.module.spec.ts': SPEC },
    start: 'dist/main.js',
    test: true,
  },
  {
    name: 'plain script, import',
    dependencies: { ...NEST_12_EXPRESS, ...MODELS, ...TYPESCRIPT_6 },
    compilerOptions: {
      target: 'ES2022',
      module: 'nodenext',
      strict: true,
      types: ['node'],
      checkJs: true,
      noEmit: true,
      // The declarations of the others are their own business.
      skipLibCheck: true,
    },
    files: { 'src/main.mjs': SCRIPT },
    start: 'src/main.mjs',
  },
  {
    name: 'plain script, require',
    dependencies: { ...NEST_12_EXPRESS, ...MODELS, ...TYPESCRIPT_6 },
    compilerOptions: {
      target: 'ES2022',
      module: 'nodenext',
      strict: true,
      types: ['node'],
      checkJs: true,
      noEmit: true,
      // The declarations of the others are their own business.
      skipLibCheck: true,
    },
    files: { 'src/main.cjs': REQUIRING_SCRIPT },
    start: 'src/main.cjs',
  },
];
