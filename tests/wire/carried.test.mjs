// What acts by being there, through folds and the real packages: what arrives at the provider has the same effect as the app's list, in a form
// that the provider takes. Each form with the source of its rule; all of them before and after folds, in every major that has it.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createSession } from 'stepfold';
import { packages } from './send.mjs';
import { call, isCheckpoint, result, step, text, textOf, turns, user } from '../hand.mjs';

const folded = { contextWindow: 6_000, reserveTokens: 500, overheadTokens: 1 };
const system = (providerOptions, content = '') => ({ role: 'system', content, providerOptions });
const anthropic = (options, content) => system({ anthropic: options }, content);
const openai = (options) => system({ openai: options });
const schema = { type: 'object', properties: { city: { type: 'string' } }, additionalProperties: false };
const definition = (name) => ({ type: 'function', name, description: `Tool ${name}.`, parameters: schema });
const inline = (name, description) => ({ type: 'tool_addition', tool: { type: 'function', name, description, inputSchema: schema } });

/** What is sent once the beginning is folded, and the app's list behind it. */
async function sentAfter(beginning, { count = 24, end = [] } = {}) {
  const list = [user('Go.'), ...beginning, ...turns(count), ...end, user('And now?')];
  const events = [];
  const session = createSession({ ...folded, onEvent: (event) => events.push(event) });
  const sent = await step(session, list);
  assert.ok(sent.some(isCheckpoint));
  return { sent, list, session, events };
}

/** The request that the real packages make of a list. */
async function bodyOf(sent, { major, provider, modelId, tools = {}, providerOptions }) {
  const { ai } = packages[major];
  let body;
  const fetch = async (_url, init) => {
    body = JSON.parse(init.body);
    return new Response('{"error":{"type":"invalid_request_error","message":"enough"}}', { status: 400, headers: { 'content-type': 'application/json' } });
  };
  const made = packages[major][provider]({ apiKey: 'none', fetch });
  const model = provider === 'openai' ? made.responses(modelId) : made(modelId);
  const declared = typeof tools === 'function' ? tools(made, ai) : tools;
  const error = await ai
    .generateText({ model, tools: declared, prompt: 'start', prepareStep: () => ({ messages: [...sent] }), allowSystemInMessages: true, providerOptions, maxRetries: 0 })
    .then(() => undefined, (cause) => cause);
  assert.ok(body !== undefined, `nothing was sent: ${error}`);
  return body;
}

/** "A system message carrying tool changes must come right before an assistant message or at the end of the messages." (anthropic-language-model-options.ts) */
function assertPlaced(messages) {
  messages.forEach(({ role, content }, at) => {
    const changes = role === 'system' && JSON.stringify(content).includes('tool_');
    if (changes) assert.ok(at === messages.length - 1 || messages[at + 1].role === 'assistant', `a change of tools stands before a message of the ${messages[at + 1]?.role}`);
  });
}

/** "Configuration updates cannot be consecutive." (openai-responses-language-model.ts) */
function assertApart(input) {
  input.forEach(({ type }, at) => assert.ok(type !== 'configuration_update' || input[at + 1]?.type !== 'configuration_update', 'two configuration updates touch'));
}

const changesIn = ({ messages }) => messages.filter(({ role }) => role === 'system').flatMap(({ content }) => content).filter(({ type }) => type?.startsWith('tool_')).map(({ type, tool }) => `${type} ${tool.name ?? tool.definition?.name}`);

