// Assembles the text the estimator is fitted on: published packages, fetched by their ordinary clients, and generated text.
// Writes one JSON document per line: { package, name, class, text }. Knows nothing about tokens.
//
//   node corpus.mjs <work folder>       downloads about 400 MB once, writes <work folder>/corpus.jsonl (about 110 MB)
import { execFileSync } from 'node:child_process';
import { createWriteStream, existsSync, mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, extname, join, relative } from 'node:path';
import { CRATES, NPM, SDISTS, WHEELS } from './packages.mjs';

/** Characters taken from one document, and from one package for one class. */
const DOCUMENT_CHARS = 40_000;
const PACKAGE_CLASS_CHARS = 1_200_000;
const CLASSES = {
  markdown: '.md .mdx .rst', text: '.txt .cor', code: '.js .mjs .cjs .jsx .ts .mts .cts .tsx .vue .svelte .py .pyi .rs .c .h .cpp .hpp .mm .m .java .kt .go .rb .php .cs .swift .sh .sql .lua .pl .scala .hs .ex',
  json: '.json', html: '.html .xml .svg', css: '.css .scss .less', yaml: '.yml .yaml .toml .ini', map: '.map', po: '.po',
};
const CLASS_OF = new Map(Object.entries(CLASSES).flatMap(([name, list]) => list.split(' ').map((end) => [end, name])));

const work = process.argv[2];
if (!work) throw new Error('usage: node corpus.mjs <work folder>');
fetchPackages();
const out = createWriteStream(join(work, 'corpus.jsonl'));
for (const folder of readdirSync(join(work, 'src')).sort()) takePackage(folder);
for (const document of generated()) out.write(`${JSON.stringify(document)}\n`);
out.end();

function fetchPackages() {
  const run = (command, args, cwd) => execFileSync(command, args, { cwd, stdio: ['ignore', 'pipe', 'inherit'] });
  const downloads = join(work, 'downloads');
  if (existsSync(join(work, 'src'))) return;
  mkdirSync(downloads, { recursive: true });
  for (const name of NPM) run('npm', ['pack', '--silent', name], downloads);
  for (const name of WHEELS) run('pip', ['download', '-q', '--no-deps', '--only-binary', ':all:', name], downloads);
  for (const name of SDISTS) run('pip', ['download', '-q', '--no-deps', '--no-binary', ':all:', name], downloads);
  for (const file of readdirSync(downloads)) {
    const folder = join(work, 'src', file.replace(/(\.tgz|\.tar\.gz|\.whl)$/, ''));
    mkdirSync(folder, { recursive: true });
    if (file.endsWith('.whl')) run('unzip', ['-qo', join(downloads, file), '-d', folder]);
    else run('tar', ['xzf', join(downloads, file), '-C', folder]);
  }
  const crates = join(work, 'src', 'crates');
  run('cargo', ['init', '-q', '--vcs', 'none', '--lib', '--name', 'corpus', crates]);
  run('cargo', ['add', '-q', ...CRATES], crates);
  run('cargo', ['vendor', '-q'], crates);
}

function takePackage(folder) {
  const root = join(work, 'src', folder);
  const taken = new Map();
  const files = readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name))
    .sort((a, b) => hash(relative(root, a)) - hash(relative(root, b)));
  listings(folder, root, files);
  for (const file of files) {
    const fileClass = file.includes('examplefiles') && !file.endsWith('.output') ? 'code' : CLASS_OF.get(extname(file));
    if (!fileClass || statSync(file).size > 20_000_000) continue;
    const budgetKey = file.includes('/locale') || file.includes('/docs/') ? `${fileClass} ${/\/(docs|locales?)\/([^/]+)/.exec(file)?.[2]}` : fileClass;
    if ((taken.get(budgetKey) ?? 0) > PACKAGE_CLASS_CHARS) continue;
    const text = readText(file, fileClass);
    if (!text || text.includes('\uFFFD') || text.includes('\0')) continue;
    taken.set(budgetKey, (taken.get(budgetKey) ?? 0) + text.length);
    emit(folder, relative(root, file), fileClass === 'code' && longestLine(text) > 2_000 ? 'minified' : fileClass, text);
  }
}

function readText(file, fileClass) {
  let text = readFileSync(file, 'utf8');
  if (fileClass === 'po') text = translations(text);
  // The Declaration of Human Rights is wanted as prose in 500 languages, not as the same markup 500 times.
  if (file.includes('declaration')) text = text.replace(/<[^>]+>/g, '').replace(/\n\s+/g, '\n');
  if (text.length <= DOCUMENT_CHARS) return text;
  const start = hash(file) % (text.length - DOCUMENT_CHARS);
  return text.slice(start, start + DOCUMENT_CHARS).toWellFormed();
}

