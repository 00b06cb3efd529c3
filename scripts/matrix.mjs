// Runs the end-to-end suite against the ends of the ranges that the package declares, one line a row:
//   node scripts/matrix.mjs [--only WORD] [--keep] [--list]
// The newest Nest 12 on this Node is what `npm test` runs, and so not a row.
import { execFileSync } from 'node:child_process';
import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { npm, run } from './lib/run.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const { values: flags } = parseArgs({
  options: { only: { type: 'string' }, keep: { type: 'boolean' }, list: { type: 'boolean' } },
});

/** Nest and what comes with it in one version. */
const nest = (version, { fastifyPlatform = version, testing = version, config, express, fastify, ...more }) => ({
  '@nestjs/common': version,
  '@nestjs/core': version,
  '@nestjs/platform-express': version,
  '@nestjs/platform-fastify': fastifyPlatform,
  '@nestjs/testing': testing,
  '@nestjs/config': config,
  express,
  fastify,
  ...more,
});

/** Has a line of its own for each Nest. */
const SWAGGER_11 = '11.4.7';

const ROWS = [
  {
    name: 'Nest 11.1.4 and the oldest of every peer',
    packages: nest('11.1.4', {
      config: '4.0.2',
      express: '5.1.0',
      fastify: '5.4.0',
      'class-validator': '0.14.0',
      'reflect-metadata': '0.1.12',
      rxjs: '7.2.0',
      '@nestjs/swagger': SWAGGER_11,
    }),
    // This rxjs shows its types to the old resolution only.
    compiler: ['--module', 'commonjs', '--moduleResolution', 'node10', '--ignoreDeprecations', '6.0'],
  },
  {
    name: 'Nest 11.2.10',
    packages: nest('11.2.10', {
      fastifyPlatform: '11.2.8',
      testing: '11.2.6',
      config: '4.0.4',
      express: '5.2.1',
      fastify: '5.11.3',
      '@nestjs/swagger': SWAGGER_11,
    }),
  },
  { name: 'Nest 12.0.1', packages: nest('12.0.1', { config: '12.0.0', express: '5.2.1', fastify: '5.12.1' }) },
  { name: 'Node 22.23.3', node: '22.23.3' },
  { name: 'Node 24.21.0', node: '24.21.0' },
];

/** Development tools that no spec uses: they would only make the installation larger. */
const TOOLS = [
  '@nestjs/cli',
  '@nestjs/schematics',
  '@nestjs/throttler',
  'oxlint',
  'prettier',
  'publint',
  '@arethetypeswrong/cli',
];

const work = mkdtempSync(join(tmpdir(), 'a2a-matrix-'));

/** A copy of the repo, without what git ignores, that has other packages installed. */
async function copyWith({ packages, compiler = [] }, folder) {
  const listed = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  });
  for (const path of listed.split('\0').filter((name) => name && existsSync(join(root, name)))) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    cpSync(join(root, path), join(folder, path));
  }
  // Most packages are the same in every row: copying them is quicker than installing them again.
  cpSync(join(root, 'node_modules'), join(folder, 'node_modules'), { recursive: true, verbatimSymlinks: true });
  const file = join(folder, 'package.json');
  const manifest = JSON.parse(readFileSync(file, 'utf8'));
  Object.assign(manifest.devDependencies, packages);
  for (const tool of TOOLS) delete manifest.devDependencies[tool];
  writeFileSync(file, JSON.stringify(manifest, null, 2));
  // Every peer is named in the manifest; what npm would resolve besides follows the newest Nest.
  await npm(['install', '--ignore-scripts', '--prefer-offline', '--legacy-peer-deps'], { cwd: folder });
  for (const [name, version] of Object.entries(packages)) {
    const installed = JSON.parse(readFileSync(join(folder, 'node_modules', name, 'package.json'), 'utf8')).version;
    if (installed !== version) throw new Error(`${name} is ${installed}, not ${version}`);
  }
  const project = ['--noEmit', '-p', 'tsconfig.build.json', ...compiler];
  await run(process.execPath, ['node_modules/typescript/bin/tsc', ...project], { cwd: folder });
}

