import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

const SCRIPT = fileURLToPath(new URL('./server-process.mjs', import.meta.url));

/** Starts a server process. */
export async function startServer(kind, adapter, options = {}) {
  const child = fork(SCRIPT, [kind, adapter], { execArgv: ['--expose-gc'] });
  child.send(options);
  const [{ port }] = await once(child, 'message');
  const ask = async (question) => {
    child.send(question);
    const [answer] = await once(child, 'message');
    return answer[question];
  };
  const stop = async () => {
    const gone = once(child, 'exit');
    child.kill('SIGKILL');
    await gone;
  };
  return { kind, adapter, url: `http://127.0.0.1:${port}`, port, ask, stop };
}

/** Runs something with servers, and stops them whatever comes. */
export async function withServers(starts, use) {
  const servers = [];
  try {
    for (const start of starts) servers.push(await startServer(...start));
    return await use(...servers);
  } finally {
    await Promise.all(servers.map((server) => server.stop()));
  }
}
