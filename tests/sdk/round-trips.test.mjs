// A checkpoint is found again in every form that the SDK and a store give to what it covers: a table of what models write and tools return, each
// streamed through the real `ai` 5, 6 and 7 into UI messages, JSON and back. And where it is lost, the event says what differs.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createSession } from 'stepfold';
import { MODEL, call, copy, isCheckpoint, result, turns, user } from '../hand.mjs';
import { PNG, calls, play, returning, running, says, served, serves, showing, shows, strict, thinks } from './round-trips.mjs';
import { MAJORS } from './sdk.mjs';

const once = [[...says('I look.'), calls('c1')]];
const throws = (error) => running(async () => { throw error; });
const approved = { tools: ({ ai, major }) => ({ look: ai.tool({ inputSchema: ai.jsonSchema({ type: 'object' }), execute: async () => 'found', ...(major === 6 ? { needsApproval: true } : {}) }) }), options: (major) => (major === 7 ? { toolApproval: { look: 'user-approval' } } : {}), majors: [6, 7], steps: once };

/** What a tool returns, by name. */
const outputs = {
  'a text': 'plain text',
  'no text': '',
  nothing: undefined,
  null: null,
  'a number': 7,
  'an object whose keys a column sorts': { b: 1, a: { z: [1, { y: 2, x: 3 }], q: 'ö' } },
  'members that are undefined': { a: undefined, b: [undefined, 1], c: { d: undefined } },
  'numbers that JSON does not have': { a: Number.NaN, b: -0, c: 1e21, d: 1e-7, e: Infinity },
  dates: { at: new Date(0), list: [new Date(5)] },
  'an address, a map, a set, an object of a class': { url: new URL('https://example.com/a'), map: new Map([[1, 2]]), set: new Set([1]), made: new (class Made { at = 1; })() },
  'an error': { error: new Error('no') },
  'half a letter': { text: 'a\ud83db' },
  'keys that are numbers': { 0: 'a', 2: 'c', 10: 'k' },
  'a `Uint8Array`': { name: 'a.png', bytes: new Uint8Array(PNG) },
  'a `Uint8Array` alone': new Uint8Array(PNG),
  'an empty `Uint8Array`': { bytes: new Uint8Array(0) },
  'a `Buffer`': { name: 'a.png', bytes: PNG },
  'an `ArrayBuffer`': { bytes: new Uint8Array(PNG).buffer },
  'a `Float32Array`': { vector: new Float32Array([0.5, 1.25, 3]) },
  'a `DataView`': { view: new DataView(new ArrayBuffer(4)) },
};

/** What a model writes as input, by name. */
const inputs = {
  'broken JSON': '{"id": "part',
  'no text': '',
  'a text': '"just text"',
  'a number': '7',
  'a truth': 'true',
  'a list': '[1, 2]',
  null: 'null',
  'a value of the wrong type': '{"id": "x"}',
  'half a letter': '{"id": 1, "text": "\\ud83d"}',
};

const picture = (data, major) => ({ type: 'content', value: [{ type: 'text', text: 'a picture' }, major === 5 ? { type: 'media', data, mediaType: 'image/png' } : major === 6 ? { type: 'image-data', data, mediaType: 'image/png' } : { type: 'file', data: { type: 'data', data }, mediaType: 'image/png' }] });

