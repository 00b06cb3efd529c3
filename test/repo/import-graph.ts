import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path/posix';
import * as ts from 'typescript';
import { compilerOptions } from './compiler-options.js';
import { ROOT } from './source-files.js';

/** One import, export-from, `import()` or `require()` of a file. */
export interface ImportEdge {
  readonly from: string;
  readonly line: number;
  readonly specifier: string;
  /** Path of the file in the repo, or undefined for a package. */
  readonly to: string | undefined;
  /** Leaves nothing in the emitted code. */
  readonly typeOnly: boolean;
  /** Has a default import: `import x from`. */
  readonly defaultImport: boolean;
}

/** Our own entries: the same table as `paths` in tsconfig.json. */
export function ownEntries(): ReadonlyMap<string, string> {
  const { paths = {} } = compilerOptions();
  return new Map(Object.entries(paths).map(([name, [target = '']]) => [name, target.replace(/^\.\//, '')]));
}

export function parse(path: string, text = readFileSync(join(ROOT, path), 'utf8')): ts.SourceFile {
  return ts.createSourceFile(path, text, ts.ScriptTarget.ES2022, true);
}

/** Every import of a file, in order. */
export function importsOf(source: ts.SourceFile, entries: ReadonlyMap<string, string>): ImportEdge[] {
  const from = source.fileName;
  const edges: ImportEdge[] = [];
  const add = (at: ts.Node, typeOnly: boolean, defaultImport: boolean): void => {
    if (!ts.isStringLiteralLike(at)) throw new Error(`${from}: an import whose target is computed: ${at.getText()}`);
    const line = source.getLineAndCharacterOfPosition(at.getStart()).line + 1;
    edges.push({ from, line, specifier: at.text, to: fileOf(from, at.text, entries), typeOnly, defaultImport });
  };
  const visit = (node: ts.Node): void => {
    if (ts.isImportDeclaration(node)) {
      const clause = node.importClause;
      add(node.moduleSpecifier, isTypeOnly(clause), clause?.name !== undefined && !isTypeOnly(clause));
    } else if (ts.isExportDeclaration(node) && node.moduleSpecifier) {
      add(node.moduleSpecifier, isTypeOnlyExport(node), false);
    } else if (ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument)) {
      add(node.argument.literal, true, false);
    } else if (ts.isImportEqualsDeclaration(node) && ts.isExternalModuleReference(node.moduleReference)) {
      add(node.moduleReference.expression, node.isTypeOnly, true);
    } else if (ts.isCallExpression(node) && isLoader(node.expression)) {
      const [target] = node.arguments;
      if (target) add(target, false, false);
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return edges;
}

/** The first cycle found among some edges, as the files it goes through. */
export function findCycle(edges: readonly ImportEdge[]): string[] | undefined {
  const next = new Map<string, ImportEdge[]>();
  for (const edge of edges) next.set(edge.from, [...(next.get(edge.from) ?? []), edge]);
  const done = new Set<string>();
  const way: string[] = [];
  const walk = (file: string): string[] | undefined => {
    if (done.has(file)) return undefined;
    const seen = way.indexOf(file);
    if (seen >= 0) return [...way.slice(seen), file];
    way.push(file);
    for (const { to } of next.get(file) ?? []) {
      const cycle = to === undefined ? undefined : walk(to);
      if (cycle) return cycle;
    }
    way.pop();
    done.add(file);
    return undefined;
  };
  for (const file of next.keys()) {
    const cycle = walk(file);
    if (cycle) return cycle;
  }
  return undefined;
}

function fileOf(from: string, specifier: string, entries: ReadonlyMap<string, string>): string | undefined {
  if (specifier.startsWith('.')) return join(dirname(from), specifier).replace(/\.js$/, '.ts');
  return entries.get(specifier);
}

function isTypeOnly(clause: ts.ImportClause | undefined): boolean {
  if (!clause) return false;
  if (clause.phaseModifier === ts.SyntaxKind.TypeKeyword) return true;
  const named = clause.namedBindings;
  return !clause.name && named !== undefined && ts.isNamedImports(named) && allTypes(named.elements);
}

function isTypeOnlyExport(node: ts.ExportDeclaration): boolean {
  if (node.isTypeOnly) return true;
  return (
    node.exportClause !== undefined && ts.isNamedExports(node.exportClause) && allTypes(node.exportClause.elements)
  );
}

function allTypes(names: readonly (ts.ImportSpecifier | ts.ExportSpecifier)[]): boolean {
  return names.length > 0 && names.every((name) => name.isTypeOnly);
}

function isLoader(callee: ts.Expression): boolean {
  return callee.kind === ts.SyntaxKind.ImportKeyword || (ts.isIdentifier(callee) && callee.text === 'require');
}
