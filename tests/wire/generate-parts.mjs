// The parts the generator puts into messages: tools with their inputs and outputs, media, and what each provider attaches.
// Knows which shapes exist in which major; knows nothing about the order of messages.

import { approvalRequest, approvalResponse, call, item, PNG, reasoning, redacted, result, serverCall, signed, text, thought } from './build.mjs';
import { makeText } from './random.mjs';

const PDF = Buffer.from('%PDF-1.4\n1 0 obj<</Type/Catalog>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF').toString('base64');
const bytes = (base64) => Uint8Array.from(Buffer.from(base64, 'base64'));

const FILES = ['src/parser.ts', 'src/config.ts', 'README.md', 'tests/parser.test.ts', 'docs/größe.md', 'src/漢字.rs'];

/** Tools which the application runs, and what a model would put in. */
const TOOLS = {
  read_file: (random) => ({ path: random.pick(FILES) }),
  edit_file: (random) => ({ path: random.pick(FILES), oldText: makeText(random, 40, 'code'), newText: makeText(random, 60, 'code') }),
  write_file: (random) => ({ path: random.pick(FILES), content: makeText(random, random.chars(100, 2000), 'code') }),
  bash: (random) => ({ command: random.pick(['npm test', 'cargo build', 'git status', 'ls -la', 'rm -rf build']) }),
  grep: (random) => ({ pattern: random.pick(['TODO', 'fn main', 'createStep']), path: random.pick(FILES) }),
  fetch_url: (random) => ({ url: `https://example.com/docs/${random.int(1, 30)}?q=a+b` }),
  get_document: (random) => ({ id: `DOC-${random.int(100, 140)}`, fields: ['title', 'body'] }),
  todo_write: (random) => ({ todos: [{ content: makeText(random, 30, 'prose'), status: random.pick(['pending', 'done']) }] }),
  screenshot: () => ({}),
  no_input: () => ({}),
};

