// The program `stepfold`.

import { main } from './cli.js';

// Who reads the summary may stop reading it (`| head`); the page is written all the same.
process.stdout.on('error', () => undefined);
process.exitCode = await main(process.argv.slice(2));
