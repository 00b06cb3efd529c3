import { CredentialCrypto } from '../credentials/credential-crypto.js';
import { messageOf } from '../errors/causes.js';

/** What the command has around it. */
export interface CliSurroundings {
  readonly stdin: AsyncIterable<string | Uint8Array> & { readonly isTTY?: boolean };
  readonly stdout: { write(text: string): unknown };
  readonly stderr: { write(text: string): unknown };
}

const USAGE = `Usage: nestjs-a2a encrypt-credential [value]

Prints the value as one line (enc:…) for a credentials file. Without a value it is read from standard input, where
neither the history of the shell nor the list of processes shows it; one line end is taken off.
The key, 64 hexadecimal characters, is read from the environment variable A2AT_CRED_KEY.
`;
const FAILED = 1;
const MISUSED = 2;
// Of a password or a token; also of whatever somebody pipes in by mistake.
const MAX_BYTES = 65_536;

/** @returns the code that the process ends with */
export async function runCli(args: readonly string[], { stdin, stdout, stderr }: CliSurroundings): Promise<number> {
  const [command, ...rest] = args;
  // What looks like an option is none of the values that people mean, unless `--` stands before it.
  const [given, ...others] = rest[0] === '--' ? rest.slice(1) : rest;
  if (isHelp(command) || (isHelp(given) && rest[0] !== '--')) {
    stdout.write(USAGE);
    return 0;
  }
  if (command !== 'encrypt-credential' || others.length > 0) {
    stderr.write(USAGE);
    return MISUSED;
  }
  try {
    if (given === undefined && stdin.isTTY === true) stderr.write('Value, then the end of input (Ctrl+D):\n');
    const value = given ?? (await readAll(stdin));
    if (value === '') throw new Error('There is nothing to encrypt: give a value, or write it to standard input');
    stdout.write(`${CredentialCrypto.encrypt(value)}\n`);
    return 0;
  } catch (error) {
    stderr.write(`${messageOf(error)}\n`);
    return FAILED;
  }
}

function isHelp(argument: string | undefined): boolean {
  return argument === '--help' || argument === '-h';
}

async function readAll(stdin: CliSurroundings['stdin']): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of stdin) {
    const bytes = Buffer.from(chunk);
    size += bytes.length;
    if (size > MAX_BYTES) throw new Error(`The value has more than ${MAX_BYTES} bytes`);
    chunks.push(bytes);
  }
  return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(chunks)).replace(/\r?\n$/, '');
}
