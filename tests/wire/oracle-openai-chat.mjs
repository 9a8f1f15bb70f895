// The rules of OpenAI's Chat Completions API (and of the many servers which copy it), for `oracle.mjs`.
// Reads a request body, not model messages. Sources: platform.openai.com and the error texts quoted in each rule.

export function checkOpenAIChat({ messages }) {
  const found = [];
  const report = (rule, path, message) => found.push({ rule: `openai-chat/${rule}`, path, message });
  if (messages.length === 0) {
    report('messages-empty', 'messages', "Invalid 'messages': empty array. Expected an array with minimum length 1.");
    return found;
  }

  const called = new Set();
  /** @type {{ path: string, open: Set<string>, answered: Set<string> }} Calls of the assistant message whose results may follow now. */
  let pending = { path: '', open: new Set(), answered: new Set() };
  const close = () => {
    if (pending.open.size > 0) {
      report(
        'call-unanswered',
        pending.path,
        "An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'. " +
          `The following tool_call_ids did not have response messages: ${[...pending.open].join(', ')}`,
      );
    }
    pending = { path: '', open: new Set(), answered: new Set() };
  };

  messages.forEach((message, index) => {
    const path = `messages/${index}`;
    if (message.role === 'tool') {
      const id = message.tool_call_id;
      if (pending.answered.has(id)) {
        report('result-duplicate', path, `Duplicate tool message for tool_call_id ${id}.`);
      } else if (!pending.open.delete(id)) {
        report('result-orphan', path, "messages with role 'tool' must be a response to a preceding message with 'tool_calls'.");
      }
      pending.answered.add(id);
      if (message.content === undefined) report('content-missing', path, "Missing required parameter: 'content'.");
      return;
    }
    close();
    if (message.role === 'assistant') checkAssistant(message, path);
    else if (message.content.length === 0 && Array.isArray(message.content)) {
      report('content-empty', path, "Invalid 'content': empty array. Expected an array with minimum length 1.");
    }
  });
  close();
  return found;

  function checkAssistant({ content, tool_calls: toolCalls = [] }, path) {
    if (content == null && toolCalls.length === 0) report('content-missing', path, "Invalid value for 'content': expected a string, got null.");
    pending = { path, open: new Set(), answered: new Set() };
    for (const {
      id,
      function: { arguments: text },
    } of toolCalls) {
      if (called.has(id)) report('call-duplicate', path, `Duplicate tool call id ${id}.`);
      called.add(id);
      pending.open.add(id);
      if (typeof text !== 'string') report('arguments', path, "Invalid type for 'arguments': expected a string.");
    }
  }
}
