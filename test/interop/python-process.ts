import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

const FOLDER = join('test', 'interop', 'python');
const READY = /^ready (http:\S+)$/;
/** How long a process may take to start, to stop or to say its next fact. */
const LIMIT_MS = 20_000;

/** An agent of the official Python package. */
export interface PythonAgent {
  readonly url: string;
  close(): Promise<void>;
}

/** What one question to the Python client came to. */
export interface Fact {
  readonly name: string;
  readonly value?: unknown;
  /** What went wrong, with the name of its class. */
  readonly error?: string;
}

/** @param versions the protocol versions that its card names: `1.0`, `0.3` */
export async function startPythonAgent(...versions: string[]): Promise<PythonAgent> {
  const running = new PythonProcess('agent.py', versions);
  for await (const line of running.lines()) {
    const url = READY.exec(line)?.[1];
    if (url !== undefined) return { url, close: () => running.end() };
  }
  throw await running.failure();
}

/**
 * Asks the Python client for its facts about an agent.
 *
 * @param hook where push notifications go
 * @param token for the bearer scheme of the agent's card
 * @param names which facts. Default: all
 */
export async function factsOfPythonClient(
  url: string,
  binding: string,
  hook: string,
  token = '',
  names: readonly string[] = [],
): Promise<Map<string, Fact>> {
  const running = new PythonProcess('caller.py', [url, binding, hook, token, ...names]);
  const facts = new Map<string, Fact>();
  for await (const line of running.lines()) {
    const fact: Fact = JSON.parse(line);
    facts.set(fact.name, fact);
  }
  await running.end();
  if (facts.size === 0) throw await running.failure();
  return facts;
}

/** Has cards signed and verified by the Python package. @returns an answer for each task */
export async function askPythonSigner(tasks: readonly object[]): Promise<unknown[]> {
  const running = new PythonProcess('signer.py', []);
  running.write(JSON.stringify(tasks));
  for await (const line of running.lines()) {
    const answers: unknown[] = JSON.parse(line);
    await running.end();
    return answers;
  }
  throw await running.failure();
}

/** A Python script that is stopped when it takes too long, and ends by itself when this process does. */
class PythonProcess {
  private readonly child: ChildProcess;
  private readonly ended: Promise<unknown>;
  private log = '';

  constructor(
    private readonly script: string,
    args: readonly string[],
  ) {
    const python = process.env['INTEROP_PYTHON'];
    if (python === undefined) throw new Error('No Python is known: start this suite by `npm run test:interop`');
    this.child = spawn(python, [join(FOLDER, script), ...args], {
      stdio: ['pipe', 'pipe', 'pipe'],
      env: { ...process.env, PYTHONUNBUFFERED: '1', PYTHONDONTWRITEBYTECODE: '1', NO_PROXY: '127.0.0.1' },
    });
    this.ended = once(this.child, 'close');
    this.child.stderr?.setEncoding('utf8').on('data', (text: string) => (this.log += text));
  }

  /** Gives it all of its input. */
  write(input: string): void {
    this.child.stdin?.end(input);
  }

  /** The lines that it prints. */
  async *lines(): AsyncGenerator<string> {
    const { stdout } = this.child;
    if (stdout === null) return;
    const timer = setTimeout(() => this.child.kill('SIGKILL'), LIMIT_MS);
    try {
      for await (const line of createInterface(stdout)) {
        timer.refresh();
        yield line;
      }
    } finally {
      clearTimeout(timer);
      // What is not read would keep the process from being closed.
      stdout.resume();
    }
  }

  /** Asks it to end by closing its input, and makes it end after a while. */
  async end(): Promise<void> {
    const timer = setTimeout(() => this.child.kill('SIGKILL'), LIMIT_MS);
    this.child.stdin?.end();
    await this.ended;
    clearTimeout(timer);
  }

  async failure(): Promise<Error> {
    await this.ended;
    const how = this.child.exitCode ?? this.child.signalCode;
    return new Error(`${this.script} ended with ${how}\n${this.log}`);
  }
}
