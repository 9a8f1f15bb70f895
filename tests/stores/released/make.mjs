// Writes the conversation of this version's fixture: `node tests/stores/released/make.mjs`, when a version is released, and never again for that
// version. What stands in such a file is what users have in their stores.

import { writeFileSync } from 'node:fs';
import { createSession } from 'stepfold';
import root from '../../../package.json' with { type: 'json' };
import { words } from '../../sdk/script.mjs';

const MODEL = { modelId: 'mock-model', provider: 'mock' };
const user = (content) => ({ role: 'user', content });
const step = (id, toolName, input, value) => [
  { role: 'assistant', content: [{ type: 'text', text: `I call ${toolName}.` }, { type: 'tool-call', toolCallId: id, toolName, input }] },
  { role: 'tool', content: [{ type: 'tool-result', toolCallId: id, toolName, output: { type: 'text', value } }] },
];

const before = [
  user('Refund the order of Mrs Okafor, and tell her when the money is there.'),
  ...step('call-1', 'find_order', { customer: 'Okafor' }, `order 7714 ${words(300, 1)}`),
  user('Not the shipping costs, please.'),
  ...step('call-2', 'create_refund', { order: 7714, amount: 48.5 }, 'refund re_90412 created'),
  { role: 'assistant', content: 'The refund is made.' },
  user('Write to her now.'),
  ...Array.from({ length: 6 }, (_, n) => step(`look-${n}`, 'search_docs', { query: `refund times ${n}` }, words(300, n + 2))).flat(),
];
const store = new Map();
const session = createSession({
  id: 'chat',
  store,
  contextWindow: 4_000,
  overheadTokens: 1,
  summarize: async () => 'Order 7714 of Mrs Okafor was refunded without shipping costs; the letter to her is still to be written.',
});
session.enqueue('In French, if you can.');
await session.prepareStep({ messages: before, steps: [], stepNumber: 0, model: MODEL });
session.enqueue('She prefers e-mail.');
await session.dispose();
writeFileSync(new URL(`${root.version}.json`, import.meta.url), `{ "messages": [\n${before.map((message) => JSON.stringify(message)).join(',\n')}\n], "stored": ${store.get('chat')} }\n`);
