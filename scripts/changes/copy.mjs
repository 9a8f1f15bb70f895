// Copies of this checkout in which the engine is changed, to see what a change costs: who notices it (policy.mjs), what the benches lose by
// it (bench/mechanisms). All changes of a table are built at once; an environment variable says which ones hold. Nothing of it is in the
// package.

import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));
/** Made by builds, or not of this project's making. */
const LEFT_OUT = ['.git', 'build', 'node_modules', 'pkg', 'target'];
const MADE = /^(?:bench|examples)\/[^/]+\/(?:node_modules|target|\.next)$/;
/** Says which changes hold, by their numbers: `3,7`. */
const VARIABLE = 'STEPFOLD_CHANGES';
/** What a passage calls to know whether its change holds. */
const CHANGED = 'CHANGED';

/**
 * A change: what it is, and passages of Rust with what they become; `CHANGED` is true where the change holds.
 *
 * @typedef {{ name: string, passages: [file: string, from: string, to: string][] }} Change
 */

/**
 * The texts of the files that a table changes, by their paths. Throws when a passage is not there, or not once. @param {Change[]} changes
 */
export function changedTexts(changes) {
  const texts = new Map();
  const misfits = [];
  for (const [index, { name, passages }] of changes.entries()) {
    for (const [file, from, to] of passages) {
      if (!texts.has(file)) texts.set(file, existsSync(join(root, file)) ? readFileSync(join(root, file), 'utf8') : '');
      const parts = texts.get(file).split(from);
      if (parts.length !== 2) misfits.push(`"${name}": ${file} has ${parts.length - 1} times, not once: ${from}`);
      else texts.set(file, parts.join(to.replaceAll(CHANGED, `${switchesFrom(file)}::is_on(${index + 1})`)));
    }
  }
  if (misfits.length > 0) throw new Error(`changes of the engine that no longer fit its source:\n${misfits.join('\n')}`);
  return texts;
}

/** How a file names the module of switches: `crates/text` is where both crates see it. */
const switchesFrom = (file) => (file.startsWith('crates/text/') ? 'crate::switches' : 'stepfold_text::switches');

/**
 * Writes the checkout with all changes of a table into `build/<name>`, and returns that folder. @param {string} name @param {Change[]}
 * changes
 */
export function makeCopy(name, changes) {
  const copy = join(root, 'build', name);
  const texts = withSwitches(changedTexts(changes));
  const entries = readdirSync(root).filter((entry) => !LEFT_OUT.includes(entry));
  const paths = new Set([...entries.flatMap((entry) => filesBelow(root, entry)), ...texts.keys()]);
  for (const path of paths) write(join(copy, path), texts.get(path) ?? readFileSync(join(root, path)));
  for (const path of entries.flatMap((entry) => filesBelow(copy, entry))) if (!paths.has(path)) rmSync(join(copy, path));
  if (!existsSync(join(copy, 'node_modules'))) symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'), 'junction');
  return copy;
}

/** The files at a path of a folder, by their paths in it; not what an example installed or built. @returns {string[]} */
function filesBelow(/** @type {string} */ folder, /** @type {string} */ path) {
  const at = join(folder, path);
  if (!existsSync(at) || MADE.test(path)) return [];
  return statSync(at).isDirectory() ? readdirSync(at).flatMap((name) => filesBelow(folder, `${path}/${name}`)) : [path];
}

/** What is the same keeps its time, so that nothing is built anew for it. @param {string} path @param {string | Buffer} content */
function write(path, content) {
  if (existsSync(path) && readFileSync(path).equals(Buffer.from(content))) return;
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, content);
}

/** The environment in which the changes of these numbers hold. @param {number[]} numbers */
export const environmentOf = (numbers) => ({ ...process.env, [VARIABLE]: numbers.join() });

/**
 * Adds the module that says which changes hold: the environment says it natively, and Node's in WebAssembly. @param {Map<string, string>}
 * texts
 */
function withSwitches(texts) {
  const library = 'crates/text/src/lib.rs';
  const boundary = 'src/wasm.rs';
  const textOf = (/** @type {string} */ path) => texts.get(path) ?? readFileSync(join(root, path), 'utf8');
  const start = 'fn start() {\n';
  if (textOf(boundary).split(start).length !== 2) throw new Error(`${boundary} has not one \`${start.trim()}\``);
  return new Map([
    ...texts,
    ['crates/text/src/switches.rs', SWITCHES],
    [library, `${textOf(library)}\npub mod switches;\n`],
    [boundary, textOf(boundary).replace(start, () => start + READ)],
  ]);
}

const SWITCHES = `//! Which changes of this copy hold.

use std::sync::OnceLock;

static GIVEN: OnceLock<Vec<u32>> = OnceLock::new();

fn numbers(list: &str) -> Vec<u32> {
    list.split(',').filter_map(|number| number.parse().ok()).collect()
}

/// Takes the list from outside, where there is no environment.
pub fn set(list: &str) {
    let _ = GIVEN.set(numbers(list));
}

/// Whether the change of this number holds.
pub fn is_on(number: u32) -> bool {
    GIVEN.get_or_init(|| numbers(&std::env::var("${VARIABLE}").unwrap_or_default())).contains(&number)
}
`;

const READ = `    let member = |value: &JsValue, name: &str| js_sys::Reflect::get(value, &name.into()).unwrap_or(JsValue::UNDEFINED);
    let environment = member(&member(&js_sys::global(), "process"), "env");
    stepfold_text::switches::set(&member(&environment, "${VARIABLE}").as_string().unwrap_or_default());
`;
