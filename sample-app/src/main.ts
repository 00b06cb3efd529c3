import 'reflect-metadata';
import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { AppModule } from './app.module.js';
import { portFrom } from './port.js';

const DEFAULT_PORT = 3000;

async function start(): Promise<void> {
  const app = await NestFactory.create<NestExpressApplication>(AppModule);
  // Running analyses are given the time to end when the process is told to.
  app.enableShutdownHooks();
  const port = portFrom('PORT', DEFAULT_PORT);
  await app.listen(port);
  const address = app.getHttpServer().address();
  const listening = typeof address === 'object' && address !== null ? address.port : port;
  process.stdout.write(welcome(`http://localhost:${listening}`));
}

function welcome(base: string): string {
  const part = { text: 'city,price\nZürich,4.50\nBern,3.90\n', mediaType: 'text/csv' };
  const request = {
    jsonrpc: '2.0',
    id: 1,
    method: 'SendMessage',
    params: { message: { messageId: 'm1', role: 'ROLE_USER', parts: [part] } },
  };
  return [
    '',
    `Agent card: ${base}/.well-known/agent-card.json`,
    'Try it:',
    `curl -s ${base}/a2a/jsonrpc -H 'Content-Type: application/json' -H 'A2A-Version: 1.0' -d '${JSON.stringify(request)}'`,
    '',
    '',
  ].join('\n');
}

start().catch((error: unknown) => {
  process.stderr.write(`The sample app did not start: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
});