const cases = {
  ...Object.fromEntries(Object.entries(outputs).map(([name, output]) => [`a result that is ${name}`, { tools: returning(output), steps: once }])),
  ...Object.fromEntries(Object.entries(inputs).map(([name, input]) => [`a call whose input is ${name}`, { tools: strict, steps: [[...says('I look.'), calls('c1', input)]] }])),
  'a call of a tool that does not exist': { tools: strict, steps: [[calls('c1', { id: 1 }, 'nowhere')]] },
  'a call of a tool that does not exist, with broken JSON': { tools: strict, steps: [[calls('c1', '{"id', 'nowhere')]] },
  'an input that the schema changes': {
    tools: ({ ai }) => ({ look: ai.tool({ inputSchema: ai.jsonSchema({ type: 'object' }, { validate: () => ({ success: true, value: { at: new Date(0), url: new URL('https://example.com/a'), not: undefined } }) }), execute: async () => 'found' }) }),
    steps: once,
  },
  'a tool with `toModelOutput` to a text': { tools: showing({ text: 'shown', internal: 'kept' }, ({ text }) => ({ type: 'text', value: text })), steps: once },
  'a tool with `toModelOutput` to JSON': { tools: showing({ text: 'shown', internal: 'kept' }, ({ text }) => ({ type: 'json', value: { text } })), steps: once },
  'a tool with `toModelOutput` to a picture': { tools: showing({ data: PNG.toString('base64') }, ({ data }, major) => picture(data, major)), steps: once },
  'a tool with `toModelOutput` to an error': { tools: showing({ text: 'refused' }, ({ text }) => ({ type: 'error-text', value: text })), steps: once },
  'a tool that throws': { tools: throws(new Error('the path of a file')), steps: once },
  'a tool that throws an object': { tools: throws({ code: 7 }), steps: once },
  'a dynamic tool': { tools: ({ ai }) => ({ look: ai.dynamicTool({ inputSchema: ai.jsonSchema({ type: 'object' }), execute: async () => ({ a: 1 }) }) }), steps: once },
  'a dynamic tool with broken JSON': { tools: ({ ai }) => ({ look: ai.dynamicTool({ inputSchema: ai.jsonSchema({ type: 'object' }), execute: async () => ({ a: 1 }) }) }), steps: [[calls('c1', '{"id')]] },
  'preliminary results': { tools: running(async function* () { yield { n: 1 }; yield { n: 2 }; }), steps: once },
  'parallel calls of which the second ends first': {
    tools: running(async ({ id }) => { for (let wait = id === 1 ? 20 : 0; wait > 0; wait -= 1) await new Promise((resolve) => setImmediate(resolve)); return `found ${id}`; }),
    steps: [[calls('c1', { id: 1 }), calls('c2', { id: 2 }), ...says('and a text behind them')]],
  },
  'a call that the provider runs': { tools: returning('found'), steps: [[...says('a'), serves('s1'), served('s1'), ...says('found', 't2'), calls('c1')]] },
  'a dynamic call that the provider runs': { tools: returning('found'), steps: [[...says('a'), serves('s1', { dynamic: true }), served('s1', { dynamic: true }), ...says('found', 't2'), calls('c1')]] },
  'two calls that the provider runs at once': { tools: returning('found'), steps: [[serves('s1'), serves('s2'), served('s1'), served('s2'), ...says('found'), calls('c1')]] },
  'a text while the provider runs a call': { tools: returning('found'), steps: [[serves('s1'), ...says('it runs'), served('s1'), ...says('found', 't2'), calls('c1')]] },
  'a call that fails at the provider': { tools: returning('found'), steps: [[serves('s1'), served('s1', { isError: true }), ...says('failed'), calls('c1')]] },
  'thoughts, sources and a file of the model': { tools: returning('found'), steps: [[...thinks('hm'), { type: 'source', sourceType: 'url', id: 's', url: 'https://example.com', title: 'A' }, shows('file'), ...says('see'), calls('c1')]] },
  'a file in the thoughts of the model': { majors: [7], tools: returning('found'), steps: [[...thinks('hm'), shows('reasoning-file'), ...says('see'), calls('c1')]] },
  'thoughts that the page is not sent': { tools: returning('found'), steps: [[...thinks('hm'), calls('c1')], [...thinks('so'), ...says('Done.')]] },
  "a provider's own part": { majors: [7], tools: returning('found'), steps: [[{ type: 'custom', kind: 'openai.thing', providerMetadata: { openai: { itemId: 'x' } } }, ...says('see'), calls('c1')]] },
  'blank texts, and white space around one': { tools: returning('found'), steps: [[...says('', 'a'), ...says('  \n', 'b'), ...says(' two\r\nlines ', 'c'), calls('c1')]] },
  'data parts that the app converts': {
    first: () => ({ role: 'user', content: [{ type: 'text', text: 'Go.' }, { type: 'text', text: '[Bremen]' }] }),
    page: [{ type: 'text', text: 'Go.' }, { type: 'data-place', data: { city: 'Bremen' } }],
    convertDataPart: ({ data }) => ({ type: 'text', text: `[${data.city}]` }),
    tools: returning('found'), steps: once,
  },
  'a file of the user, as bytes at first': {
    first: (major) => ({ role: 'user', content: [{ type: 'text', text: 'What is this?' }, { type: 'file', data: major === 7 ? { type: 'data', data: new Uint8Array(PNG) } : new Uint8Array(PNG), mediaType: 'image/png' }] }),
    page: [{ type: 'text', text: 'What is this?' }, { type: 'file', mediaType: 'image/png', url: `data:image/png;base64,${PNG.toString('base64')}` }],
    tools: returning('found'), steps: once,
  },
  'a call that the user approved': { ...approved, answer: { approved: true, reason: 'go on' } },
  'a call that the user denied': { ...approved, answer: { approved: false, reason: 'not now' } },
  'a call that the user denied without a word': { ...approved, answer: { approved: false } },
};

const options = { id: 'chat', contextWindow: 20_000, overheadTokens: 10 };