for (const major of [5, 6, 7]) {
  test(`ai ${major}, Anthropic: changes of tools are what is left of them, in their order, before an answer`, async () => {
    const rows = [
      [[{ type: 'tool_addition', toolName: 'forecast' }], ['tool_addition forecast']],
      [[{ type: 'tool_addition', toolName: 'forecast' }, { type: 'tool_removal', toolName: 'forecast' }], []],
      [[{ type: 'tool_removal', toolName: 'weather' }], ['tool_removal weather']],
      [[{ type: 'tool_removal', toolName: 'weather' }, { type: 'tool_addition', toolName: 'weather' }], []],
      [[{ type: 'tool_addition', toolName: 'forecast' }, { type: 'tool_removal', toolName: 'weather' }], ['tool_addition forecast', 'tool_removal weather']],
    ];
    for (const [changes, expected] of rows) {
      // Each in a message of its own, with a turn between.
      const beginning = changes.flatMap((change, at) => [{ role: 'assistant', content: `Answer ${at}.` }, user(`Question ${at}.`), anthropic({ toolChanges: [change] }), { role: 'assistant', content: 'Good.' }, user('On.')]);
      const { sent } = await sentAfter(beginning);
      const body = await bodyOf(sent, { major, provider: 'anthropic', modelId: 'claude-opus-4-8' });
      assert.deepEqual(changesIn(body), expected);
      assertPlaced(body.messages);
    }
  });
}

for (const major of [6, 7]) {
  test(`ai ${major}, Anthropic: of a tool that was defined twice the newest definition is sent`, async () => {
    const beginning = [anthropic({ toolChanges: [inline('forecast', 'First.')] }), { role: 'assistant', content: 'Good.' }, user('Change it.'), anthropic({ toolChanges: [inline('forecast', 'Second.')] }), { role: 'assistant', content: 'Done.' }, user('On.')];
    const { sent } = await sentAfter(beginning);
    const settings = sent.filter(({ role }) => role === 'system');
    assert.equal(settings.length, 1);
    assert.deepEqual(settings[0].providerOptions.anthropic.toolChanges, [inline('forecast', 'Second.')]);
  });
}

test('ai 7, Anthropic: the newest effort holds, behind a message of the user and before an answer', async () => {
  const beginning = [{ role: 'assistant', content: 'A.' }, anthropic({ effort: 'low' }), user('Q.'), { role: 'assistant', content: 'B.' }, anthropic({ effort: 'high' }), user('R.'), { role: 'assistant', content: 'C.' }, user('S.')];
  const { sent } = await sentAfter(beginning);
  const { messages } = await bodyOf(sent, { major: 7, provider: 'anthropic', modelId: 'claude-opus-5-5' });
  const efforts = messages.flatMap(({ role, output_config: config }, at) => (role === 'system' ? [[messages[at - 1]?.role, config?.effort, messages[at + 1]?.role]] : []));
  // "Directly after a user turn with new input: Claude's response to that turn uses the new level."
  assert.deepEqual(efforts, [['user', 'high', 'assistant']]);
});

test('a text that holds for its turn alone is neither told nor sent once the turn is over, and stays while it is not', async () => {
  const reminder = anthropic({ clearAt: 'next_user_message' }, 'For this turn, verify every claim about Wombat Ltd.');
  const over = await sentAfter([reminder, { role: 'assistant', content: 'Verified.' }, user('On.')]);
  assert.ok(!JSON.stringify(over.sent).includes('Wombat'));
  const loop = Array.from({ length: 40 }, (_, at) => [call(`c${at}`, { at }), result(`c${at}`, `${text(240)}${at}`)]).flat();
  const session = createSession({ ...folded, contextWindow: 5_000 });
  const list = [user('Old.'), { role: 'assistant', content: 'Ok.' }, user('Check all.'), reminder, ...loop];
  const sent = await step(session, list);
  const at = sent.findIndex(isCheckpoint);
  assert.ok(at !== -1 && !textOf(sent[at]).includes('Wombat'));
  assert.equal(sent.filter((message) => message === reminder).length, 1);
});

