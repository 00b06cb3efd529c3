// Prints "passed failed" of Jest's JSON reports. A suite that could not run counts as one failure.
import { readFileSync } from 'node:fs';

let passed = 0;
let failed = 0;
for (const file of process.argv.slice(2)) {
  const report = JSON.parse(readFileSync(file, 'utf8'));
  passed += report.numPassedTests;
  failed += report.numFailedTests + report.numRuntimeErrorTestSuites;
}
process.stdout.write(`${passed} ${failed}\n`);