/** Whether a checkpoint over messages, and a turn behind them, stands in a later request on the same in another form. */
async function isFoundAgain(messages, inOtherForm) {
  const store = new Map();
  const events = [];
  const later = turns(10);
  const first = createSession({ ...options, store, keepRecent: { messages: 2 } });
  const { compacted } = await first.compact({ messages: [...messages, ...later], model: MODEL });
  assert.ok(compacted);
  await first.dispose();
  const list = [...inOtherForm, ...copy(later)];
  const second = createSession({ ...options, store, onEvent: (event) => events.push(event) });
  const sent = (await second.prepareStep({ messages: list, steps: [], stepNumber: 0, model: MODEL }))?.messages ?? list;
  const lost = events.find(({ type }) => type === 'checkpoint-lost');
  assert.equal(sent.some(isCheckpoint), lost === undefined);
  return { isFound: lost === undefined, lost };
}

for (const [name, given] of Object.entries(cases)) {
  for (const major of given.majors ?? MAJORS) {
    test(`ai ${major}: a checkpoint over ${name} is found again in every form`, async () => {
      const { run, forms } = await play(major, given);
      assert.ok(run.length >= 2);
      for (const [form, rebuild] of Object.entries(forms)) {
        const { isFound, lost } = await isFoundAgain(run, await rebuild());
        assert.ok(isFound, `${form}: ${JSON.stringify(lost)}`);
      }
    });
  }
}

/** What stores other than the SDK's own do to messages. */
const stores = {
  'undefined members as null': (part) => (part.type === 'tool-result' ? { ...part, output: { type: 'json', value: { a: null } } } : part),
  'long results cut': (part) => (part.type === 'tool-result' ? { ...part, output: { type: 'text', value: 'found …' } } : part),
  'files moved elsewhere': (part) => (part.type === 'file' ? { ...part, data: new URL('https://files.example.com/1.png') } : part),
};

test('a checkpoint is found again where a store cuts results, moves files or fills in null', async () => {
  const run = [{ role: 'user', content: [{ type: 'text', text: 'What is this?' }, { type: 'file', data: new Uint8Array(PNG), mediaType: 'image/png' }] }, call('c1', { id: 1 }, 'look'), result('c1', { type: 'json', value: { a: undefined, text: 'found '.repeat(400) } }, 'look'), { role: 'assistant', content: [{ type: 'text', text: 'A dot.' }, { type: 'file', data: PNG.toString('base64'), mediaType: 'image/png' }] }];
  for (const [name, change] of Object.entries(stores)) {
    const stored = run.map((message) => ({ ...message, content: message.content.map(change) }));
    assert.ok((await isFoundAgain(run, stored)).isFound, name);
  }
});

const talk = [user('Look for parts.'), call('c1', { id: 1 }, 'look'), result('c1', 'found one', 'look'), { role: 'assistant', content: 'One.' }, user('And more?'), call('c2', { id: 2 }, 'look'), result('c2', 'found two', 'look'), { role: 'assistant', content: 'Two.' }];

/** What apps change on purpose, and what the event says of it. */
const changes = [
  { name: 'the user edits a message', change: (list) => list.with(4, user('And fewer?')), says: { difference: 'changed', messageIndex: 4, role: 'user', part: 'text', toolName: null } },
  { name: 'an answer is made anew', change: (list) => list.with(3, { role: 'assistant', content: 'A single one.' }), says: { difference: 'changed', messageIndex: 3, role: 'assistant', part: 'text', toolName: null } },
  { name: 'a call has other arguments', change: (list) => list.with(5, call('c2', { id: 3 }, 'look')), says: { difference: 'changed', messageIndex: 5, role: 'assistant', part: 'tool-call', toolName: 'look' } },
  { name: 'a call is another one', change: (list) => list.with(1, call('c9', { id: 1 }, 'look')).with(2, result('c9', 'found one', 'look')), says: { difference: 'changed', messageIndex: 1, role: 'assistant', part: 'tool-call', toolName: 'look' } },
  { name: 'a message is left out', change: (list) => list.toSpliced(3, 1), says: { difference: 'missing', messageIndex: 3, role: null, part: null, toolName: null } },
  { name: 'the oldest turn is left out', change: (list) => list.slice(4), says: { difference: 'missing', messageIndex: 0, role: null, part: null, toolName: null } },
  { name: 'a message is put in', change: (list) => list.toSpliced(4, 0, user('By the way.')), says: { difference: 'added', messageIndex: 4, role: 'user', part: 'text', toolName: null } },
  { name: 'a file is attached later', change: (list) => list.with(0, { role: 'user', content: [{ type: 'text', text: 'Look for parts.' }, { type: 'file', data: PNG, mediaType: 'image/png' }] }), says: { difference: 'added', messageIndex: 0, role: 'user', part: 'file', toolName: null } },
];

for (const { name, change, says: expected } of changes) {
  test(`where ${name}, the checkpoint is lost, and the event says so`, async () => {
    const { lost } = await isFoundAgain(talk, copy(change(talk)));
    assert.ok(lost !== undefined);
    const { difference, messageIndex, role, part, toolName } = lost;
    assert.deepEqual({ difference, messageIndex, role, part, toolName }, expected);
  });
}
