// The page of `inspect` in a browser, opened from disk: what it shows, its keys, and that it asks for nothing and runs nothing of a log.

import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { withBrowser } from '../runtimes/hosts/browser.mjs';
import { folderOf, inspect } from './helpers.mjs';
import { logsOf } from './logs.mjs';
import { generateSession, modelMessages } from './sessions.mjs';

/** Each result tells ids that no other tells. */
const withIds = () => modelMessages(generateSession({ steps: 60, resultLines: 60, callsPerStep: 2 })).map((message, index) => {
  if (message.role !== 'tool') return message;
  const ids = (place) => Array.from({ length: 15 }, (_, line) => `Batch ODD-${index * 100 + place * 15 + line} went by sea. This sentence stands in each result of the agent.\n`).join('');
  return { ...message, content: message.content.map(({ output, ...result }, place) => ({ ...result, output: { ...output, value: `${output.value}\n${ids(place)}` } })) };
});

const folder = folderOf({ after }, [
  { path: 'ids/session.json', text: JSON.stringify(withIds()) },
  { path: 'one/session.json', text: JSON.stringify(modelMessages(generateSession({ steps: 60, resultLines: 80 }))) },
  ...logsOf().map(({ file, text }) => ({ path: `many/${file}`, text })),
]);
const pageOf = (path, ...parameters) => {
  const out = join(folder, `${path.replaceAll('/', '-')}.html`);
  assert.equal(inspect(folder, path, '--out', out, ...parameters).status, 0);
  return pathToFileURL(out).href;
};
const selected = (page) => page.locator('.edit[aria-selected=true]').getAttribute('data-edit').then(Number);

