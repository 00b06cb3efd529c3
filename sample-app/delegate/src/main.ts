import 'reflect-metadata';
import type { DynamicModule, Type } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { AppModule } from '../../src/app.module.js';
import { portFrom } from '../../src/port.js';
import { DelegateModule } from './delegate.module.js';

const DESK_PORT = 3001;
const ANALYST_PORT = 3000;

/** Two agents, each with a port of its own: they talk over HTTP, as if they ran far apart. */
async function start(): Promise<void> {
  const { ANALYST_URL: elsewhere = '' } = process.env;
  const apps: NestExpressApplication[] = [];
  try {
    const analyst =
      elsewhere === '' ? await listen(AppModule, portFrom('ANALYST_PORT', ANALYST_PORT), apps) : httpUrl(elsewhere);
    const desk = await listen(DelegateModule.with(analyst), portFrom('PORT', DESK_PORT), apps);
    process.stdout.write(welcome(desk, analyst));
  } catch (error) {
    await Promise.all(apps.map((app) => app.close()));
    throw error;
  }
}

function httpUrl(text: string): string {
  if (/^https?:\/\//i.test(text) && URL.canParse(text)) return text;
  throw new Error('ANALYST_URL must be a URL such as https://analyst.example.com');
}

async function listen(module: DynamicModule | Type, port: number, apps: NestExpressApplication[]): Promise<string> {
  const app = await NestFactory.create<NestExpressApplication>(module, { abortOnError: false });
  apps.push(app);
  app.enableShutdownHooks();
  await app.listen(port);
  const address = app.getHttpServer().address();
  return `http://localhost:${typeof address === 'object' && address !== null ? address.port : port}`;
}

function welcome(desk: string, analyst: string): string {
  const part = { text: 'city,price\nZürich,4.50\nBern,3.90\n', mediaType: 'text/csv' };
  const message = { messageId: 'm1', role: 'ROLE_USER', parts: [part] };
  const request = { jsonrpc: '2.0', id: 1, method: 'SendStreamingMessage', params: { message } };
  return [
    '',
    `Agent card: ${desk}/.well-known/agent-card.json`,
    `It asks the table analyst at ${analyst}`,
    'Try it:',
    `curl -sN ${desk}/a2a/jsonrpc -H 'Content-Type: application/json' -H 'A2A-Version: 1.0' -d '${JSON.stringify(request)}'`,
    '',
    '',
  ].join('\n');
}

start().catch((error: unknown) => {
  process.stderr.write(`The two agents did not start: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
});