/** Makes parts for one conversation. Ids are unique within it. */
export function createParts({ random, major, provider, textChars }) {
  let count = 0;
  const id = (prefix) => `${prefix}_${String(++count).padStart(4, '0')}`;
  const seen = new Map();

  const prose = (max = 400) => makeText(random, random.chars(20, max), random.pick(['prose', 'prose', 'cjk', 'emoji']));

  /** Now and then far more than the usual maximum, so that a single result needs a cap. */
  const resultText = () => makeText(random, random.chance(0.06) ? textChars * 5 : random.chars(20, textChars));

  return {
    id,
    prose,

    /** A call of one of the application's tools. OpenAI also has client tools with a protocol of their own. */
    call({ isAlone = false } = {}) {
      // The converter of v5 drops every result which follows one of `local_shell` in the same message.
      if (provider === 'openai' && (major > 5 || isAlone) && random.chance(0.12)) return specialCall();
      const name = random.pick(Object.keys(TOOLS));
      return call(id(provider === 'anthropic' ? 'toolu' : 'call'), name, TOOLS[name](random), provider === 'openai' ? item(id('fc')) : undefined);
    },

    /** What the tool of `part` returned: the same text as last time, now and then. */
    result(part) {
      const { toolCallId, toolName, input } = part;
      const special = SPECIAL_OUTPUTS[toolName];
      if (special) return result(toolCallId, toolName, { type: 'json', value: special(resultText()) });
      const key = toolName + JSON.stringify(input);
      const output = seen.has(key) && random.chance(0.5) ? seen.get(key) : makeOutput(toolName);
      seen.set(key, output);
      const options = provider === 'anthropic' && random.chance(0.03) ? { anthropic: { cacheControl: { type: 'ephemeral' } } } : undefined;
      return result(toolCallId, toolName, output, options);
    },

    denied: ({ toolCallId, toolName }, reason) =>
      result(toolCallId, toolName, { type: 'execution-denied', ...(reason === undefined ? {} : { reason }) }),

    reasoning: () => makeReasoning(),
    text: (value = prose()) => text(value, provider === 'openai' ? item(id('msg')) : undefined),
    serverExchange: () => makeServerExchange(),
    program: () => (provider === 'openai' ? makeOpenAIProgram() : makeProgram()),
    approvedServerCall: () => makeApprovedServerCall(),
    media: () => makeMedia(),
    extras: () => makeExtras(),
    resultText,
  };

  function specialCall() {
    const command = random.pick(['ls', 'npm test']);
    if (major === 5) {
      const action = { type: 'exec', command: [command], env: {} };
      return call(id('call'), 'local_shell', { action }, item(id('lsh')));
    }
    if (random.chance(0.5)) return call(id('call'), 'shell', { action: { commands: [command] } }, item(id('sh')));
    const callId = id('call');
    const operation = { type: 'update_file', path: random.pick(FILES), diff: makeText(random, 80, 'code') };
    return call(callId, 'apply_patch', { callId, operation }, item(id('apc')));
  }

  function makeOutput(toolName) {
    const value = resultText();
    if (toolName === 'screenshot') return { type: 'content', value: [{ type: 'text', text: 'Screenshot:' }, resultImage()] };
    switch (random.int(0, 11)) {
      case 0:
        return { type: 'error-text', value: random.pick(['Tool execution aborted.', `ENOENT: ${makeText(random, 200, 'log')}`]) };
      case 1:
        return { type: 'error-json', value: { code: 'E_FAIL', detail: value } };
      case 2:
        return {
          type: 'content',
          value: [{ type: 'text', text: value }, { type: 'text', text: prose() }],
        };
      case 3:
      case 4:
      case 5:
        return { type: 'json', value: makeJson(value) };
      case 6:
        return { type: 'text', value: random.pick(['', 'ok', '\n']) };
      default:
        return { type: 'text', value };
    }
  }

  function makeJson(value) {
    const lines = value.split('\n');
    const shape = random.pick([null, 42, lines, { lines, total: lines.length, nested: { path: random.pick(FILES), empty: {} } }, { content: value }]);
    // v5 and v6 hand the very object of the tool to the model; v7 holds a JSON copy.
    return major < 7 && shape?.lines && random.chance(0.3) ? { ...shape, at: new Date(Date.UTC(2026, 10, random.int(1, 28))) } : shape;
  }

  function resultImage() {
    if (major === 5) return { type: 'media', data: PNG, mediaType: 'image/png' };
    if (major === 6) {
      return random.pick([
        { type: 'image-data', data: PNG, mediaType: 'image/png' },
        { type: 'media', data: PNG, mediaType: 'image/png' },
        { type: 'file-data', data: PDF, mediaType: 'application/pdf', filename: 'page.pdf' },
      ]);
    }
    return random.pick([
      { type: 'file', data: { type: 'data', data: PNG }, mediaType: 'image/png' },
      { type: 'file', data: { type: 'data', data: bytes(PNG) }, mediaType: 'image/png' },
      { type: 'image-data', data: PNG, mediaType: 'image/png' },
    ]);
  }

  function makeReasoning() {
    switch (provider) {
      case 'anthropic':
        if (random.chance(0.1)) return [reasoning('', redacted(id('redacted')))];
        // Newer models keep the text to themselves and send the signature alone.
        return [reasoning(random.chance(0.2) ? '' : prose(800), signed(id('signature')))];
      case 'openai': {
        const options = item(id('rs'), { reasoningEncryptedContent: id('encrypted') });
        const summaries = random.int(0, 2);
        return summaries === 0 ? [reasoning('', options)] : Array.from({ length: summaries }, () => reasoning(prose(), options));
      }
      case 'google':
        return [reasoning(prose(), random.chance(0.3) ? thought(id('thought')) : undefined)];
      default:
        return [];
    }
  }

  /** A call which the provider ran, with its result; both stand in the assistant's message. */
  function makeServerExchange() {
    if (provider === 'anthropic') {
      if (major > 5 && random.chance(0.25)) {
        const callId = id('mcptoolu');
        const options = { anthropic: { type: 'mcp-tool-use', serverName: 'wiki' } };
        const value = [{ type: 'text', text: resultText() }];
        return [serverCall(callId, 'lookup', { title: prose(40) }, options), result(callId, 'lookup', { type: 'json', value }, options)];
      }
      const callId = id('srvtoolu');
      if (random.chance(0.3)) {
        const value = { type: 'bash_code_execution_result', stdout: resultText(), stderr: '', return_code: 0, content: [] };
        return [serverCall(callId, 'code_execution', { type: 'bash_code_execution', command: 'ls' }), result(callId, 'code_execution', { type: 'json', value })];
      }
      const hit = () => ({
        type: 'web_search_result',
        url: 'https://example.com/a',
        title: prose(60),
        pageAge: null,
        encryptedContent: makeText(random, 400, 'base64'),
      });
      return [
        serverCall(callId, 'web_search', { query: prose(60) }),
        result(callId, 'web_search', { type: 'json', value: Array.from({ length: random.int(0, 4) }, hit) }),
      ];
    }
    if (provider === 'openai') {
      const callId = id('ws');
      const value = { action: { type: 'search', query: prose(60) }, sources: [{ type: 'url', url: 'https://example.com/a' }] };
      return [serverCall(callId, 'web_search'), result(callId, 'web_search', { type: 'json', value })];
    }
    const callId = id('server');
    // The converter of v6 knows the general form only and sends a code execution as a function call without a response.
    if (major === 6 || random.chance(0.5)) {
      const options = { google: { serverToolCallId: callId, serverToolType: 'GOOGLE_SEARCH_WEB', thoughtSignature: id('thought') } };
      return [
        serverCall(callId, 'server:GOOGLE_SEARCH_WEB', { queries: [prose(60)] }, options),
        result(callId, 'server:GOOGLE_SEARCH_WEB', { type: 'json', value: { results: [prose()] } }, options),
      ];
    }
    return [
      serverCall(callId, 'code_execution', { language: 'PYTHON', code: makeText(random, 200, 'code') }),
      result(callId, 'code_execution', { type: 'json', value: { outcome: 'OUTCOME_OK', output: resultText() } }),
    ];
  }

  /** Claude's program which calls a tool of the application; its own result comes one message later. */
  function makeProgram() {
    const programId = id('srvtoolu');
    const caller = { anthropic: { caller: { type: 'code_execution_20250825', toolId: programId } } };
    const value = { type: 'code_execution_result', stdout: prose(), stderr: '', return_code: 0, content: [] };
    return {
      start: serverCall(programId, 'code_execution', { type: 'programmatic-tool-call', code: makeText(random, 200, 'code') }),
      inner: call(id('toolu'), 'read_file', TOOLS.read_file(random), caller),
      end: result(programId, 'code_execution', { type: 'json', value }),
    };
  }

  /** The same with OpenAI, v7 only. */
  function makeOpenAIProgram() {
    const programId = id('call');
    const options = (itemId) => item(itemId, { caller: { type: 'program', callerId: programId } });
    const value = { result: prose(), status: 'completed' };
    return {
      start: serverCall(programId, 'programmatic_tool_calling', { code: 'f()', fingerprint: id('print') }, item(id('prog'))),
      inner: call(id('call'), 'read_file', TOOLS.read_file(random), options(id('fc'))),
      end: result(programId, 'programmatic_tool_calling', { type: 'json', value }, item(id('progout'))),
    };
  }

  /** A call of a remote MCP server which OpenAI makes after the user agreed: the call is written down twice, under one id. */
  function makeApprovedServerCall() {
    const callId = id('call');
    const approvalId = id('mcpr');
    const remoteCall = () => serverCall(callId, 'mcp.lookup', { title: prose(40) });
    const value = { type: 'call', serverLabel: 'wiki', name: 'lookup', arguments: '{}', output: resultText() };
    return {
      request: [remoteCall(), approvalRequest(approvalId, callId)],
      response: { ...approvalResponse(approvalId, true), providerExecuted: true },
      exchange: [remoteCall(), result(callId, 'mcp.lookup', { type: 'json', value }, item(id('mcp')))],
    };
  }

  function makeMedia() {
    const image = random.pick([
      { type: 'image', image: PNG },
      { type: 'image', image: bytes(PNG), mediaType: 'image/png' },
      { type: 'image', image: `data:image/png;base64,${PNG}` },
      { type: 'image', image: 'https://example.com/diagram.png' },
      { type: 'image', image: new URL('https://example.com/photo.png'), mediaType: 'image/png' },
      { type: 'file', data: PNG, mediaType: 'image/png' },
      ...(major === 7
        ? [
            { type: 'file', data: { type: 'data', data: bytes(PNG) }, mediaType: 'image/png' },
            { type: 'file', data: { type: 'url', url: new URL('https://example.com/tagged.png') }, mediaType: 'image/png' },
          ]
        : []),
    ]);
    const pdf = { type: 'file', data: random.chance(0.5) ? PDF : bytes(PDF), mediaType: 'application/pdf', filename: 'bericht.pdf' };
    return random.chance(0.7) ? image : pdf;
  }

  /** Parts which a provider adds beside the text of an answer. */
  function makeExtras() {
    if (provider === 'google' && random.chance(0.5)) {
      const file = { type: 'file', data: PNG, mediaType: 'image/png' };
      return [major === 7 && random.chance(0.5) ? { ...file, type: 'reasoning-file' } : file];
    }
    return major === 7 ? [{ type: 'custom', kind: 'acme.note', providerOptions: { acme: { note: prose(80) } } }] : [];
  }
}

const SPECIAL_OUTPUTS = {
  local_shell: (output) => ({ output }),
  shell: (stdout) => ({ output: [{ stdout, stderr: '', outcome: { type: 'exit', exitCode: 0 } }] }),
  apply_patch: (output) => ({ status: 'completed', output }),
};
