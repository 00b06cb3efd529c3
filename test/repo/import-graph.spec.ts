import { existsSync, readFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { findCycle, importsOf, ownEntries, parse, type ImportEdge } from './import-graph.js';
import { forbiddenSyntax } from './forbidden-syntax.js';
import { publishedSources, ROOT } from './source-files.js';

/** What a room of the house may import of the other rooms. */
const ROOMS: Readonly<Record<string, readonly string[]>> = {
  protocol: [],
  net: ['protocol'],
  client: ['protocol', 'net'],
  workflow: ['protocol', 'net', 'client'],
  src: ['protocol', 'net'],
  sql: ['protocol', 'net', 'src'],
  redis: ['protocol', 'net', 'src'],
  testing: ['protocol', 'net', 'src'],
};

/** Packages that the main entry may import: what every host has. Drivers belong to their own entries. */
const SERVER_PEERS = new Set([
  '@nestjs/common',
  '@nestjs/config',
  '@nestjs/core',
  'class-transformer',
  'class-validator',
  'reflect-metadata',
  'rxjs',
]);

/** What the package brings along itself, and the only places that import it. */
const DEPENDENCIES: ReadonlyMap<string, RegExp> = new Map([
  ['@dagrejs/dagre', /^libs\/workflow\/src\/render\//],
  ['canonicalize', /^libs\/protocol\/src\/signing\//],
  ['eventsource-parser', /^libs\/client\/src\/sse\//],
  ['ipaddr.js', /^libs\/net\//],
  ['jose', /^(libs\/protocol\/src\/signing|src)\//],
  ['undici', /^libs\/net\//],
  ['yaml', /^src\/agent\/skills\//],
]);

/** Optional peers, and the only places that import them: entries of their own. */
const OPTIONAL_PEERS: ReadonlyMap<string, RegExp> = new Map([
  ['@langchain/core', /^libs\/client\/src\/tools\/langchain\//],
  ['ai', /^libs\/client\/src\/tools\/ai\//],
]);

/** An app on one of them installs and boots without the other. */
const PLATFORMS = /^(@nestjs\/platform-(express|fastify)|express|fastify)(\/|$)/;

/** The parts of the server that must not know how a request travels. */
const TRANSPORT_FREE = ['agent', 'operations', 'execution', 'tasks', 'events', 'authorization'];

const entries = ownEntries();
const sources = publishedSources();
const edges = sources.flatMap((path) => importsOf(parse(path), entries));

const shown = (found: readonly ImportEdge[]): string[] =>
  found.map((edge) => `${edge.from}:${edge.line} ${edge.specifier}`);
const roomOf = (path: string): string => (path.startsWith('libs/') ? (path.split('/')[1] ?? '') : 'src');
const inRoom = (room: string): ImportEdge[] => edges.filter((edge) => roomOf(edge.from) === room);
const packageOf = (specifier: string): string =>
  specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/');
const isPackage = (edge: ImportEdge): boolean => edge.to === undefined && !isBuiltin(edge.specifier);
const isInPlace = (edge: ImportEdge): boolean => DEPENDENCIES.get(packageOf(edge.specifier))?.test(edge.from) ?? false;

describe('import graph', () => {
  it('was read: the server and the protocol are in it', () => {
    expect(sources).toEqual(expect.arrayContaining(['src/index.ts', 'libs/protocol/src/index.ts']));
    expect(edges.some((edge) => edge.from === 'src/index.ts' && edge.to === 'src/a2a.module.ts')).toBe(true);
    expect(edges.some((edge) => edge.specifier === 'nestjs-a2a/protocol')).toBe(true);
  });

  it('leads to files that exist', () => {
    expect(shown(edges.filter((edge) => edge.to !== undefined && !existsSync(join(ROOT, edge.to))))).toEqual([]);
  });

  it('has only rooms whose place is known', () => {
    expect(Object.keys(ROOMS)).toEqual(expect.arrayContaining([...new Set(sources.map(roomOf))]));
  });

  it.each([...new Set(sources.map(roomOf))])('%s imports only the rooms below it', (room) => {
    const others = inRoom(room).filter((edge) => edge.to !== undefined && roomOf(edge.to) !== room);
    expect(shown(others.filter((edge) => !ROOMS[room]?.includes(roomOf(edge.to ?? ''))))).toEqual([]);
  });

  it('crosses from room to room by name, and stays relative within one', () => {
    const crossing = (edge: ImportEdge): boolean => edge.to !== undefined && roomOf(edge.to) !== roomOf(edge.from);
    const wrong = edges.filter((edge) => edge.to !== undefined && crossing(edge) === edge.specifier.startsWith('.'));
    expect(shown(wrong)).toEqual([]);
  });

  it('has no cycle among values', () => {
    expect(findCycle(edges.filter((edge) => !edge.typeOnly))).toBeUndefined();
  });

  it('has no cycle among types either', () => {
    expect(findCycle(edges)).toBeUndefined();
  });

  it.each(TRANSPORT_FREE)('src/%s knows nothing of HTTP', (part) => {
    const own = edges.filter((edge) => edge.from.startsWith(`src/${part}/`));
    expect(own).not.toEqual([]);
    expect(
      shown(own.filter((edge) => edge.to?.startsWith('src/http/') || /^(node:)?http2?$/.test(edge.specifier))),
    ).toEqual([]);
  });

  it('has no I/O in the protocol, and no package but those that sign', () => {
    const found = inRoom('protocol').filter((edge) => (isPackage(edge) && !isInPlace(edge)) || isIo(edge.specifier));
    expect(shown(found)).toEqual([]);
  });

  it('has no package but its own in the room that reaches out', () => {
    expect(shown(inRoom('net').filter((edge) => isPackage(edge) && !isInPlace(edge)))).toEqual([]);
  });

  it('imports what the package brings along only where it belongs', () => {
    const brought = edges.filter((edge) => DEPENDENCIES.has(packageOf(edge.specifier)));
    expect(brought.map(({ specifier }) => packageOf(specifier))).toEqual(
      expect.arrayContaining(['ipaddr.js', 'undici']),
    );
    expect(shown(brought.filter((edge) => !isInPlace(edge)))).toEqual([]);
  });

  it.each([...OPTIONAL_PEERS])(
    'imports %s only in the entry that is for it, which no other file imports',
    (name, place) => {
      const found = edges.filter(({ specifier }) => packageOf(specifier) === name);
      expect(found).not.toEqual([]);
      expect(shown(found.filter(({ from }) => !place.test(from)))).toEqual([]);
      expect(shown(edges.filter(({ from, to = '' }) => place.test(to) && !place.test(from)))).toEqual([]);
    },
  );

  it('has no package in the server but the peers that every host has, and its own', () => {
    const foreign = (edge: ImportEdge): boolean => !SERVER_PEERS.has(packageOf(edge.specifier)) && !isInPlace(edge);
    const found = inRoom('src').filter((edge) => isPackage(edge) && foreign(edge));
    expect(shown(found)).toEqual([]);
  });

  it('needs @nestjs/testing only in the entry for tests, and there only once an agent is started', () => {
    const found = edges.filter(({ specifier, typeOnly }) => specifier === '@nestjs/testing' && !typeOnly);
    expect(found.map(({ from }) => from)).toEqual(['libs/testing/src/agent/agent-module.ts']);
    const text = readFileSync(join(ROOT, 'libs/testing/src/agent/agent-module.ts'), 'utf8');
    expect(text).toContain("await import('@nestjs/testing')");
  });

  it('needs Nest and RxJS in the client only in the entry for Nest', () => {
    const ofNest = (path: string): boolean => path.startsWith('libs/client/src/nest/');
    const outside = inRoom('client').filter(({ from }) => !ofNest(from));
    const found = outside.filter(({ specifier, to = '' }) => /^(@nestjs\/|rxjs$)/.test(specifier) || ofNest(to));
    expect(shown(found)).toEqual([]);
    expect(shown(inRoom('client').filter(({ specifier }) => specifier.startsWith('@nestjs/terminus')))).toEqual([]);
  });

  it('needs Nest in the workflow engine only in the part for Nest', () => {
    const ofNest = (path: string): boolean => path.startsWith('libs/workflow/src/nest/');
    const outside = inRoom('workflow').filter(({ from }) => !ofNest(from) && from !== 'libs/workflow/src/index.ts');
    const found = outside.filter(({ specifier, to = '' }) => specifier.startsWith('@nestjs/') || ofNest(to));
    expect(shown(found)).toEqual([]);
    expect(shown(inRoom('workflow').filter(({ specifier }) => specifier.startsWith('@nestjs/terminus')))).toEqual([]);
  });

  it('never names an HTTP platform', () => {
    expect(shown(edges.filter((edge) => PLATFORMS.test(edge.specifier)))).toEqual([]);
  });

  it('imports the public face of a package, not its inside', () => {
    const deep = edges.filter((edge) => isPackage(edge) && /^@nestjs\/[^/]+\/./.test(edge.specifier));
    expect(shown(deep)).toEqual([]);
  });

  it('has no default import: of a CommonJS package it would be undefined in some hosts', () => {
    expect(shown(edges.filter((edge) => edge.defaultImport))).toEqual([]);
  });

  it('uses nothing that only one of the two builds can hold', () => {
    expect(sources.flatMap((path) => forbiddenSyntax(parse(path)))).toEqual([]);
  });
});

function isIo(specifier: string): boolean {
  return isBuiltin(specifier) && !['buffer', 'crypto', 'url', 'util'].includes(specifier.replace('node:', ''));
}
