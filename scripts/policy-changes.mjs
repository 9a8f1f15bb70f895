// Makes wrong changes of policy in a copy of the engine, and names the tests that notice each. A change that none notices is a rule without a
// test. All are built at once; an environment variable says which one holds. Not part of `npm test`. `node scripts/policy-changes.mjs [number …]`

import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const copy = join(root, 'build/policy-changes');

/** What is changed, in which file below src/, and each passage with what it becomes; CHANGED is true where the change holds. @type {[string, string, ...[string, string][]][]} */
const changes = [
  ['the newest results are cleared first', 'plan/clear.rs', ['[rank(place), 0, 0]', '[rank(place), if CHANGED { -(place.message as i64) } else { 0 }, 0]']],
  ['work starts at 0.7 of the room', 'policy/thresholds.rs', ['Optimize::Balanced => on(BALANCED_TRIGGER', 'Optimize::Balanced if CHANGED => 0.7 * room,\nOptimize::Balanced => on(BALANCED_TRIGGER']],
  ['work ends at 0.2 of the room', 'policy/thresholds.rs', ['Optimize::Balanced => on(BALANCED_TARGET', 'Optimize::Balanced if CHANGED => 0.2 * room,\nOptimize::Balanced => on(BALANCED_TARGET']],
  ["`keep: 'never'` is ignored", 'digest/tools.rs', ['|rule| rule.keep)', '|rule| if CHANGED && rule.keep == Keep::Never { Keep::Normal } else { rule.keep })']],
  ["`keep: 'always'` is ignored", 'plan/clear.rs', ['!rules.spares_kept || keep_of', 'CHANGED || !rules.spares_kept || keep_of']],
  ['what the user denied leaves a checkpoint first', 'digest/novelty.rs',
    ['order.extend((0..newest).rev().filter(', 'order.extend((0..newest).rev().filter(|_| !CHANGED).filter('],
    ['        order.push(at);\n    }\n', '        order.push(at);\n    }\n    order.extend((0..newest).rev().filter(|at| CHANGED && !users[*at].denies.is_empty()));\n']],
  ['messages of the user leave a checkpoint by age', 'digest/novelty.rs', ['for at in by_novelty(users)', 'for at in if CHANGED { (0..users.len()).rev().collect() } else { by_novelty(users) }']],
  ['calls that act are offered for repetition', 'plan/draft/retrieval.rs', ['Effect::Acts => Retrieval::Nothing', 'Effect::Acts if CHANGED => Retrieval::Call,\nEffect::Acts => Retrieval::Nothing']],
  ['tools of unknown effect count as reading', 'plan/draft/retrieval.rs', ['Effect::Unknown => Retrieval::CallIfReads', 'Effect::Unknown if CHANGED => Retrieval::Call,\nEffect::Unknown => Retrieval::CallIfReads']],
  ['a tool of unknown effect makes readings stale', 'plan/clear.rs', ['if effect == Effect::Acts {', 'if effect == Effect::Acts || CHANGED && effect == Effect::Unknown {']],
  ['a new result is cut before anything older is cleared', 'plan/cap.rs', ['if fixed_tokens(draft, budget, keep_from) + together <=', 'if (if CHANGED { draft.total() } else { fixed_tokens(draft, budget, keep_from) + together }) <=']],
  ['a result that the model has not seen is squeezed like any other', 'plan/squeeze.rs', ['place.message < unseen && !is_cleared', '(CHANGED || place.message < unseen) && !is_cleared']],
  ['stale results go no sooner than others', 'plan/clear.rs', ['() if stale.contains(place) => 1', '() if !CHANGED && stale.contains(place) => 1']],
  ['errors that are still open are cleared', 'plan/clear.rs', ['!open.contains(place)', 'CHANGED || !open.contains(place)']],
  ['a failure is never over', 'digest/failure.rs', ['!failing.is_resolved_by(', 'CHANGED || !failing.is_resolved_by(']],
  ['a failure that nothing is about any more stays', 'digest/failure.rs', ['failing.used_step.saturating_add(FAILURE_STEPS) >= step', 'CHANGED || failing.used_step.saturating_add(FAILURE_STEPS) >= step']],
  ['a placeholder may be as large as its result', 'plan/draft.rs', ['if tokens + margin >= before {', 'if tokens + (if CHANGED { 0 } else { margin }) >= before + u32::from(CHANGED) {']],
  ["the user's own digest of a result is ignored", 'digest/tools.rs', ['|rule| rule.has_digest)', '|rule| rule.has_digest && !CHANGED)']],
  ['the protected tail is folded', 'plan/fold.rs', ['let tail = tail_start(self.draft, self.budget, self.input.settings).min(self.latest_end());', 'let tail = if CHANGED { usize::MAX } else { tail_start(self.draft, self.budget, self.input.settings) }.min(self.latest_end());']],
  ['an edit need not be worth its break of the cache', 'plan/clear.rs', ['rules.min_saving.max(1))', 'if CHANGED { 1 } else { rules.min_saving.max(1) })']],
  ['a fold need not save anything', 'plan/due.rs', ['    draft.span_tokens(draft.start(), end).saturating_sub(costs) >=', '    CHANGED || draft.span_tokens(draft.start(), end).saturating_sub(costs) >=']],
  ['the newest message of the user is cut', 'plan/squeeze.rs', ['Some(place.message) != newest_user(history)', 'CHANGED || Some(place.message) != newest_user(history)']],
  ["a provider's own results are cleared", 'model/entry.rs', ['!entry.provider_executed && is_replaceable(result)', '(CHANGED || !entry.provider_executed) && is_replaceable(result)']],
];

