// One process of a server that runs workflows with the Workflow SDK's local world, in the folder named by DATA.
// `start` begins a run and dies where the run waits for a person; `resume` answers and waits for the end; `through` does both.

import { createWorld } from '@workflow/world-local';
import { readFileSync, writeFileSync } from 'node:fs';
import { getRun, resumeHook, start } from 'workflow/api';
import { setWorld } from 'workflow/runtime';
import { POST } from './bundle/flow.mjs';

const [, , what, json] = process.argv;
const { hook, ...script } = JSON.parse(json);
const world = createWorld({ dataDir: process.env.DATA });
world.registerHandler('__wkf_workflow_', POST);
setWorld(world);
await world.start();

const file = `${process.env.DATA}/run-id`;
if (what !== 'resume') {
  const { runId } = await start({ workflowId: 'workflow//./workflows/agent//research' }, ['Read all pages.', { hook, ...script }]);
  writeFileSync(file, runId);
  await reachesHook(runId);
  if (what === 'start') process.kill(process.pid, 'SIGKILL');
}
await resumeHook(hook, 'Go on.');
console.log(JSON.stringify(await getRun(readFileSync(file, 'utf8')).returnValue));
process.exit(0);

/** Waits until the run waits for its hook. */
async function reachesHook(runId) {
  for (;;) {
    const { data } = await world.hooks.list({ runId });
    if (data.some(({ token }) => token === hook)) return;
    const { status, error } = await world.runs.get(runId);
    if (status !== 'pending' && status !== 'running') throw new Error(`the run is ${status}: ${error?.message}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
