// Makes one host in a folder of its own, installs the tarball into it and sees that it works.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { npm, run, serve } from '../lib/run.mjs';
import { checkAgent } from './agent-check.mjs';

const json = (value) => `${JSON.stringify(value, null, 2)}\n`;

/** @param {import('./hosts.mjs').Host} host */
export async function tryHost(host, { folder, tarball }) {
  const dependencies = { ...host.dependencies, 'nestjs-a2a': `file:${tarball}` };
  const files = {
    'package.json': json({ name: 'smoke-host', version: '0.0.0', private: true, ...host.manifest, dependencies }),
    'tsconfig.json': json({ compilerOptions: host.compilerOptions, include: ['src'] }),
    ...host.files,
  };
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  await npm(['install', '--no-package-lock', '--prefer-offline'], { cwd: folder });
  const installed = (name) => join(folder, 'node_modules', name);
  for (const name of host.absent ?? []) {
    if (existsSync(installed(name))) throw new Error(`${name} came along`);
  }
  if (JSON.parse(readFileSync(join(installed('nestjs-a2a'), 'package.json'), 'utf8')).dependencies?.['@nestjs/core']) {
    throw new Error('Nest must be a peer');
  }
  await run(process.execPath, [join(installed('typescript'), 'bin/tsc'), '-p', 'tsconfig.json'], { cwd: folder });
  // Of no more use than to show that it is there, in this host's form, and reads its key.
  const encrypted = await run(join(folder, 'node_modules/.bin/nestjs-a2a'), ['encrypt-credential', 'secret'], {
    cwd: folder,
    env: { A2AT_CRED_KEY: '0123456789abcdef'.repeat(4) },
  });
  if (!/^enc:[\w+/]{16}:[\w+/=]+\n$/.test(encrypted)) throw new Error(`encrypt-credential wrote ${encrypted}`);
  if (host.test) await npm(['test'], { cwd: folder, env: { CI: 'true' } });
  const server = await serve(process.execPath, [host.start], { cwd: folder, ready: /ready on (http\S+)/ });
  try {
    await checkAgent(server.match[1]);
  } finally {
    await server.stop();
  }
}