/** Tests that hold nothing of policy, or see that files changed. */
const elsewhere = ['fuzz::', 'redact::', 'tidy::', 'limits::', 'scripts::', 'estimate::'].flatMap((name) => ['--skip', name]);

mkdirSync(copy, { recursive: true });
for (const name of ['Cargo.toml', 'Cargo.lock', 'rust-toolchain.toml', 'tests', 'crates', 'tools', 'bench/worth', 'bench/replay', 'docs', 'README.md']) {
  cpSync(join(root, name), join(copy, name), { recursive: true, preserveTimestamps: true });
}
/** Texts of src/ by their paths in it. */
const sources = new Map(readdirSync(join(root, 'src'), { recursive: true }).map(String).filter((name) => /\.(rs|md)$/.test(name)).map((name) => [name, readFileSync(join(root, 'src', name), 'utf8')]));

for (const [index, [what, file, ...passages]] of changes.entries()) {
  sources.set(file, passages.reduce((text, [from, to]) => {
    if (text.split(from).length !== 2) throw new Error(`"${what}": src/${file} has not one \`${from}\``);
    return text.replace(from, () => to.replaceAll('CHANGED', `crate::error::is_changed(${index + 1})`));
  }, String(sources.get(file))));
}
sources.set('error.rs', `${sources.get('error.rs')}
/// Whether the change of this number holds.
pub fn is_changed(number: u32) -> bool {
    static NUMBER: std::sync::LazyLock<u32> = std::sync::LazyLock::new(|| std::env::var("CHANGE").unwrap_or_default().parse().unwrap_or(0));
    *NUMBER == number
}
`);
for (const [name, text] of sources) {
  const path = join(copy, 'src', name);
  // What is the same keeps its time, so that nothing is built anew for it.
  if (existsSync(path) && readFileSync(path, 'utf8') === text) continue;
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

const quick = ['--skip', 'properties::'];
const before = failedTests(0, quick);
if (before.length > 0) throw new Error(`without a change these fail: ${before}`);
const numbers = process.argv.slice(2).map(Number);
for (const number of numbers.length > 0 ? numbers : changes.map((_, index) => index + 1)) {
  const noticed = failedTests(number, quick);
  const failed = noticed.length > 0 ? noticed : failedTests(number, ['properties::']);
  if (failed.length === 0) process.exitCode = 1;
  console.log(`${number}. ${changes[number - 1][0]}: ${failed.length === 0 ? 'NOTICED BY NONE' : failed.join(', ')}`);
}

/** Runs tests and returns the names of those that fail. */
function failedTests(/** @type {number} */ change, /** @type {string[]} */ filter) {
  const environment = {
    ...process.env, CHANGE: String(change), RUST_BACKTRACE: '0', CARGO_TARGET_DIR: join(copy, 'target'),
  };
  const parameters = ['test', '--quiet', '--package', 'stepfold', '--lib', '--test', 'main', '--no-fail-fast', '--', ...elsewhere, ...filter];
  const { stdout, stderr } = spawnSync('cargo', parameters, { cwd: copy, env: environment, encoding: 'utf8', maxBuffer: 1 << 28 });
  if (stdout.match(/^test result: /gm)?.length !== 2) throw new Error(stderr);
  return [...new Set([...stdout.matchAll(/^ {4}(\w+(?:::\w+)+)$/gm)].map(([, name]) => name))];
}