function translations(po) {
  const messages = po.split(/\n\n/).map((entry) => /\nmsgstr(?:\[0\])? ((?:".*"\n?)+)/.exec(entry)?.[1] ?? '');
  return messages.slice(1).map((lines) => lines.split('\n').map((line) => line.slice(1, -1)).join('').replaceAll('\\n', '\n').replaceAll('\\"', '"')).filter(Boolean).join('\n');
}

/** Writes a document, and beside every third one the shape in which an agent's tool would show it. */
function emit(folder, name, fileClass, text) {
  const write = (suffix, kind, value) => out.write(`${JSON.stringify({ package: folder, name: name + suffix, class: kind, text: value })}\n`);
  write('', fileClass, text);
  const lines = text.slice(0, 12_000).toWellFormed().split('\n');
  const path = `src/${name.split('/').slice(-3).join('/')}`;
  switch (hash(name) % 15) {
    case 0: return write('#numbered', 'numbered', lines.map((line, i) => `${String(i + 1).padStart(6)}\t${line}`).join('\n'));
    case 1: return write('#arrow', 'numbered', lines.map((line, i) => `${String(i + 1).padStart(6)}→${line}`).join('\n'));
    case 2: return write('#escaped', 'escaped', JSON.stringify({ file_path: `/home/user/project/${path}`, content: lines.join('\n') }));
    case 3: return write('#grep', 'grep', lines.filter((line) => hash(line) % 4 === 0).map((line, i) => `${path}:${i * 4 + 3}:${line}`).join('\n'));
    case 4: return write('#diff', 'diff', `--- a/${path}\n+++ b/${path}\n` + lines.map((line, i) => (i % 40 === 0 ? `@@ -${i + 1},40 +${i + 3},40 @@\n` : '') + '   +-'[hash(line) % 5] + line).join('\n'));
    case 5: if (fileClass === 'json') return reprint(write, text);
  }
}

function reprint(write, text) {
  try {
    const value = JSON.parse(text);
    write('#compact', 'json', JSON.stringify(value).slice(0, DOCUMENT_CHARS).toWellFormed());
    write('#pretty', 'json', JSON.stringify(value, null, 2).slice(0, DOCUMENT_CHARS).toWellFormed());
  } catch {
    // A slice of a larger file does not parse; it is in the corpus as it is.
  }
}

function listings(folder, root, files) {
  const rows = files.slice(0, 800).map((file) => [relative(root, file), statSync(file)]);
  const long = rows.map(([name, stat]) => `-rw-r--r--  1 user  staff ${String(stat.size).padStart(8)} Mar ${1 + (hash(name) % 30)} ${10 + (hash(name) % 14)}:${10 + (stat.size % 50)} ${basename(name)}`);
  for (let i = 0; i < rows.length; i += 200) {
    emit(folder, `listing${i}`, 'listing', long.slice(i, i + 100).join('\n'));
    const top = ['./', '/home/user/project/', '/usr/local/share/', '/Users/someone/work/', 'C:\\Users\\dev\\', 'node_modules/', 'https://example.com/', ''][hash(folder + i) % 8];
    const paths = rows.slice(i + 100, i + 200).map(([name]) => top + name);
    emit(folder, `paths${i}`, 'listing', paths.map((path) => (top.includes('\\') ? path.replaceAll('/', '\\') : path)).join('\n'));
  }
}