test('ai 7, OpenAI: effort and format of several messages are one update, and added tools stand behind it', async () => {
  const format = { type: 'json_schema', name: 'count', strict: true, schema };
  const beginning = [
    openai({ reasoningEffortUpdate: 'low' }), user('A.'), { role: 'assistant', content: 'A.' },
    openai({ textFormatUpdate: format }), user('B.'), { role: 'assistant', content: 'B.' },
    openai({ reasoningEffortUpdate: 'high' }), user('C.'), { role: 'assistant', content: 'C.' },
    openai({ additionalTools: [definition('weather')] }), user('D.'), { role: 'assistant', content: 'D.' },
    openai({ additionalTools: [definition('tides'), { ...definition('weather'), description: 'Newer.' }] }), user('E.'), { role: 'assistant', content: 'E.' }, user('F.'),
  ];
  const { sent } = await sentAfter(beginning);
  const { input } = await bodyOf(sent, { major: 7, provider: 'openai', modelId: 'gpt-6-astra' });
  assertApart(input);
  assert.deepEqual(input.filter(({ type }) => type === 'configuration_update').map(({ reasoning, text: { format: sent } }) => [reasoning.effort, sent.name]), [['high', 'count']]);
  assert.deepEqual(input.filter(({ type }) => type === 'additional_tools').flatMap(({ tools }) => tools).map(({ name, description }) => [name, description]), [['tides', 'Tool tides.'], ['weather', 'Newer.']]);
});

test('ai 7, OpenAI: settings behind a fold do not touch settings that stand in the tail', async () => {
  const beginning = [openai({ reasoningEffortUpdate: 'low' }), user('A.'), { role: 'assistant', content: 'A.' }, user('B.'), { role: 'assistant', content: 'B.' }];
  for (const end of [[openai({ reasoningEffortUpdate: 'high' })], [{ role: 'assistant', content: 'Z.' }, openai({ reasoningEffortUpdate: 'high' })]]) {
    for (const count of [18, 19, 24, 31]) {
      const { sent } = await sentAfter(beginning, { count, end });
      const { input } = await bodyOf(sent, { major: 7, provider: 'openai', modelId: 'gpt-6-astra' });
      assertApart(input);
      assert.equal(input.filter(({ type }) => type === 'configuration_update').at(-1).reasoning.effort, 'high');
    }
  }
});

test('ai 7, OpenAI: tools that were added behind a result stay, with a call and a short result', async () => {
  const found = { ...result('s1', text(300, 'found')).content[0], providerOptions: { openai: { additionalTools: [definition('list_issues')] } } };
  const { sent } = await sentAfter([call('s1', { query: 'linear' }, 'search'), { role: 'tool', content: [{ ...found, toolName: 'search' }] }, { role: 'assistant', content: 'Found.' }, user('On.')]);
  const { input } = await bodyOf(sent, { major: 7, provider: 'openai', modelId: 'gpt-5.4', providerOptions: { openai: { store: false } } });
  const at = input.findIndex(({ type }) => type === 'additional_tools');
  assert.deepEqual(input.slice(at - 2, at + 1).map(({ type }) => type), ['function_call', 'function_call_output', 'additional_tools']);
  assert.ok(input[at - 1].output.length < 60);
});

const custom = (toolName) => ({ type: 'custom', providerOptions: { anthropic: { type: 'tool-reference', toolName } } });
const searched = (id, names, noise = []) => [call(id, { query: id }, 'find_tools'), result(id, { type: 'content', value: [...noise, ...names.map(custom)] }, 'find_tools'), { role: 'assistant', content: 'Found.' }, user('On.')];
const referencesIn = (value) => (Array.isArray(value) ? value.flatMap(referencesIn) : value !== null && typeof value === 'object' ? [...(value.type === 'tool_reference' ? [value.tool_name] : []), ...Object.values(value).flatMap(referencesIn)] : []);

