// How the scripts run other programs: output is kept and shown only when something fails.
import { spawn } from 'node:child_process';

/** Runs a program to its end and resolves to its output; throws with all of it when it fails. */
export function run(command, args, { cwd, env = {}, timeoutMs = 600_000 } = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, {
      cwd,
      env: { ...process.env, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
      timeout: timeoutMs,
    });
    let output = '';
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text) => (output += text));
    child.on('error', reject);
    child.on('close', (code, signal) => {
      if (code === 0) resolve(output);
      else reject(new Error(`${command} ${args.join(' ')} ended with ${code ?? signal}\n${output}`));
    });
  });
}

/** Settings that keep npm quiet and out of this repo's own settings. */
const NPM_ENV = { npm_config_audit: 'false', npm_config_fund: 'false', npm_config_update_notifier: 'false' };

export function npm(args, { cwd, ...options }) {
  return run('npm', args, { cwd, ...options, env: { ...NPM_ENV, ...options.env } });
}

/**
 * Starts a server and resolves once a line of its output matches; `stop()` ends it and throws when it did not end
 * well.
 */
export function serve(command, args, { cwd, env = {}, ready, timeoutMs = 60_000 }) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { cwd, env: { ...process.env, ...env }, stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    const fail = (why) => {
      child.kill('SIGKILL');
      reject(new Error(`${command} ${args.join(' ')}: ${why}\n${output}`));
    };
    const timer = setTimeout(() => fail('not ready in time'), timeoutMs);
    const ended = new Promise((end) => child.on('close', (code, signal) => end(code ?? signal)));
    ended.then((code) => fail(`ended with ${code}`));
    child.on('error', reject);
    const stop = async () => {
      child.kill('SIGTERM');
      const kill = setTimeout(() => child.kill('SIGKILL'), 15_000);
      const code = await ended;
      clearTimeout(kill);
      if (code !== 0 && code !== 'SIGTERM') throw new Error(`the server ended with ${code}\n${output}`);
    };
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text) => {
        output += text;
        const match = ready.exec(output);
        if (!match) return;
        clearTimeout(timer);
        resolve({ match, stop, output: () => output });
      });
    }
  });
}
