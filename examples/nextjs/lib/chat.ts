// What server and page say to each other: messages with the agent's tools and stepfold's data parts, and what a request holds.

import type { InferUITools, UIMessage } from 'ai';
import type { StepfoldDataParts } from 'stepfold/ui';
import { z } from 'zod';
import type { tools } from './tools';

export type ChatMessage = UIMessage<never, StepfoldDataParts, InferUITools<typeof tools>>;

/** A new message, or the user's answers about tools that wait for approval. All else the server has in its database, and believes no page. */
export const requestSchema = z.union([
  z.strictObject({ id: z.uuid(), message: z.strictObject({ id: z.string().min(1).max(100), text: z.string().min(1).max(1_000_000) }) }),
  z.strictObject({ id: z.uuid(), approvals: z.record(z.string(), z.boolean()) }),
]);

export type ChatRequest = z.infer<typeof requestSchema>;

/** What a page sends of the messages that it shows. */
export function requestOf(id: string, messages: readonly ChatMessage[]): ChatRequest {
  const last = messages.at(-1);
  if (last?.role === 'user') return { id, message: { id: last.id, text: last.parts.map((part) => (part.type === 'text' ? part.text : '')).join('') } };
  const answered = (last?.parts ?? []).flatMap((part) => ('approval' in part && part.approval?.approved !== undefined ? [[part.approval.id, part.approval.approved] as const] : []));
  return { id, approvals: Object.fromEntries(answered) };
}

/** The stored message with the user's answers in it: no more than these is taken from the page. */
export function withApprovals(message: ChatMessage, approvals: Readonly<Record<string, boolean>>): ChatMessage {
  const parts = message.parts.map((part) => {
    if (part.type !== 'tool-restartPump' || part.state !== 'approval-requested') return part;
    const approved = approvals[part.approval.id];
    return approved === undefined ? part : { ...part, state: 'approval-responded' as const, approval: { ...part.approval, approved } };
  });
  return { ...message, parts };
}
