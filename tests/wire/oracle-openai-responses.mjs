// The rules of OpenAI's Responses API, for `oracle.mjs`. Reads a request body, not model messages.
// Sources: platform.openai.com (responses, function calling, reasoning, conversation state) and the error texts quoted in each rule.

/**
 * An input item, references resolved. `responses` are those which it can be a part of.
 *
 * @typedef {{ kind: string, id?: string, callId?: string, responses: number[], path: string, item: any }} Item
 */

const OUTPUT_OF = {
  function_call: 'function_call_output',
  custom_tool_call: 'custom_tool_call_output',
  shell_call: 'shell_call_output',
  local_shell_call: 'local_shell_call_output',
  apply_patch_call: 'apply_patch_call_output',
  computer_call: 'computer_call_output',
};
const OUTPUTS = new Set(Object.values(OUTPUT_OF));

/** Items that are refused without an id. */
const NEEDS_ID = new Set(['local_shell_call', 'computer_call']);

/** What the server knows from an item's id alone. */
const KIND_OF_PREFIX = {
  msg: 'message',
  rs: 'reasoning',
  fc: 'function_call',
  sh: 'shell_call',
  lsh: 'local_shell_call',
  apc: 'apply_patch_call',
  cu: 'computer_call',
  ws: 'web_search_call',
  mcp: 'mcp_call',
  mcpr: 'mcp_approval_request',
  prog: 'program',
  progout: 'program_output',
  cmp: 'compaction',
};
const kindOfId = (id) => KIND_OF_PREFIX[id.slice(0, id.indexOf('_'))];

/** `messages`: what was to be sent. */
export function checkOpenAIResponses(body, history, messages) {
  const found = [];
  const report = (rule, path, message) => found.push({ rule: `openai-responses/${rule}`, path, message });
  if (body.input.length === 0) {
    report('input-empty', 'input', "One of 'input' or 'previous_response_id' must be provided.");
    return found;
  }
  const stored = history && storeOf(history);
  const items = resolve(body, stored, report);
  checkContents(items, report);
  checkIds(items, report);
  checkPairs(items, report);
  checkPrograms(items, report);
  checkUpdates(items, report);
  checkReasoning(items, stored, report);
  if (stored) checkCompaction(items, stored, report);
  if (stored && messages) checkReferences(body, stored, messages, report);
  return found;
}

/** Everything the model is given to read, references resolved to what the server has stored under them. */
export function textsSeenByOpenAI(body, history) {
  const stored = storeOf(history);
  return body.input.map((item) => {
    const known = item.type === 'item_reference' ? stored.find(({ id }) => id === item.id) : undefined;
    return known?.text ?? item.arguments ?? item.output ?? (item.content === undefined ? '' : textOf(item));
  });
}

/**
 * The items of every response, in order, as the server made them. One assistant message is one response.
 *
 * `text` is what the model reads of a message or call.
 */
function storeOf(history) {
  const stored = [];
  history.forEach(({ role, content }, response) => {
    if (role !== 'assistant' || typeof content === 'string') return;
    for (const part of content) {
      const options = part.providerOptions?.openai;
      const id = options?.itemId ?? (part.type === 'tool-result' ? part.toolCallId : undefined);
      if (part.type === 'reasoning') {
        if (id === undefined || !stored.some((item) => item.id === id)) stored.push({ kind: 'reasoning', id, response });
      } else if (part.type === 'text') {
        stored.push({ kind: 'message', id, text: part.text, response });
      } else if (part.type === 'tool-call' && (id !== undefined || !part.providerExecuted)) {
        stored.push({ kind: (id && kindOfId(id)) ?? 'function_call', id, callId: part.toolCallId, text: JSON.stringify(part.input), response });
      } else if (part.type === 'tool-result') {
        stored.push({ kind: kindOfId(id) ?? 'server_call', id, callId: part.toolCallId, response });
      } else if (part.type === 'tool-approval-request' && part.approvalId.startsWith('mcpr_')) {
        stored.push({ kind: 'mcp_approval_request', id: part.approvalId, response });
      } else if (part.type === 'custom' && part.kind === 'openai.compaction') {
        stored.push({ kind: 'compaction', id, response });
      }
    }
  });
  return stored;
}

