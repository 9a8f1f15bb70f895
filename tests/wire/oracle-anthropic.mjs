// The rules of Anthropic's Messages API, for `oracle.mjs`. Reads a request body, not model messages.
// Sources: platform.claude.com (messages, tool use, extended thinking, compaction) and the error texts quoted in each rule.

/** @typedef {{ role: string, path: string, blocks: { block: any, path: string }[] }} Turn Consecutive messages of one role. */

const SERVER_CALLS = new Set(['server_tool_use', 'mcp_tool_use']);
const isServerResult = (block) => block.type !== 'tool_result' && block.type.endsWith('tool_result');

export function checkAnthropic(body, history) {
  const found = [];
  const report = (rule, path, message) => found.push({ rule: `anthropic/${rule}`, path, message });
  const turns = mergeTurns(body.messages);

  if (turns.length === 0) {
    report('messages-empty', 'messages', 'messages: at least one message is required');
    return found;
  }
  checkContents(body.messages, report);
  checkSystemPlaces(body.messages, report);
  checkEnds(turns, report);
  checkClientTools(turns, report);
  checkServerTools(turns, report);
  checkThinking(body, turns, history, report);
  checkCompaction(turns, history, report);
  if (countCacheControl(body) > 4) report('cache-control', '', 'A maximum of 4 blocks with cache_control may be provided.');
  return found;
}

/** The API combines consecutive messages of one role; `system` messages inside the conversation take no part in any pairing. */
function mergeTurns(messages) {
  const turns = [];
  messages.forEach(({ role, content }, index) => {
    if (role === 'system') return;
    const path = `messages/${index}`;
    const blocks = (typeof content === 'string' ? [{ type: 'text', text: content }] : content).map((block, j) => ({
      block,
      path: `${path}/content/${j}`,
    }));
    const last = turns.at(-1);
    if (last?.role === role) last.blocks.push(...blocks);
    else turns.push({ role, path, blocks });
  });
  return turns;
}

function checkContents(messages, report) {
  messages.forEach(({ role, content }, index) => {
    const path = `messages/${index}`;
    const isFinalAssistant = index === messages.length - 1 && role === 'assistant';
    if (content.length === 0 && !isFinalAssistant && role !== 'system') {
      report('message-empty', path, 'all messages must have non-empty content except for the optional final assistant message');
    }
    if (typeof content === 'string') return;
    content.forEach((block, j) => checkBlock(block, `${path}/content/${j}`, report));
  });
}

function checkBlock(block, path, report) {
  switch (block.type) {
    case 'text':
      if (block.text.trim() === '') report('text-blank', path, 'text content blocks must contain non-whitespace text');
      break;
    case 'tool_use':
    case 'server_tool_use':
    case 'mcp_tool_use':
      if (block.input === null || typeof block.input !== 'object' || Array.isArray(block.input)) {
        report('input-not-object', path, `${block.type}.input: Input should be a valid dictionary`);
      }
      break;
    case 'tool_result':
      if (block.content === undefined) break;
      if (block.is_error && block.content.length === 0) report('error-empty', path, 'tool_result: content cannot be empty if `is_error` is true');
      if (typeof block.content !== 'string') {
        block.content.forEach((item, k) => checkBlock(item, `${path}/content/${k}`, report));
      }
      break;
    case 'image':
    case 'document':
      if (block.source.data === '') report('media-empty', path, `${block.type} source cannot be empty`);
      break;
    case 'thinking':
      if (!block.signature) report('thinking-unsigned', path, 'thinking.signature: Field required');
      break;
  }
}

/** Instructions inside the conversation stand after a user turn, before the answer to it. */
function checkSystemPlaces(messages, report) {
  messages.forEach(({ role, content }, index) => {
    if (role !== 'system' || content.length === 0) return;
    const before = messages.slice(0, index).findLast((message) => message.role !== 'system');
    const next = messages.slice(index + 1).find((message) => message.role !== 'system');
    if (before?.role !== 'user' || next?.role === 'user') {
      report('system-place', `messages/${index}`, 'a system message must follow a user turn and precede an assistant turn');
    }
  });
}

