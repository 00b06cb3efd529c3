// A process that tests kill: begins runs, or goes on with them. Its arguments are in runs.ts.
import '../../../sample-app/test/ts-loader.mjs';

const { main } = await import('./runs.ts');
await main(JSON.parse(process.argv[2]));
