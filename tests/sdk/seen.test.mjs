// What was measured once is not read again, whatever request its messages come in: a run's first step costs only what is new.
// Counts how often texts are read; not a bench (bench/run.mjs).

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createPrepareStep } from 'stepfold';

/** Messages that count in `reads` how often the text of each is read. */
function createList(length) {
  const reads = Array.from({ length }, () => 0);
  const content = (index) => [
    {
      type: 'text',
      get text() {
        reads[index] += 1;
        return `Message ${index}.`;
      },
    },
  ];
  const messages = reads.map((_, index) => ({ role: index % 2 === 0 ? 'user' : 'assistant', content: content(index) }));
  return { messages, reads, content };
}

/** The first step of a request, as it is without an edit. */
async function request(messages) {
  assert.equal(await createPrepareStep()({ messages, steps: [], stepNumber: 0, model: 'gpt-5' }), undefined);
}

test('messages that were seen in an earlier request are not read again', async () => {
  const { messages, reads } = createList(30);
  await request(messages.slice(0, 21));
  await request(messages);
  await request(messages.slice(0, 10));
  assert.deepEqual(reads, reads.map(() => 1));
});

test('a list in which messages are left out, or others were put in, is known all the same', async () => {
  const { messages, reads } = createList(30);
  await request(messages);
  await request(messages.filter((_, index) => ![3, 4, 13].includes(index)));
  await request([...messages.slice(0, 6), { role: 'user', content: 'New.' }, ...messages.slice(6)]);
  assert.deepEqual(reads, reads.map(() => 1));
});

test('a message whose content was replaced or added to is read again, and no other', async () => {
  const { messages, reads, content } = createList(30);
  await request(messages);
  messages[9].content = content(9);
  messages[17].content.push({ type: 'text', text: 'More.' });
  for (let time = 0; time < 3; time += 1) await request(messages);
  assert.deepEqual(reads, reads.map((_, index) => (index === 9 || index === 17 ? 2 : 1)));
});

test('without the message that a group is kept by, no more than a few are read again, and then no more', async () => {
  const { messages, reads } = createList(30);
  await request(messages);
  for (let time = 0; time < 3; time += 1) await request(messages.slice(1));
  const again = reads.filter((count) => count > 1);
  assert.ok(again.length < 8 && Math.max(...reads) <= 2, reads.join(' '));
});
