// What the policies share: making messages, the estimates that are common among peers, units that belong together, placeholders.
// No policy: nothing here decides.

export const user = (text) => ({ role: 'user', content: [{ type: 'text', text }] });
export const assistant = (text) => ({ role: 'assistant', content: [{ type: 'text', text }] });
export const partsOf = ({ content }) => (typeof content === 'string' ? [{ type: 'text', text: content }] : content);
export const textOf = (message) => (typeof message.content === 'string' ? message.content : message.content.map(({ text }) => text ?? '').join('\n'));
export const originalRequest = (messages) => textOf(messages.find(({ role }) => role === 'user') ?? { content: '' });

export function outputText({ output }) {
  if (output.type === 'content') return output.value.map(({ text }) => text ?? '').join('\n');
  return typeof output.value === 'string' ? output.value : JSON.stringify(output.value ?? output.reason ?? '');
}

const characters = new WeakMap();

/** Characters of what a message shows the model. */
export function charactersOf(message) {
  if (!characters.has(message)) characters.set(message, partsOf(message).reduce((sum, part) => sum + charactersOfPart(part), 0));
  return characters.get(message);
}

function charactersOfPart(part) {
  if (part.text !== undefined) return part.text.length;
  if (part.type === 'tool-call') return part.toolName.length + JSON.stringify(part.input ?? '').length;
  return part.type === 'tool-result' ? outputText(part).length : 0;
}

/** Characters / 4: the estimate of most peers. */
export const quarterCharacters = (messages) => messages.reduce((sum, message) => sum + Math.ceil(charactersOf(message) / 4), 0);

const jsonLengths = new WeakMap();

/** `JSON.stringify(messages).length / 4`: the estimate of the SDK's cookbook. Lengths are remembered, so its real time is not measured. */
export function quarterJson(messages) {
  let length = 1 + messages.length;
  for (const message of messages) {
    if (!jsonLengths.has(message)) jsonLengths.set(message, JSON.stringify(message).length);
    length += jsonLengths.get(message);
  }
  return length / 4;
}

/** Results of client tools, oldest first. */
export const resultsOf = (messages) => messages.flatMap(({ role, content }) => (role === 'tool' ? content.filter(({ type }) => type === 'tool-result') : []));

/**
 * Replaces outputs of results by a text, or by a text made of the part. What is not named stays the same object; a part is
 * replaced by the same object each time.
 */
export function createClearing(placeholder) {
  const replaced = new WeakMap();
  const made = new WeakSet();
  const replace = (part) => {
    if (!replaced.has(part)) {
      const value = typeof placeholder === 'string' ? placeholder : placeholder(part);
      replaced.set(part, { ...part, output: { type: 'text', value } });
      made.add(replaced.get(part));
    }
    return replaced.get(part);
  };
  return {
    apply: (messages, chosen) =>
      messages.map((message) =>
        message.role === 'tool' && message.content.some((part) => chosen.has(part))
          ? { ...message, content: message.content.map((part) => (chosen.has(part) ? replace(part) : part)) }
          : message,
      ),
    isMade: (part) => made.has(part),
  };
}

/** `[start, end)` of what belongs together: a message, or an assistant message with the results that follow it. */
export function unitsOf(messages) {
  const units = [];
  messages.forEach(({ role }, index) => {
    if (role === 'tool' && units.length > 0) units.at(-1)[1] = index + 1;
    else units.push([index, index + 1]);
  });
  return units;
}

/** Where the newest whole units start that fit into `room`; the last unit is kept in any case, unless `keepsLast` is false. */
export function suffixStart({ messages, room, measure, keepsLast = true }) {
  let start = messages.length;
  let used = 0;
  for (const [from, end] of unitsOf(messages).reverse()) {
    used += messages.slice(from, end).reduce((sum, message) => sum + measure(message), 0);
    if (used > room && !(keepsLast && start === messages.length)) break;
    start = from;
  }
  return start;
}

/** First message at or after `index` that holds no results. */
export function behindResults(messages, index) {
  let at = index;
  while (at < messages.length && messages[at].role === 'tool') at += 1;
  return at;
}
