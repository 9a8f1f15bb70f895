// examples/nextjs, built against the packed tarball and driven in headless Chromium: a chat that reads more than its model's
// window holds, the progress of compaction, the context meter, a second request of the same chat. Run by `npm run test:browser`.

import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { buildExample, send, withExample } from './hosts/example.mjs';
import { installRuntimes } from './install.mjs';

installRuntimes();
before(buildExample);

const WINDOW_TOKENS = 9_000;
const incidents = [4, 15, 23, 38];

test('the agent of the example reads all reports, and the page shows how its context is kept', async () => {
  await withExample(async (page) => {
    const progress = page.getByRole('status').filter({ hasText: /^Summarizing \d+ messages…$/ }).waitFor();
    await send(page);
    await progress;
    assert.equal(await page.locator('main [role=alert]').count(), 0);
    assert.equal(await page.locator('article.assistant code').count(), 40);

    const answer = (await page.locator('article.assistant p').allInnerTexts()).at(-1);
    assert.match(answer, /^I have read 40 reports\. The incidents:/);
    assert.deepEqual([...answer.matchAll(/^- shift (\d+): .+$/gm)].map(([, shift]) => Number(shift)), incidents);

    const meter = await page.getByRole('meter').evaluate((/** @type {HTMLMeterElement} */ { value, max }) => ({ value, max }));
    assert.equal(meter.max, WINDOW_TOKENS);
    assert.ok(meter.value > 0 && meter.value < WINDOW_TOKENS, `${meter.value} tokens`);
    const without = Number(/without stepfold: ([\d.]+)k/.exec(await page.locator('figcaption').innerText())?.[1]) * 1_000;
    assert.ok(without > 2 * WINDOW_TOKENS, `${without} tokens`);
    assert.equal(await page.getByRole('status').innerText(), '');
    const log = await page.locator('aside li').allInnerTexts();
    assert.ok(log.some((line) => /cleared \d+ old results, [\d.]+k → [\d.]+k tokens$/.test(line)), log.join('\n'));
    assert.ok(log.some((line) => /folded \d+ messages into a summary, [\d.]+k → [\d.]+k tokens$/.test(line)), log.join('\n'));

    // The next request comes with all messages, and goes on with what the store kept: nothing is folded again.
    await send(page, 'Which pumps were it?');
    assert.match((await page.locator('article.assistant p').allInnerTexts()).at(-1), /shift 23: pump 2 failed at 22:45/);
    assert.deepEqual(await page.locator('aside li').allInnerTexts(), log);
    assert.equal(await page.locator('article.assistant code').count(), 40);
    assert.ok(await page.getByRole('meter').evaluate((/** @type {HTMLMeterElement} */ { value }) => value) < WINDOW_TOKENS);
  });
});

test('the model of the example refuses what is larger than its window, and the page shows it', async () => {
  await withExample(async (page) => {
    await send(page, 'reports '.repeat(20_000));
    assert.equal(await page.locator('main [role=alert]').innerText(), 'This does not fit into the window of the model.');
    assert.match(await page.locator('aside li').innerText(), /the prompt does not fit/);
  });
});
