import { createProbe } from './probe.app.js';
import { probeOptions } from './probe.options.js';

const options = probeOptions(process.argv.slice(2));
const app = await createProbe(options);
await app.listen(options.port, '127.0.0.1');
process.stdout.write(`probe ready on http://127.0.0.1:${options.port}\n`);