for (const major of [6, 7]) {
  test(`ai ${major}, Anthropic: each tool that the app's search found is referenced once, with its call, and nothing else of the result`, async () => {
    const beginning = [...searched('s1', ['tides', 'ferries'], [{ type: 'text', text: `Wombat ${text(200)}` }]), ...searched('s2', ['ferries']), ...searched('s3', ['ferries', 'quays'])];
    const { sent, list, session } = await sentAfter(beginning);
    const body = await bodyOf(sent, { major, provider: 'anthropic', modelId: 'claude-sonnet-4-5' });
    assert.deepEqual(referencesIn(body.messages), ['tides', 'ferries', 'quays']);
    assert.ok(!JSON.stringify(sent.slice(0, 6)).includes('Wombat') && !textOf(sent.find(isCheckpoint)).includes('s1'));
    // Fold after fold.
    const grown = [...list, { role: 'assistant', content: 'So.' }, ...turns(40, 'later'), user('Then?')];
    assert.deepEqual(referencesIn((await bodyOf(await step(session, grown), { major, provider: 'anthropic', modelId: 'claude-sonnet-4-5' })).messages), ['tides', 'ferries', 'quays']);
  });

  test(`ai ${major}, OpenAI: what its own search found stays, with the reasoning it is bound to and its ids`, async () => {
    const own = (itemId) => ({ providerOptions: { openai: { itemId } } });
    const search = {
      role: 'assistant',
      content: [
        { type: 'reasoning', text: '', ...own('rs_1') },
        { type: 'tool-call', toolCallId: 'tsc_1', toolName: 'tool_search', input: { arguments: { paths: ['weather'] }, call_id: null }, providerExecuted: true, ...own('tsc_1') },
        { type: 'tool-result', toolCallId: 'tsc_1', toolName: 'tool_search', output: { type: 'json', value: { tools: [definition('weather')] } }, ...own('tso_1') },
        { type: 'reasoning', text: '', ...own('rs_2') },
        { type: 'tool-call', toolCallId: 'call_9', toolName: 'weather', input: { city: 'Rome' }, ...own('fc_9') },
      ],
    };
    const { sent } = await sentAfter([search, result('call_9', text(300), 'weather'), { role: 'assistant', content: 'Sunny.' }, user('On.')]);
    const tools = (made, ai) => ({ tool_search: made.tools.toolSearch({}), weather: ai.tool({ inputSchema: ai.jsonSchema(schema), providerOptions: { openai: { deferLoading: true } } }) });
    const { input } = await bodyOf(sent, { major, provider: 'openai', modelId: 'gpt-5.4', tools });
    assert.deepEqual(input.filter(({ type }) => type === 'item_reference').map(({ id }) => id), ['rs_1', 'tsc_1', 'tso_1']);
    assert.ok(!JSON.stringify(input).includes('fc_9') && !JSON.stringify(input).includes('call_9'));
  });
}

test('a form of tomorrow, a message that is nothing but options, is carried and never told', async () => {
  const tomorrow = system({ acme: { voiceUpdate: { pitch: 3 }, cacheControl: { type: 'ephemeral' } } });
  const { sent } = await sentAfter([tomorrow, { role: 'assistant', content: 'A.' }, user('B.')]);
  const carried = sent.filter(({ role }) => role === 'system');
  assert.deepEqual(carried.map(({ content, providerOptions: { acme } }) => [content, acme]), [['', { voiceUpdate: { pitch: 3 } }]]);
  assert.ok(!textOf(sent.find(isCheckpoint)).includes('pitch'));
});

test('what is carried is the same at every step until the next edit, and copies leave with that', async () => {
  const { sent, list, session } = await sentAfter([...searched('s1', ['tides']), anthropic({ toolChanges: [{ type: 'tool_removal', toolName: 'weather' }] }), { role: 'assistant', content: 'A.' }, user('B.')]);
  const more = [...list, { role: 'assistant', content: 'C.' }, ...searched('s9', ['tides']), anthropic({ toolChanges: [{ type: 'tool_addition', toolName: 'weather' }] })];
  const next = await step(session, more);
  assert.deepEqual(next.slice(0, sent.length), sent);
  const later = await step(session, [...more, { role: 'assistant', content: 'D.' }, ...turns(40, 'later'), user('Then?')]);
  assert.equal(JSON.stringify(later).split('tool-reference').length, 2);
  assert.ok(!JSON.stringify(later).includes('toolChanges'), 'what was taken away and put back is as it was');
});
