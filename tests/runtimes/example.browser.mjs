// examples/nextjs, built against the packed tarball and driven in headless Chromium: a chat that reads more than its model's
// window holds, the progress of compaction, meter, divider and history, Stop, a reload, approval, and whose chat it is. Run by
// `npm run test:browser`.

import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { amount } from '../amount.mjs';
import { buildExample, send, withExample } from './hosts/example.mjs';
import { installRuntimes } from './install.mjs';

installRuntimes();
before(buildExample);

const WINDOW_TOKENS = 9_000;
const incidents = [4, 15, 23, 38];

/** What the meter says. */
const meterOf = (page) => page.getByRole('meter').evaluate(({ ariaValueNow, ariaValueMax }) => ({ value: Number(ariaValueNow), max: Number(ariaValueMax) }));
const historyOf = (page) => page.locator('aside li').allInnerTexts();
const lastText = async (page) => (await page.locator('article.assistant p').allInnerTexts()).at(-1);
const incidentsIn = (answer) => [...answer.matchAll(/^- shift (\d+): .+$/gm)].map(([, shift]) => Number(shift));
const reports = (page) => page.locator('article.assistant code');

test('the agent of the example reads all reports, and the page shows how its context is kept, also after a reload', async () => {
  await withExample(async (page) => {
    const progress = page.getByRole('status').filter({ hasText: /^Summarizing conversation…$/ }).waitFor();
    await send(page);
    await progress;
    assert.equal(await page.locator('main [role=alert]').count(), 0);
    assert.equal(await reports(page).count(), 40);

    const answer = await lastText(page);
    assert.match(answer, /^I have read 40 reports\. The incidents:/);
    assert.deepEqual(incidentsIn(answer), incidents);

    const meter = await meterOf(page);
    assert.equal(meter.max, WINDOW_TOKENS);
    assert.ok(meter.value > 0 && meter.value < WINDOW_TOKENS, `${meter.value} tokens`);
    const without = Number(/([\d.]+)k without stepfold/.exec(await page.locator('aside').innerText())?.[1]) * 1_000;
    assert.ok(without > 2 * WINDOW_TOKENS, `${without} tokens`);
    assert.equal(await page.getByRole('status').count(), 0);
    const history = await historyOf(page);
    assert.ok(history.some((line) => /^Cleared \d+ old results\n[\d.]+k → [\d.]+k tokens$/.test(line)), history.join('\n'));
    assert.ok(history.some((line) => /^Summarized \d+ messages\n[\d.]+k → [\d.]+k tokens$/.test(line)), history.join('\n'));
    const divider = page.getByRole('separator');
    assert.match(await divider.first().innerText(), /^\d+ messages summarized/);

    // Everything is in the database.
    const dividers = await divider.allInnerTexts();
    await page.reload();
    await divider.first().getByText(/\d+:\d\d/).waitFor();
    assert.deepEqual(await divider.allInnerTexts(), dividers);
    assert.deepEqual(await historyOf(page), history);
    assert.deepEqual(await meterOf(page), meter);
    assert.equal(await reports(page).count(), 40);
    assert.equal(await lastText(page), answer);

    // The next request goes on with what the store kept: nothing is folded again.
    await send(page, 'Which pumps were it?');
    assert.match(await lastText(page), /shift 23: pump 2 failed at 22:45/);
    assert.deepEqual(await historyOf(page), history);
    assert.equal(await reports(page).count(), 40);
    assert.ok((await meterOf(page)).value < WINDOW_TOKENS);
  });
});

for (const moment of amount({ push: ['a summary'], night: ['a call', 'a summary'] })) {
  test(`what was done when the user stops during ${moment} is kept, and the next request goes on from there`, async () => {
    await withExample(async (page) => {
      await page.getByRole('button', { name: 'Send' }).click();
      if (moment === 'a call') await reports(page).nth(6).waitFor();
      else await page.getByRole('status').filter({ hasText: 'Summarizing' }).waitFor();
      await page.getByRole('button', { name: 'Stop' }).click();
      await page.getByRole('button', { name: 'Send' }).waitFor();
      assert.equal(await page.getByRole('status').count(), 0);
      assert.equal(await page.locator('main [role=alert]').count(), 0);
      const shown = await reports(page).count();
      assert.ok(shown >= 7 && shown < 40, `${shown} reports`);

      // The server saves when it has noticed.
      await waitUntil(async () => {
        await page.reload();
        return (await reports(page).count()) >= shown;
      });
      await send(page, 'Read all reports and list the incidents.');
      assert.equal(await page.locator('main [role=alert]').count(), 0);
      assert.deepEqual(incidentsIn(await lastText(page)), incidents);
      assert.ok((await page.getByRole('separator').count()) > 0);
    });
  });
}

test('a tool that needs approval waits for it, also through a reload, and does not run when the user denies it', async () => {
  await withExample(async (page) => {
    await send(page, 'Restart pump 2.');
    await page.getByRole('group', { name: 'Restart pump 2?' }).waitFor();
    await page.reload();
    await page.getByRole('button', { name: 'Approve' }).click();
    await page.getByText('Pump 2 runs again.').waitFor();
    assert.equal(await page.getByRole('group').count(), 0);

    await page.getByRole('button', { name: 'Send' }).waitFor();
    await send(page, 'Restart pump 1.');
    await page.getByRole('button', { name: 'Deny' }).click();
    await page.getByText('I leave pump 1 alone.').waitFor();
    assert.equal(await page.getByText('Pump 1 runs again.').count(), 0);
  });
});

test("another user's chat can be neither read nor continued, and no request makes a message of the agent's", async () => {
  await withExample(async (page) => {
    await send(page, 'Restart pump 2.');
    const id = page.url().split('/').at(-1);
    const post = (browserPage, body) =>
      browserPage.evaluate(async (given) => (await fetch('/api/chat', { method: 'POST', body: JSON.stringify(given) })).status, body);
    for (const body of [null, {}, { id }, { id, message: { id: 'm', role: 'assistant', text: '' } }, { id: 'x', message: { id: 'm', text: 'Hi' } }]) assert.equal(await post(page, body), 400, JSON.stringify(body));

    const other = await page.context().browser().newContext();
    const stranger = await other.newPage();
    await stranger.goto(new URL('/', page.url()).href);
    assert.equal(await post(stranger, { id, message: { id: 'm', text: 'What was said?' } }), 404);
    assert.equal((await stranger.goto(page.url())).status(), 404);
    assert.equal(await stranger.getByText('Restart pump').count(), 0);
    await page.reload();
    assert.equal(await page.locator('article').count(), 2);
  });
});

test('the model of the example refuses what is larger than its window, and the page shows it', async () => {
  await withExample(async (page) => {
    await send(page, 'reports '.repeat(20_000));
    assert.equal(await page.locator('main [role=alert]').innerText(), 'This does not fit into the window of the model.');
    assert.equal(await page.getByRole('status').first().innerText(), 'The conversation is too long for this model.');
  });
});

async function waitUntil(condition) {
  for (let attempt = 0; !(await condition()); attempt += 1) assert.ok(attempt < 50, 'it never happens');
}