function resolve(body, stored = [], report) {
  return body.input.map((item, index) => {
    const path = `input/${index}`;
    if (item.type !== 'item_reference') {
      const kind = item.type ?? 'message';
      const responses = stored.filter((known) => isSame(item, kind, known)).map(({ response }) => response);
      return { kind, id: item.id, callId: item.call_id, responses, path, item };
    }
    if (body.store === false) {
      report('reference-stateless', path, `Item with id '${item.id}' not found. Items are not persisted when \`store\` is set to false.`);
    }
    const known = stored.find(({ id }) => id === item.id);
    if (stored.length > 0 && !known) report('reference-unknown', path, `Item with id '${item.id}' not found.`);
    const kind = known?.kind ?? kindOfId(item.id) ?? 'unknown';
    return { kind, id: item.id, callId: known?.callId, responses: known ? [known.response] : [], path, item };
  });
}

/** Items without an id are recognised by what they say; an unknown one (a checkpoint, say) belongs to no response. */
function isSame(item, kind, known) {
  if (item.id !== undefined) return known.id === item.id;
  if (item.call_id !== undefined) return known.callId === item.call_id && known.kind === kind;
  return kind === 'message' && item.role === 'assistant' && known.kind === 'message' && known.text === textOf(item);
}

const textOf = ({ content }) => (typeof content === 'string' ? content : content.map(({ text }) => text).join(''));

function checkContents(items, report) {
  for (const { kind, item, path } of items) {
    if (kind === 'message' && Array.isArray(item.content) && item.content.length === 0) {
      report('content-empty', path, "Invalid 'content': empty array. Expected an array with minimum length 1.");
    }
    if (NEEDS_ID.has(item.type) && item.id === undefined) report('id-missing', path, "Missing required parameter: 'id'.");
    if (kind === 'function_call' && item.type !== 'item_reference' && typeof item.arguments !== 'string') {
      report('arguments', path, "Invalid type for 'arguments': expected a string.");
    }
    if (OUTPUTS.has(kind) && item.output === undefined && kind !== 'apply_patch_call_output') {
      report('output-missing', path, "Missing required parameter: 'output'.");
    }
  }
}

function checkIds(items, report) {
  const seen = new Set();
  for (const { id, path } of items) {
    if (id === undefined) continue;
    if (seen.has(id))
      report('item-duplicate', path, `Duplicate item found with id ${id}. Remove duplicate items from your input and try again.`);
    seen.add(id);
  }
}

function checkPairs(items, report) {
  const calls = new Map();
  const answered = new Set();
  for (const { kind, callId, path } of items) {
    if (OUTPUT_OF[kind] && callId !== undefined) {
      if (calls.has(callId)) report('call-duplicate', path, `Duplicate call_id ${callId}.`);
      calls.set(callId, kind);
    }
    if (!OUTPUTS.has(kind)) continue;
    if (answered.has(callId)) report('output-duplicate', path, `Duplicate tool output for call_id ${callId}.`);
    answered.add(callId);
    if (!calls.has(callId)) {
      report('output-orphan', path, `No tool call found for function call output with call_id ${callId}.`);
    } else if (OUTPUT_OF[calls.get(callId)] !== kind) {
      report('output-kind', path, `No tool call found for ${kind} with call_id ${callId}: the call is a ${calls.get(callId)}.`);
    }
  }
  for (const { kind, callId, path } of items) {
    if (OUTPUT_OF[kind] && callId !== undefined && !answered.has(callId)) {
      report('call-unanswered', path, `No tool output found for function call ${callId}.`);
    }
  }
}

