// What the demo's agent is asked, and the check of what it answers. The check reads the pages itself: no answer is written down
// here apart from the names of the options.

import { pages, pageText } from './documentation.mjs';

/** What to look up: the thing, what about it, and the name of the option, which the agent is not told. */
export const topics = [
  { subject: 'smoothStream', asks: 'the delay between outputting each chunk', option: 'delayInMs' },
  { subject: 'createIdGenerator', asks: 'the length of the random part of the ID', option: 'options.size' },
  { subject: 'createProviderRegistry', asks: 'the separator between provider and model IDs', option: 'separator' },
  { subject: 'embedMany', asks: 'the maximum number of retries', option: 'maxRetries' },
  { subject: 'DirectChatTransport', asks: 'whether reasoning parts are sent to the client', option: 'sendReasoning' },
  { subject: 'simulateReadableStream', asks: 'the initial delay before the first value', option: 'initialDelayInMs' },
  { subject: 'ToolLoopAgent', asks: 'the condition for ending the agent loop', option: 'stopWhen' },
  { subject: 'WorkflowChatTransport', asks: 'the reconnection attempts, consecutive errors before giving up', option: 'maxConsecutiveErrors' },
  { subject: 'generateText', asks: 'whether the response body is included in step results', option: 'responseBody' },
  { subject: 'createMCPClient', asks: 'the maximum number of retries for tool call failures', option: 'maxRetries' },
  { subject: 'useChat', asks: 'whether an ongoing chat generation stream is resumed on mount', option: 'resume' },
  { subject: 'extractReasoningMiddleware', asks: 'the separator between reasoning and text sections', option: 'separator' },
  { subject: 'useRealtime', asks: 'the readiness deadline including transport setup', option: 'startupTimeoutMs' },
  { subject: 'transcribe', asks: 'the maximum number of retries', option: 'maxRetries' },
  { subject: 'readUIMessageStream', asks: 'whether to terminate the stream if an error occurs', option: 'terminateOnError' },
  { subject: 'zodSchema', asks: 'whether references are supported in the schema', option: 'useReferences' },
  { subject: 'generateVideo', asks: 'the maximum time to wait for completion', option: 'timeoutMs' },
];

/** The system prompt. */
export const instructions = `You look things up in the documentation of the AI SDK (folder docs/) with the tools list, search and read.
Never answer from memory: read the page before you state a default.
As soon as you have found a default, write one line of this form, then go on:
Noted #<number>: \`<option>\` defaults to <value> (<page>)`;

/** What the user asked before, and the long answer: an agent's request is rarely the first of its conversation. */
const overview = pages
  .filter(({ path }) => /^docs\/(0[346]-|07-reference\/0[1-4])/.test(path))
  .map(({ text }) => [/^title: (.*)$/m.exec(text)?.[1], /^description: (.*)$/m.exec(text)?.[1]])
  .filter(([title, description]) => title !== undefined && description !== undefined)
  .map(([title, description]) => `- ${title}: ${description}`)
  .join('\n');

const request = `I am writing a cheat sheet. For each of these, find the option and its default:

${topics.map(({ subject, asks }, index) => `${index + 1}. ${subject}: ${asks}`).join('\n')}

Then write a report with one line for each, sorted by page, of this form:
<number>. <thing>: \`<option>\` is **<default>** (<page>)`;

/** The conversation up to the user's request. */
export const messages = [
  { role: 'user', content: 'I am new to the AI SDK. What do its guides and reference pages cover? One line for each, please.' },
  { role: 'assistant', content: `These are the guides and the reference pages:\n\n${overview}\n\nTell me where you would like to go deeper.` },
  { role: 'user', content: request },
];

/** The lines of a report, each with whether it is true, and what is wrong with the whole. */
export function checkReport(text) {
  const lines = text.split('\n').flatMap((line) => {
    const found = /^\W*(\d+)\. (\w+)\W.*?`(.+?)`.*?\*\*(.+?)\*\*.*?(docs\/[^\s)`]+)/.exec(line);
    return found === null ? [] : [{ number: Number(found[1]), subject: found[2], option: found[3], value: found[4], page: found[5] }];
  });
  const faults = topics.flatMap((topic, index) => {
    const line = lines.find(({ number }) => number === index + 1);
    if (line === undefined) return [`#${index + 1} ${topic.subject} is missing`];
    if (line.option !== topic.option) return [`#${index + 1} names ${line.option}, not ${topic.option}`];
    return stands(line) ? [] : [`#${index + 1}: ${line.page} does not say that ${line.option} defaults to ${line.value}`];
  });
  const sorted = lines.every(({ page }, index) => index === 0 || lines[index - 1].page <= page);
  return { lines, faults: sorted ? faults : [...faults, 'the lines are not sorted by page'] };
}

/** Whether a page has an entry of that name which states that default. */
function stands({ option, value, page }) {
  const entries = (pageText(page) ?? '').split(/(?=\bname: ')/).filter((entry) => entry.startsWith(`name: '${option}'`));
  return entries.some((entry) => entry.includes(`Defaults to ${value}`) || entry.includes(`Default: ${value}`));
}
