import { request as openRequest, type Agent, type IncomingHttpHeaders } from 'node:http';
import type { FuzzRequest } from './request-factory.js';

const HANG_MS = 20_000;

/** What came back: a whole answer, or the head and the first event of a stream, which is then left. */
export interface FuzzAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

/** Sends a request. Resolves to what is wrong, in words, when there is no answer. */
export async function exchange(agent: Agent, port: number, fuzzed: FuzzRequest): Promise<FuzzAnswer | string> {
  for (let attempt = 0; ; attempt++) {
    const answer = await once(agent, port, fuzzed);
    // The server may close an idle connection at the moment at which it is used again.
    if (answer !== 'reused connection was closed' || attempt === 3) return answer;
  }
}

function once(agent: Agent, port: number, { method, path, headers, body }: FuzzRequest): Promise<FuzzAnswer | string> {
  return new Promise((resolve) => {
    let text = '';
    let answered = false;
    const length = body === undefined ? {} : { 'content-length': String(body.length) };
    const request = openRequest({ agent, host: '127.0.0.1', port, method, path, headers: { ...headers, ...length } });
    const timer = setTimeout(() => {
      resolve(`hangs ${answered ? 'in the middle of its answer' : 'without an answer'}: ${text.slice(0, 200)}`);
      request.destroy();
    }, HANG_MS);
    request.on('close', () => clearTimeout(timer));
    request.on('error', (error) => {
      if (!answered) resolve(request.reusedSocket ? 'reused connection was closed' : `no answer: ${error.message}`);
    });
    request.on('response', (response) => {
      answered = true;
      const { statusCode: status = 0, headers: given } = response;
      const streams = String(given['content-type']).startsWith('text/event-stream');
      const finish = (): void => resolve({ status, headers: given, text });
      response.setEncoding('utf8');
      response.on('data', (chunk: string) => {
        text += chunk;
        if (!streams || !text.includes('\n\n')) return;
        finish();
        request.destroy();
      });
      response.on('end', finish);
      response.on('error', () => resolve(`the answer broke off: ${text.slice(0, 200)}`));
    });
    request.end(body);
  });
}