function checkEnds(turns, report) {
  const first = turns[0];
  if (first.role !== 'user' && first.blocks[0]?.block.type !== 'compaction') report('first-user', first.path, 'first message must use the "user" role');
  const last = turns.at(-1);
  if (last.role === 'assistant') report('prefill', last.path, 'This model does not support assistant message prefill.');
}

function checkClientTools(turns, report) {
  const seen = new Set();
  turns.forEach((turn, index) => {
    const previous = turns[index - 1];
    const called = new Set(previous?.role === 'assistant' ? toolUseIds(previous) : []);
    const answered = new Set();
    let otherSeen = false;
    for (const { block, path } of turn.blocks) {
      if (block.type === 'tool_use') {
        if (turn.role !== 'assistant') report('tool-use-role', path, '`tool_use` blocks can only be in `assistant` messages');
        if (seen.has(block.id)) report('tool-use-duplicate', path, `\`tool_use\` ids must be unique: ${block.id}`);
        seen.add(block.id);
      }
      if (block.type !== 'tool_result') {
        otherSeen = true;
        continue;
      }
      const id = block.tool_use_id;
      if (turn.role !== 'user') report('tool-result-role', path, '`tool_result` blocks can only be in `user` messages');
      if (otherSeen) report('tool-result-late', path, 'tool_result blocks must come first in the content of the user message');
      if (answered.has(id)) report('tool-result-duplicate', path, `each tool_use must have a single result. Found multiple for ${id}`);
      else if (!called.has(id)) report('tool-result-orphan', path, `unexpected \`tool_use_id\` found in \`tool_result\` blocks: ${id}`);
      answered.add(id);
    }
    for (const id of called) if (!answered.has(id)) unanswered(id, previous);
    if (index === turns.length - 1) for (const id of toolUseIds(turn)) unanswered(id, turn);
  });

  function unanswered(id, turn) {
    report('tool-use-unanswered', turn.path, `\`tool_use\` ids were found without \`tool_result\` blocks immediately after: ${id}`);
  }
}

const toolUseIds = (turn) => turn.blocks.filter(({ block }) => block.type === 'tool_use').map(({ block }) => block.id);

/**
 * Server tools are answered inside the assistant's turn. Client tool results do not end that turn: a program which calls client
 * tools (`caller`) waits for them, and its own result comes with a later message.
 */
function checkServerTools(turns, report) {
  const called = new Set();
  const answered = new Set();
  const awaited = new Set();
  const open = new Map();
  const closeTurn = () => {
    for (const [id, path] of open) {
      report('server-tool-unanswered', path, `\`server_tool_use\` ${id} was found without a corresponding result block`);
    }
    open.clear();
  };
  for (const { role, blocks } of turns) {
    if (role === 'user' && blocks.some(({ block }) => block.type !== 'tool_result')) closeTurn();
    for (const { block, path } of blocks) {
      if (SERVER_CALLS.has(block.type)) {
        if (called.has(block.id)) report('server-tool-duplicate', path, `\`${block.type}\` ids must be unique: ${block.id}`);
        called.add(block.id);
        open.set(block.id, path);
      } else if (isServerResult(block)) {
        const id = block.tool_use_id;
        if (answered.has(id)) report('server-result-duplicate', path, `found multiple \`${block.type}\` blocks with id: ${id}`);
        else if (!open.has(id)) report('server-result-orphan', path, `unexpected \`tool_use_id\` found in \`${block.type}\`: ${id}`);
        answered.add(id);
        open.delete(id);
      }
      const source = block.caller?.tool_id;
      if (source === undefined) continue;
      if (!called.has(source)) report('caller-unknown', path, `source tool ${source} not found in the conversation`);
      awaited.add(source);
    }
  }
  if (turns.at(-1).role === 'assistant') return; // The server paused and finishes its calls when the turn is sent back.
  for (const id of awaited) open.delete(id);
  closeTurn();
}

function checkThinking(body, turns, history, report) {
  for (const turn of turns) {
    const last = turn.blocks.at(-1);
    if (turn.role === 'assistant' && isThinking(last?.block)) report('thinking-last', last.path, 'The final block in an assistant message cannot be `thinking`.');
  }
  const loop = currentLoop(turns);
  const lead = loop[0]?.blocks.find(({ block }) => block.type !== 'compaction');
  if (body.thinking?.type === 'enabled' && lead && !isThinking(lead.block)) {
    report(
      'thinking-lead',
      lead.path,
      `Expected \`thinking\` or \`redacted_thinking\`, but found \`${lead.block.type}\`. When \`thinking\` is enabled, a final ` +
        '`assistant` message must start with a thinking block (preceding the lastmost set of `tool_use` and `tool_result` blocks).',
    );
  }
  if (history) checkThinkingUnchanged(turns, loop, history, report);
}

