import 'reflect-metadata';
import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { AppModule } from './app.module.js';
import { languageModel } from './language-model.js';
import { llmSettings } from './llm.settings.js';

const DEFAULT_PORT = 3000;

async function start(): Promise<void> {
  const settings = llmSettings(process.env);
  const app = await NestFactory.create<NestExpressApplication>(AppModule.with(languageModel(settings)));
  app.enableShutdownHooks();
  const port = Number(process.env.PORT ?? DEFAULT_PORT);
  await app.listen(port);
  process.stdout.write(
    welcome(`http://localhost:${port}`, settings.mock ? 'a model that only repeats' : settings.model),
  );
}

function welcome(base: string, model: string): string {
  const message = { messageId: 'm1', contextId: 'talk-1', role: 'ROLE_USER', parts: [{ text: 'What is A2A?' }] };
  const request = { jsonrpc: '2.0', id: 1, method: 'SendStreamingMessage', params: { message } };
  return [
    '',
    `The agent answers with ${model}. Try it:`,
    `curl -sN ${base}/a2a/jsonrpc -H 'Content-Type: application/json' -H 'A2A-Version: 1.0' -d '${JSON.stringify(request)}'`,
    '',
    '',
  ].join('\n');
}

start().catch((error: unknown) => {
  process.stderr.write(`The agent did not start.\n${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
});