/** A program calls functions of the client (`caller`) and waits for them; its own output comes in a later response. */
function checkPrograms(items, report) {
  const open = new Map();
  const programs = new Set();
  for (const { kind, callId, item, path } of items) {
    if (kind === 'program') {
      programs.add(callId);
      open.set(callId, path);
    } else if (kind === 'program_output' && !open.delete(callId)) {
      report('program-output-orphan', path, `No program found for program output with call_id ${callId}.`);
    } else if (kind === 'message' && item.role === 'user') {
      for (const [id, at] of open) report('program-unanswered', at, `No program output found for program ${id}.`);
      open.clear();
    }
    const caller = item.caller?.caller_id;
    if (kind === 'function_call' && caller !== undefined && !programs.has(caller)) {
      report('caller-unknown', path, `No program found with call_id ${caller}.`);
    }
  }
}

/** Approvals need what they approve, and updates of the configuration need something between them. */
function checkUpdates(items, report) {
  const ids = new Set();
  items.forEach(({ kind, id, item, path }, index) => {
    ids.add(id);
    if (kind === 'mcp_approval_response' && !ids.has(item.approval_request_id)) {
      report('approval-orphan', path, `Approval request ${item.approval_request_id} not found.`);
    }
    if (kind === 'configuration_update' && items[index - 1]?.kind === kind) report('update-consecutive', path, 'Consecutive configuration updates are not allowed.');
  });
}

/** A reasoning item and what it led to were made together; each is refused without the other. */
function checkReasoning(items, stored, report) {
  const present = new Map();
  items.forEach(({ id }, index) => present.has(id) || present.set(id, index));
  items.forEach(({ kind, id, responses, path, item }, index) => {
    if (kind === 'reasoning') {
      const next = items.slice(index + 1).find((later) => later.kind !== 'reasoning');
      const isOutput = next && !OUTPUTS.has(next.kind) && (next.item.role === undefined || next.item.role === 'assistant');
      const isOther = responses.length > 0 && !next?.responses.includes(responses[0]);
      if (!isOutput || isOther) {
        const name = id ?? 'without an id';
        report('reasoning-alone', path, `Item '${name}' of type 'reasoning' was provided without its required following item.`);
      }
      if (item.type === 'reasoning' && item.id === undefined && item.encrypted_content == null) {
        report('reasoning-plain', path, 'A reasoning item needs an id or encrypted content.');
      }
    } else if (stored && id !== undefined && responses.length > 0) {
      const required = reasoningBefore(id, responses[0], stored);
      const at = present.get(required);
      if (required !== undefined && (at === undefined || at > index)) {
        report('reasoning-missing', path, `Item '${id}' of type '${kind}' was provided without its required 'reasoning' item: '${required}'.`);
      }
    }
  });
}

function reasoningBefore(id, response, stored) {
  const items = stored.filter((item) => item.response === response);
  const index = items.findIndex((item) => item.id === id);
  return items.slice(0, index).findLast(({ kind }) => kind === 'reasoning')?.id;
}

/** Not refused by the API, but the server reads the item as it was stored: an edit of it has no effect. */
function checkReferences(body, stored, messages, report) {
  const parts = storeOf(messages);
  body.input.forEach((item, index) => {
    if (item.type !== 'item_reference') return;
    const [original, sent] = [stored, parts].map((items) => items.find(({ id }) => id === item.id)?.text);
    if (original !== undefined && sent !== undefined && sent !== original) {
      report('reference-stale', `input/${index}`, `Item '${item.id}' is read as it was stored, not as it was edited.`);
    }
  });
}

/** Not refused by the API, but what the item stands for would be gone. */
function checkCompaction(items, stored, report) {
  const newest = stored.findLast(({ kind }) => kind === 'compaction');
  if (newest && !items.some(({ id }) => id === newest.id)) {
    report('compaction-lost', 'input', `The newest compaction item ${newest.id} is not in the request.`);
  }
}