/** The path of a Node of this version: the binary as the registry has it, without an installer. */
async function nodeOf(version, folder) {
  const name = `node-${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`;
  writeFileSync(join(folder, 'package.json'), '{ "private": true }\n');
  await npm(
    ['install', '--no-save', '--no-package-lock', '--ignore-scripts', '--prefer-offline', `${name}@${version}`],
    {
      cwd: folder,
    },
  );
  return join(folder, 'node_modules', name, process.platform === 'win32' ? 'node.exe' : 'bin/node');
}

/** Runs what is below test, but not what it says of the repo itself. */
async function endToEnd(cwd, { node, report, others }) {
  const jest = ['--experimental-vm-modules', '--disable-warning=ExperimentalWarning', 'node_modules/jest/bin/jest.js'];
  // A spec that failed may have left an app open: the run must end all the same.
  const choice = ['--forceExit', '--roots', '<rootDir>/test', '--testPathIgnorePatterns', ...others];
  let fault;
  try {
    const args = [...jest, ...choice, '--json', `--outputFile=${report}`];
    await run(node, args, { cwd, env: { NO_COLOR: '1' }, timeoutMs: 1_800_000 });
  } catch (error) {
    fault = error;
  }
  if (!existsSync(report)) throw fault ?? new Error('Jest made no report');
  const { numPassedTests, numFailedTests, numRuntimeErrorTestSuites } = JSON.parse(readFileSync(report, 'utf8'));
  const counts = { passed: numPassedTests, failed: numFailedTests + numRuntimeErrorTestSuites, fault };
  if (fault && counts.failed === 0) throw fault;
  if (counts.passed + counts.failed === 0) throw new Error('no test ran');
  return counts;
}

async function tryRow(row, folder) {
  const { packages, node } = row;
  if (packages) await copyWith(row, folder);
  const binary = node ? await nodeOf(node, folder) : process.execPath;
  // The laws, long runs and what once went wrong are proved on one Node and one Nest; but a host must look the same to
  // the module everywhere.
  const elsewhere = ['/test/(repo|fuzz|regressions|workflow)/', '/test/laws/(?!furnished-host)'];
  // Outbound HTTP and the client know nothing of Nest.
  const others = packages ? [...elsewhere, '/test/(net|client)/'] : elsewhere;
  return endToEnd(packages ? folder : root, { node: binary, report: join(folder, 'report.json'), others });
}

let passed = 0;
let failed = 0;
const chosen = ROWS.filter(({ name }) => !flags.only || name.toLowerCase().includes(flags.only.toLowerCase()));
try {
  for (const [index, row] of chosen.entries()) {
    if (flags.list) {
      console.log(row.name);
      continue;
    }
    const start = performance.now();
    const folder = join(work, String(index));
    mkdirSync(folder);
    let counts;
    try {
      counts = await tryRow(row, folder);
    } catch (error) {
      counts = { passed: 0, failed: 1, fault: error };
    }
    passed += counts.passed;
    failed += counts.failed;
    const seconds = ((performance.now() - start) / 1000).toFixed(0);
    console.log(
      `${counts.failed ? 'FAILED' : 'ok    '}  ${row.name}: ${counts.passed} ok, ${counts.failed} not (${seconds} s)`,
    );
    if (counts.failed) console.log(String(counts.fault));
    if (!flags.keep) rmSync(folder, { recursive: true, force: true });
  }
} finally {
  if (flags.keep) console.log(work);
  else rmSync(work, { recursive: true, force: true });
}

if (!flags.list) {
  if (process.env.COUNTS) appendFileSync(process.env.COUNTS, `${passed} ${failed}\n`);
  process.exitCode = failed === 0 && passed > 0 ? 0 : 1;
}
