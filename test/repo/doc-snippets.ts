import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import * as ts from 'typescript';
import { compilerOptions } from './compiler-options.js';
import { ROOT } from './source-files.js';

/** A fenced TypeScript block of a page. */
export interface Snippet {
  readonly page: string;
  /** Line of the page on which its first line of code is. */
  readonly line: number;
  readonly code: string;
  /** Why it is not compiled; '' when the block gives no reason. */
  readonly unchecked: string | undefined;
  /** The name by which other blocks of the page import it. */
  readonly file: string | undefined;
}

const FENCE = /^([ \t]*)(`{3,}|~{3,})[ \t]*([^\n`]*)\n([\s\S]*?)^\1\2[ \t]*$/gm;
const LANGUAGES = new Set(['ts', 'typescript', 'mts', 'cts', 'tsx']);

/** Every TypeScript block of a page, in order. `ts no-check WHY` is not compiled, `ts file=a.ts` has a name. */
export function snippetsOf(page: string, text = readFileSync(join(ROOT, page), 'utf8')): Snippet[] {
  return [...text.matchAll(FENCE)].flatMap((match) => {
    const [, indent = '', , info = '', body = ''] = match;
    const [language = '', ...more] = info.trim().split(/\s+/);
    if (!LANGUAGES.has(language)) return [];
    const unchecked = more[0] === 'no-check' ? more.slice(1).join(' ') : undefined;
    const file = more.find((word) => word.startsWith('file='))?.slice('file='.length);
    const line = text.slice(0, match.index).split('\n').length + 1;
    const code = body
      .split('\n')
      .map((row) => (row.startsWith(indent) ? row.slice(indent.length) : row))
      .join('\n');
    return [{ page, line, code, unchecked, file }];
  });
}

/** Compiles blocks, each as a module of its own, and tells the faults as `page:line message`. */
export function snippetFaults(snippets: readonly Snippet[]): string[] {
  const options: ts.CompilerOptions = {
    ...compilerOptions(),
    noEmit: true,
    // A page shows one thing at a time; what it imports for the eye is no fault.
    noUnusedLocals: false,
    noUnusedParameters: false,
    moduleDetection: ts.ModuleDetectionKind.Force,
  };
  const files = new Map(snippets.map((snippet) => [pathOf(snippet), snippet]));
  const host = ts.createCompilerHost(options);
  const folders = new Set([...files.keys()].map((path) => dirname(path)));
  const { readFile, fileExists, directoryExists, getSourceFile } = host;
  host.readFile = (path) => files.get(path)?.code ?? readFile.call(host, path);
  host.fileExists = (path) => files.has(path) || fileExists.call(host, path);
  host.directoryExists = (path) => folders.has(path) || (directoryExists?.call(host, path) ?? true);
  host.getSourceFile = (path, version, ...rest) => {
    const snippet = files.get(path);
    if (!snippet) return getSourceFile.call(host, path, version, ...rest);
    const settings = typeof version === 'object' ? version : { languageVersion: version };
    return ts.createSourceFile(path, snippet.code, {
      ...settings,
      impliedNodeFormat: ts.ModuleKind.ESNext,
    });
  };
  const program = ts.createProgram([...files.keys()], options, host);
  return ts.getPreEmitDiagnostics(program).map((diagnostic) => {
    const message = ts.flattenDiagnosticMessageText(diagnostic.messageText, '\n');
    const { file, start = 0 } = diagnostic;
    const snippet = file && files.get(file.fileName);
    if (!snippet) return `${file?.fileName ?? ''} ${message}`;
    return `${snippet.page}:${snippet.line + file.getLineAndCharacterOfPosition(start).line} ${message}`;
  });
}

/** Where a block would lie: in a folder of its page, since pages may use the same names. */
function pathOf(snippet: Snippet): string {
  const folder = join(ROOT, dirname(snippet.page), `${snippet.page.replaceAll(/[^a-z0-9]/gi, '-')}.snippets`);
  return join(folder, snippet.file ?? `line-${snippet.line}.ts`);
}
