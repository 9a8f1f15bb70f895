// Reads UI messages of the AI SDK, as `useChat` holds them and applications store them, by the SDK's own conversion.

import { convertToModelMessages } from 'ai';

/** Converts message by message, so that one that the SDK refuses does not lose the others. */
export async function readUiMessages({ id, system, messages }, notes) {
  const converted = [];
  for (const message of messages) {
    if (!Array.isArray(message?.parts)) {
      notes.add('a UI message has no parts');
      continue;
    }
    try {
      converted.push(...(await convertToModelMessages([message], { ignoreIncompleteToolCalls: true })));
    } catch (error) {
      notes.add(`a UI message is refused by the SDK: ${String(error?.message).split('\n')[0]}`);
    }
  }
  return { id, system, messages: converted.filter(({ content }) => content.length > 0) };
}