test('the page shows the session, an edit with why and its texts, and the keys go through them', async () => {
  await withBrowser(pageOf('one/session.json', '--window', '14000'), async (page) => {
    await page.locator('svg.chart').waitFor();
    assert.match(await page.locator('h1').textContent(), /^Find out why the window is over budget/);
    assert.ok((await page.locator('.mark').count()) > 3 && (await page.locator('.window').count()) === 1);
    assert.equal(await page.locator('.fact').count(), 6);
    assert.match(await page.locator('.why').textContent(), /^Why: .+\.$/);
    assert.notEqual(await page.locator('.pane pre').first().textContent(), '');
    const first = await selected(page);
    await page.keyboard.press('ArrowDown');
    assert.equal(await selected(page), first + 1);
    await page.keyboard.press('ArrowUp');
    assert.equal(await selected(page), first);
    await page.keyboard.press('End');
    await page.keyboard.press('ArrowDown');
    const last = await selected(page);
    assert.match(await page.locator('.detail .sub').textContent(), new RegExp(`edit ${last + 1} of ${last + 1}$`));
    await page.keyboard.press('ArrowLeft');
    assert.ok((await selected(page)) < last);
    await page.keyboard.press('Home');
    assert.equal(await selected(page), 0);
    await page.locator('.edit', { hasText: 'checkpoint' }).first().click();
    assert.match(await page.locator('.pane').last().textContent(), /After: the checkpoint as it was sent\[Checkpoint /);
    const address = page.url();
    const place = await selected(page);
    await page.reload();
    assert.deepEqual([page.url(), await selected(page)], [address, place]);
  });
});

test('what an edit lost is marked, and can be shown alone; edits of one tool share a row until one is looked at', async () => {
  await withBrowser(pageOf('ids/session.json', '--window', '20000'), async (page) => {
    await page.locator('.loss').waitFor();
    const text = () => page.locator('pre.before').textContent();
    const whole = await text();
    assert.match(await page.locator('.examples').textContent(), /ODD-\d+/);
    assert.match(await page.locator('pre.before mark').first().textContent(), /ODD-\d+/);
    await page.locator('.toggle').click();
    const lost = await text();
    assert.ok(lost.length < whole.length, `${lost.length} of ${whole.length} characters`);
    assert.match(lost, /\n *Batch ODD-\d+ went by sea\. …\n/);
    assert.doesNotMatch(lost, /This sentence/);
    await page.locator('.toggle').click();
    assert.equal(await text(), whole);
    // Places run from the first message to the last.
    for (const places of await page.locator('.edit[aria-expanded] small').allTextContents()) {
      const [, first, last] = /^messages? (\d+)(?: to (\d+))?$/.exec(places) ?? [];
      assert.ok(last === undefined ? places === `message ${first}` : Number(first) < Number(last), places);
    }
    const group = page.locator('.edit[aria-expanded=false]').first();
    const [, many] = /× (\d+)/.exec(await group.textContent()) ?? [];
    await group.click();
    assert.equal(await page.locator('.edit.member').count(), Number(many));
    assert.match(await page.locator('.detail').textContent(), /Cache break: this prompt does not begin with the one before/);
    assert.ok(Number(many) > 1);
  });
});

test('a step of the chart leads to its edits', async () => {
  await withBrowser(pageOf('one/session.json', '--window', '20000'), async (page) => {
    await page.locator('.hit').last().waitFor();
    await page.evaluate("document.querySelector('.hit[data-step=\"40\"]').dispatchEvent(new MouseEvent('click'))");
    const [, step] = /^Step (\d+)/.exec(await page.locator('.detail .sub').textContent()) ?? [];
    assert.ok(Number(step) > 40);
  });
});

test('a folder has an overview that leads to each session and back', async () => {
  await withBrowser(pageOf('many', '--window', '12000'), async (page) => {
    assert.equal(await page.locator('tbody tr').count(), logsOf().length);
    // A session is unpacked when it is opened.
    await page.locator('tbody .link').nth(2).click();
    await page.locator('.back').waitFor();
    await page.keyboard.press('n');
    await page.waitForURL(/#4\.\d+$/);
    await page.keyboard.press('Escape');
    await page.locator('h1', { hasText: /12 sessions/ }).waitFor();
  });
});

test('nothing is wider than a small screen', async () => {
  for (const path of ['one/session.json', 'many']) {
    await withBrowser(pageOf(path, '--window', '20000'), async (page) => {
      await page.locator('footer').waitFor();
      assert.ok((await page.evaluate('document.documentElement.scrollWidth')) <= 400);
    }, { viewport: { width: 400, height: 800 } });
  }
});

test('HTML, scripts and marks that turn text are shown as text; the page asks for nothing', async (t) => {
  const bad = `</script><script>globalThis.hit = 1</script><img src="http://127.0.0.1:9/x.png" onerror="globalThis.hit = 2"><!-- \u202Egnp.exe \u0000\u2066 \u2028 \${x} end`;
  const messages = modelMessages(generateSession({ steps: 12 })).map((message) =>
    message.role === 'tool' ? { ...message, content: [{ ...message.content[0], toolName: `<b>${bad}`, output: { type: 'text', value: `${bad}\n`.repeat(80) } }] } : message.role === 'user' ? { ...message, content: bad } : message,
  );
  const own = folderOf(t, [{ path: '<b>x.json', text: JSON.stringify(messages) }]);
  assert.equal(inspect(own, '<b>x.json', '--window', '6000', '--out', 'out.html').status, 0);
  await withBrowser('about:blank', async (page) => {
    const asked = [];
    const faults = [];
    page.on('request', (request) => asked.push(request.url()));
    page.on('console', (message) => faults.push(message.text()));
    page.on('pageerror', (error) => faults.push(String(error)));
    await page.goto(pathToFileURL(join(own, 'out.html')).href);
    await page.locator('svg.chart').waitFor();
    for (let edit = 0; edit < 8; edit += 1) await page.keyboard.press('ArrowDown');
    assert.equal(await page.evaluate('globalThis.hit'), undefined);
    assert.equal(await page.locator('img, #app script, td b').count(), 0);
    const shown = await page.locator('#app').textContent();
    assert.match(shown, /<\/script><script>globalThis\.hit = 1<\/script>/);
    assert.match(shown, /⟨U\+202E⟩gnp\.exe ⟨U\+0000⟩⟨U\+2066⟩ ⟨U\+2028⟩/);
    assert.deepEqual([asked.filter((url) => !url.startsWith('file:')), faults], [[], []]);
  });
});