const isThinking = (block) => block?.type === 'thinking' || block?.type === 'redacted_thinking';

/** Assistant turns since the user last spoke: one logical turn for Claude, only interrupted by tool results. */
function currentLoop(turns) {
  const loop = [];
  let index = turns.length - 1;
  const hasResult = (turn) => turn.blocks.some(({ block }) => block.type === 'tool_result');
  const onlyResults = (turn) => turn.blocks.every(({ block }) => block.type === 'tool_result');
  if (turns[index].role !== 'user' || !hasResult(turns[index])) return loop;
  do {
    index--;
    if (index < 0) break;
    loop.unshift(turns[index]);
    index--;
  } while (index >= 0 && onlyResults(turns[index]));
  return loop;
}

/** Signatures prove the text, and the loop which is still running may not lose a block. */
function checkThinkingUnchanged(turns, loop, history, report) {
  const texts = new Map();
  const keysOfCall = new Map();
  for (const message of history) {
    if (message.role !== 'assistant' || typeof message.content === 'string') continue;
    const keys = [];
    for (const part of message.content) {
      const options = part.providerOptions?.anthropic;
      const key = part.type === 'reasoning' ? (options?.signature ?? options?.redactedData) : undefined;
      if (key !== undefined) {
        texts.set(key, options.signature === undefined ? undefined : part.text);
        keys.push(key);
      }
    }
    for (const part of message.content) if (part.type === 'tool-call') keysOfCall.set(part.toolCallId, keys);
  }
  for (const { blocks } of turns) {
    for (const { block, path } of blocks) {
      if (!isThinking(block)) continue;
      const key = block.signature ?? block.data;
      if (!texts.has(key) || (block.type === 'thinking' && texts.get(key) !== block.thinking)) {
        report('thinking-modified', path, 'Invalid `signature` in `thinking` block');
      }
    }
  }
  for (const turn of loop) {
    const present = new Set(turn.blocks.filter(({ block }) => isThinking(block)).map(({ block }) => block.signature ?? block.data));
    for (const id of toolUseIds(turn)) {
      if ((keysOfCall.get(id) ?? []).every((key) => present.has(key))) continue;
      report('thinking-removed', turn.path, '`thinking` blocks in the latest assistant message cannot be modified');
      break;
    }
  }
}

/** A signed block is exact and alone at the very start. Either kind replaces what it stands for, so it may not get lost. */
function checkCompaction(turns, history, report) {
  const blocks = turns.flatMap(({ blocks }) => blocks).filter(({ block }) => block.type === 'compaction');
  const signed = blocks.filter(({ block }) => block.signature !== undefined);
  if (signed.length > 0 && (blocks.length > 1 || turns[0].blocks[0].block !== signed[0].block)) {
    report('compaction-first', signed[0].path, 'exactly one signed compaction block must be the first content block');
  }
  if (!history) return;
  const known = history
    .flatMap(({ role, content }) => (role === 'assistant' && typeof content !== 'string' ? content : []))
    .filter((part) => part.type === 'text' && part.providerOptions?.anthropic?.type === 'compaction');
  for (const { block, path } of blocks) {
    const original = known.find(({ text }) => text === block.content);
    if (original?.providerOptions.anthropic.signature !== block.signature || original === undefined) {
      report('compaction-modified', path, 'a compaction block must be replayed unchanged');
    }
  }
  const newest = known.at(-1);
  if (newest && !blocks.some(({ block }) => block.content === newest.text)) {
    report('compaction-lost', 'messages', 'the newest compaction block holds everything before it and is not in the request');
  }
}

function countCacheControl(value) {
  if (value === null || typeof value !== 'object') return 0;
  let count = value.cache_control ? 1 : 0;
  for (const child of Object.values(value)) count += countCacheControl(child);
  return count;
}
