import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

const SCRIPT = fileURLToPath(new URL('./client-process.mjs', import.meta.url));

/** Starts a client process. */
async function startClient(kind, url) {
  const child = fork(SCRIPT, [kind, url]);
  const died = once(child, 'exit').then(([code]) => Promise.reject(new Error(`The ${kind} client ended with ${code}`)));
  died.catch(() => undefined);
  const message = async () => (await Promise.race([once(child, 'message'), died]))[0];
  await message();
  const order = async (name, options) => {
    child.send({ order: name, ...options });
    const answer = await message();
    if (answer.error !== undefined) throw new Error(`${kind}: ${answer.error}`);
    return answer;
  };
  const stop = async () => {
    const gone = once(child, 'exit');
    child.kill('SIGKILL');
    await gone;
  };
  return { order, stop };
}

/** Runs something with our client and that of the official SDK, both for one server. */
export async function withClients(url, use) {
  const clients = [];
  try {
    for (const kind of ['ours', 'sdk']) clients.push(await startClient(kind, url));
    return await use(...clients);
  } finally {
    await Promise.all(clients.map((client) => client.stop()));
  }
}
