// What the user says when they approve or deny a call is their word, and stands in the checkpoint as such.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { buildCheckpoint } from 'stepfold';

test('what the user said when they approved a call stays like the reason of a denial', () => {
  const call = (id, amount) => ({
    role: 'assistant',
    content: [
      { type: 'tool-call', toolCallId: id, toolName: 'refund', input: { order: 'O-1', amount } },
      { type: 'tool-approval-request', approvalId: `approval-${id}`, toolCallId: id },
    ],
  });
  const answer = (id, approved, reason, output) => [
    { role: 'tool', content: [{ type: 'tool-approval-response', approvalId: `approval-${id}`, approved, reason }] },
    { role: 'tool', content: [{ type: 'tool-result', toolCallId: id, toolName: 'refund', output }] },
  ];
  const read = (n) => [
    { role: 'assistant', content: [{ type: 'tool-call', toolCallId: `r${n}`, toolName: 'search', input: { id: `Q-${n}` } }] },
    { role: 'tool', content: [{ type: 'tool-result', toolCallId: `r${n}`, toolName: 'search', output: { type: 'text', value: `row ${n} `.repeat(400) } }] },
  ];
  const { checkpoint } = buildCheckpoint(
    [
      { role: 'user', content: 'Refund O-1' },
      call('a', 40),
      ...answer('a', false, 'too much', { type: 'execution-denied', reason: 'too much' }),
      call('b', 20),
      ...answer('b', true, 'only this once', { type: 'json', value: { refundId: 're_1001' } }),
      ...Array.from({ length: 8 }, (_, n) => read(n)).flat(),
      { role: 'assistant', content: 'Done.' },
      { role: 'user', content: 'Thanks' },
    ],
    { contextWindow: 16_000, keepRecent: { messages: 2 } },
  );
  const text = JSON.stringify(checkpoint);
  assert.match(text, /1: \\"too much\\" \[denied: refund\(amount: 40, order: O-1\)\]/);
  assert.match(text, /2: \\"only this once\\" \[reply to: \\"Approve refund\(amount: 20, order: O-1\)\? → approved\\"\]/);
});
