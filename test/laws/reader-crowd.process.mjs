// Readers of one task in a process of their own, so that their work does not slow the server that is measured:
//   reader-crowd.process.mjs PORT TASK_ID READERS STALLED
// Sends { open } when all streams are there, and { readers } when all are over. The first STALLED readers read nothing
// until the message 'read' comes.
import { request } from 'node:http';

const [port, id, readers, stalled] = process.argv.slice(2);
const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'SubscribeToTask', params: { id } });
const headers = { 'content-type': 'application/json', 'content-length': String(Buffer.byteLength(body)) };
const tell = (message, sent) => process.send?.(message, sent);

/** Reads a stream and remembers only what can be wrong with it. */
class Reader {
  report = { frames: 0, last: 0, disorder: '', lastFrame: '', clean: false, error: '' };
  rest = '';

  constructor(stalls) {
    this.opened = new Promise((resolve) => (this.resolveOpened = resolve));
    this.over = new Promise((resolve) => (this.resolveOver = resolve));
    const call = request({ host: '127.0.0.1', port, path: '/a2a/jsonrpc', method: 'POST', agent: false, headers });
    call.on('error', (error) => this.end(String(error)));
    call.on('response', (response) => {
      this.response = response;
      response.setEncoding('utf8');
      response.on('error', (error) => this.end(String(error)));
      response.on('close', () => this.end('', response.complete));
      if (!stalls) response.on('data', (chunk) => this.take(chunk));
      this.resolveOpened();
    });
    call.end(body);
  }

  read() {
    this.response.on('data', (chunk) => this.take(chunk));
  }

  take(chunk) {
    const blocks = (this.rest + chunk).split('\n\n');
    this.rest = blocks.pop();
    for (const block of blocks) this.note(block);
  }

  note(block) {
    if (block.startsWith(':')) return;
    const { report } = this;
    report.frames++;
    report.lastFrame = block;
    if (!block.startsWith('id: ')) return;
    const number = Number(block.slice(4, block.indexOf('\n')));
    // The first frame is the task as it is; from there on no number is left out.
    if (report.last !== 0 && number !== report.last + 1) report.disorder ||= `${number} after ${report.last}`;
    report.last = number;
  }

  end(error, clean = false) {
    Object.assign(this.report, { error: this.report.error || error, clean });
    this.resolveOpened();
    this.resolveOver();
  }
}

const crowd = Array.from({ length: Number(readers) }, (_, index) => new Reader(index < Number(stalled)));
process.on('message', () => {
  for (const reader of crowd.slice(0, Number(stalled))) reader.read();
});
await Promise.all(crowd.map((reader) => reader.opened));
tell({ open: crowd.length });
await Promise.all(crowd.map((reader) => reader.over));
// A long message is still on its way when send() returns.
tell({ readers: crowd.map((reader) => reader.report) }, () => process.disconnect());
