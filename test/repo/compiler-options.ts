import * as ts from 'typescript';
import { ROOT } from './source-files.js';

/** The compiler options of the repo, as tsconfig.json has them. */
export function compilerOptions(): ts.CompilerOptions {
  const parsed = ts.getParsedCommandLineOfConfigFile(
    `${ROOT}/tsconfig.json`,
    {},
    {
      ...ts.sys,
      // Only the options are wanted: the file lists would cost a walk through the whole repo.
      readDirectory: () => ['src/index.ts'],
      onUnRecoverableConfigFileDiagnostic: (diagnostic) => {
        throw new Error(ts.flattenDiagnosticMessageText(diagnostic.messageText, '\n'));
      },
    },
  );
  if (!parsed) throw new Error('tsconfig.json cannot be read');
  return parsed.options;
}
