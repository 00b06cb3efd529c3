import * as ts from 'typescript';

/** `import.meta` and top-level `await` of a file, as `path:line what`: neither exists in the CommonJS build. */
export function forbiddenSyntax(source: ts.SourceFile): string[] {
  const found: string[] = [];
  const note = (node: ts.Node, what: string): void => {
    found.push(`${source.fileName}:${source.getLineAndCharacterOfPosition(node.getStart()).line + 1} ${what}`);
  };
  const visit = (node: ts.Node, topLevel: boolean): void => {
    if (ts.isMetaProperty(node) && node.keywordToken === ts.SyntaxKind.ImportKeyword) note(node, 'import.meta');
    if (topLevel && (ts.isAwaitExpression(node) || (ts.isForOfStatement(node) && node.awaitModifier))) {
      note(node, 'top-level await');
    }
    const inside = topLevel && !ts.isFunctionLike(node) && !ts.isClassStaticBlockDeclaration(node);
    ts.forEachChild(node, (child) => visit(child, inside));
  };
  visit(source, true);
  return found;
}
