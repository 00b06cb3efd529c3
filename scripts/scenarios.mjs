// Plays a file of workflow scenarios against agents of our own, over HTTP:
//   npm run scenarios -- FILE [--mutate] [--only WORD]
// With --mutate each expectation is altered as well, once, and must then no longer hold.
import 'reflect-metadata';
import '../sample-app/test/ts-loader.mjs';

const { main } = await import('../test/workflow/scenarios/main.ts');
process.exitCode = (await main(process.argv.slice(2))) ? 0 : 1;
