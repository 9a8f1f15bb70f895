// No management at all, and the two recipes of the AI SDK's documentation.

import { pruneMessages } from 'ai';
import { quarterJson } from './messages.mjs';

export const docs = [
  { name: 'none', semantics: ['rebuild'], create: () => ({ step: ({ messages }) => messages }) },
  {
    // Agents, loop control: more than 20 messages become the first and the last ten.
    name: 'docs-slice10',
    semantics: ['rebuild', 'carry'],
    create: () => ({ step: ({ messages }) => (messages.length > 20 ? [messages[0], ...messages.slice(-10)] : messages) }),
  },
  {
    // Cookbook: above 100,000 estimated tokens `pruneMessages`.
    name: 'docs-prune',
    semantics: ['rebuild', 'carry'],
    create: ({ scaled }) => ({
      step: ({ messages }) =>
        quarterJson(messages) > scaled(100_000) ? pruneMessages({ messages, reasoning: 'all', toolCalls: 'before-last-3-messages' }) : messages,
    }),
  },
];
