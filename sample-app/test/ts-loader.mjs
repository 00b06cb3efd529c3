// Lets a plain Node process run the sources without a build: module hooks around the compiler that Jest uses too.
import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { register } from 'node:module';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { isMainThread } from 'node:worker_threads';
import { transform } from '@swc/core';

const root = new URL('../../', import.meta.url);
const { paths } = JSON.parse(readFileSync(new URL('tsconfig.json', root), 'utf8')).compilerOptions;

/** Where the sources of our own entries begin; what is no entry but a room of ours as well. */
function entryOf(specifier) {
  const path = paths[specifier]?.[0];
  return path && new URL(path, root).href;
}

export async function resolve(specifier, context, next) {
  const url = entryOf(specifier);
  if (url) return { url, shortCircuit: true };
  if (specifier.startsWith('.') && context.parentURL?.endsWith('.ts')) {
    return next(specifier.replace(/\.js$/, '.ts'), context);
  }
  return next(specifier, context);
}

export async function load(url, context, next) {
  if (!url.endsWith('.ts')) return next(url, context);
  const { code } = await transform(await readFile(new URL(url), 'utf8'), {
    filename: fileURLToPath(url),
    configFile: false,
    swcrc: false,
    sourceMaps: 'inline',
    module: { type: 'es6' },
    jsc: {
      target: 'es2022',
      parser: { syntax: 'typescript', decorators: true },
      transform: { legacyDecorator: true, decoratorMetadata: true },
      keepClassNames: true,
    },
  });
  return { format: 'module', source: code, shortCircuit: true };
}

// Node loads this file again in the thread of the hooks; only the first time may it register itself.
if (isMainThread) register(pathToFileURL(fileURLToPath(import.meta.url)));