function* generated() {
  let seed = 7;
  const random = (n) => ((seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0) / 2 ** 32 * n) | 0;
  const pick = (list) => list[random(list.length)];
  const bytes = (n) => Buffer.from(Array.from({ length: n }, () => random(256)));
  const hex = (n) => bytes(n / 2 + 1).toString('hex').slice(0, n);
  const uuid = () => [8, 4, 4, 4, 12].map(hex).join('-');
  const many = (n, separator, make) => Array.from({ length: n }, (_, i) => make(i)).join(separator);
  const two = (n) => String(n).padStart(2, '0');
  const time = () => `${two(random(24))}:${two(random(60))}:${two(random(60))}`;
  const day = () => `2025-${two(1 + random(12))}-${two(1 + random(28))}`;
  const words = 'connection request user worker cache token timeout retry queue session upstream handler database index payload shard lease quota stream webhook migration replica'.split(' ');
  const makers = {
    log: () => many(120, '\n', () => pick([
      () => `${day()}T${time()}.${random(1000)}Z ${pick(['INFO', 'WARN', 'ERROR', 'DEBUG'])} [${pick(words)}-${random(20)}] ${pick(words)} ${pick(words)} failed after ${random(9000)}ms (attempt ${random(5)}/5) id=${hex(16)}`,
      () => `${day()} ${time()},${100 + random(900)} ${pick(words)}.${pick(words)} ${pick(['INFO', 'WARNING'])}: ${pick(words)} ${uuid()} took ${random(100)}.${random(1000)}s`,
      () => `10.${random(256)}.${random(256)}.${random(256)} - - [${1 + random(28)}/Mar/2025:${time()} +0000] "GET /api/v1/${pick(words)}/${random(99999)}?page=${random(50)} HTTP/1.1" ${pick([200, 304, 404, 500])} ${random(90000)} "-" "Mozilla/5.0 (X11; Linux x86_64)"`,
      () => `Mar ${1 + random(28)} ${time()} host${random(9)} kernel: [${random(99999)}.${random(999999)}] ${pick(words)}0: ${pick(words)} 0x${hex(8)} irq ${random(99)}`,
      () => `    at ${pick(words)}.${pick(words)} (/app/node_modules/${pick(words)}/dist/${pick(words)}.js:${random(900)}:${random(90)})`,
      () => JSON.stringify({ level: pick(['info', 'error']), ts: 1.74e9 + random(9999999) + random(1000) / 1000, msg: `${pick(words)} ${pick(words)}`, traceId: hex(32), durationMs: random(5000) }),
    ])()),
    hex: () => many(30, '\n', () => hex(pick([32, 40, 64, 128]))),
    base64: () => pick([() => bytes(6000).toString('base64'), () => bytes(4000).toString('base64').replace(/(.{76})/g, '$1\n'), () => bytes(3000).toString('base64url'), () => many(40, '.', () => Buffer.from(JSON.stringify({ sub: uuid(), iat: random(1e9) })).toString('base64url'))])(),
    uuid: () => many(100, '\n', uuid),
    ids: () => many(100, '\n', () => pick([() => `call_${bytes(18).toString('base64').replace(/\W/g, '')}`, () => `toolu_01${bytes(16).toString('base64').replace(/\W/g, '')}`, () => `sha256:${hex(64)}`, () => `sk-${hex(32)}`, () => `/${pick(words)}/${hex(7)}/${pick(words)}_${random(9999)}.log`, () => `${pick(words)}@${random(20)}.${random(20)}.${random(20)}`, () => `sha512-${bytes(64).toString('base64')}`])()),
    csv: () => many(150, pick(['\n', '\r\n']), (i) => `${i},${day()},${pick(words)},${random(10000)}.${two(random(100))},${random(1e9)},${-random(100)}.${random(1e6)},"${pick(words)}, ${pick(words)}"`),
    numbers: () => many(400, pick([' ', ', ', '\n', '\t']), () => pick([() => random(1e9), () => random(100), () => Math.fround(random(1e9) / 1e7), () => -random(1000) / 7])()),
    table: () => many(60, '\n', (i) => i === 1 ? '|---|:---:|---:|-----------|' : `| ${pick(words)} | ${random(1000)} | ${random(100)}% | ${pick(words)} ${pick(words)} |`),
    box: () => ['┌' + '─'.repeat(60) + '┐', ...many(20, '\n', () => `│ ${pick(words).padEnd(20)}│ ${String(random(9999)).padStart(10)} │ ${'█'.repeat(random(20)).padEnd(24, '░')} │`).split('\n'), '└' + '─'.repeat(60) + '┘', '├── ' + many(30, '\n│   ├── ', () => `${pick(words)}.${pick(['ts', 'py', 'md'])}`)].join('\n'),
    emoji: () => many(120, ' ', () => pick(['✅', '❌', '⚠️', '🚀', '👍🏽', '🎉', '😀', '😂', '❤️', '🔥', '👨‍👩‍👧', '🇩🇪', '✨', '📦', '➡️', '•', '–', '→', '“' + pick(words) + '”', pick(words), pick(words), pick(words)])),
    // Long runs of one character keep hostile input near its true count; their length varies as BPE merges by powers of two.
    runs: () => many(40, pick(['\n', ' x ', '']), () => pick([...'aaeionxzAXZ ====----____****####    ....~~~~////\\\\\\\\||||,,,;;;:::!!!???""""\'\'\'```$$$%%%&&&@@@^^^+++<<<>>>(()){}[[]]', '\t', '\n', '\r\n', '─', '═', '中', '的', 'あ', '한', 'а', '😀', '0', '…']).repeat(3 + random(pick([20, 90, 400])))),
    randomLetters: () => many(60, ' ', () => many(4 + random(40), '', () => String.fromCharCode(97 + random(26)))),
  };
  for (const [name, make] of Object.entries(makers)) for (let i = 0; i < 30; i++) yield { package: `generated${i % 10}`, name: `${name}${i}`, class: name, text: make() };
}

function hash(text) {
  let value = 2166136261;
  for (let i = 0; i < text.length; i++) value = Math.imul(value ^ text.charCodeAt(i), 16777619);
  return (value ^ (value >>> 15)) >>> 0;
}

function longestLine(text) {
  return text.split('\n').reduce((longest, line) => Math.max(longest, line.length), 0);
}
