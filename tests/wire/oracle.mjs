// Holds a recorded request to the rules its provider publishes. An independent second opinion: it reads what really left the
// process, shares no code with `validateMessages`, and does not know what an edit is.
// The rules are a model of the API (docs, error texts, issues); no live API was called.

import { checkAnthropic } from './oracle-anthropic.mjs';
import { checkGoogle } from './oracle-google.mjs';
import { checkOpenAIChat } from './oracle-openai-chat.mjs';
import { checkOpenAIResponses } from './oracle-openai-responses.mjs';

/** @typedef {{ rule: string, path: string, message: string }} Violation */

/**
 * What the provider of `endpoint` would object to. `rule` is `<api>/<name>` and stable; `message` follows the provider's own words.
 *
 * `history` is the conversation as the models wrote it, never edited. It stands for what a provider remembers or can verify:
 * stored items and their order, signatures, compaction blocks. Rules which need that memory are not applied without it.
 * `messages` is what was to be sent, edits and all.
 */
export function checkRequest({ endpoint, body, history, messages }) {
  const found = checkEndpoint({ endpoint, body, history, messages });
  for (const path of malformedStrings(body, '')) {
    found.push({ rule: 'json/lone-surrogate', path, message: 'The request body is not valid JSON: no low surrogate in string.' });
  }
  return found;
}

function checkEndpoint({ endpoint, body, history, messages }) {
  switch (endpoint) {
    case 'anthropic':
      return checkAnthropic(body, history);
    case 'openai-responses':
    case 'openai-stateless':
      return checkOpenAIResponses(body, history, messages);
    case 'openai-chat':
      return checkOpenAIChat(body);
    case 'google':
      return checkGoogle(body, history);
    default:
      throw new Error(`No rules for the endpoint ${endpoint}.`);
  }
}

/** Paths of strings which hold half of a surrogate pair. Cutting text between two UTF-16 units makes them. */
function* malformedStrings(value, path) {
  if (typeof value === 'string') {
    if (!value.isWellFormed()) yield path;
  } else if (value !== null && typeof value === 'object') {
    for (const key of Object.keys(value)) yield* malformedStrings(value[key], `${path}/${key}`);
  }
}
