// The agent from the packed tarball in Node, Bun and Deno, behind each one's own HTTP server.

import { test } from 'node:test';
import { assertAgentOverHttp } from './check.mjs';
import { played } from './entries.mjs';
import { programs, serve } from './hosts/processes.mjs';
import { installRuntimes } from './install.mjs';

installRuntimes();

for (const program of programs()) {
  for (const entry of played) {
    const { id, specifier } = entry;
    test(`${program.name}: the agent overflows without ${specifier} and finishes with it`, { skip: program.program === undefined && 'not on this machine' }, async () => {
      const server = await serve(program, id);
      try {
        await assertAgentOverHttp(entry, (run) => server.fetch(`/?run=${run}`));
      } finally {
        await server.close();
      }
    });
  }
}
