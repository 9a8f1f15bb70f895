// The public types of the package, an entry a file in api/: what a review looks at to see that the surface changed.
// Read off the built package. Comments are left out and names are in order, so that only a change of a type shows.
// `npm run api` writes the files; tests/package/api.test.mjs compares them.

import { mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import ts from 'typescript';

const dist = 'pkg/dist';

/** The text of each file, by its name. Expects the repository's root as working directory. */
export function publicTypes() {
  const files = readdirSync(dist).filter((name) => name.endsWith('.d.ts')).sort();
  return new Map(files.map((name) => [name, typesOf(name, readFileSync(`${dist}/${name}`, 'utf8'))]));
}

function typesOf(name, text) {
  const source = ts.createSourceFile(name, text, ts.ScriptTarget.Latest);
  const printer = ts.createPrinter({ removeComments: true });
  const statements = source.statements.map((statement) => ({ order: orderOf(statement), text: printer.printNode(ts.EmitHint.Unspecified, statement, source) }));
  // Stable: overloads stay as they are.
  const sorted = statements.sort((left, right) => (left.order < right.order ? -1 : left.order > right.order ? 1 : 0));
  return `// Made by \`npm run api\` from ${name} of the package.\n\n${sorted.map((statement) => statement.text).join('\n')}\n`;
}

/** Imports, then declarations by name, then exports. */
function orderOf(statement) {
  if (ts.isImportDeclaration(statement)) return '0';
  if (ts.isExportDeclaration(statement)) return '2';
  const { name = statement.declarationList?.declarations[0].name } = statement;
  return `1 ${name.text}`;
}

function write() {
  rmSync('api', { recursive: true, force: true });
  mkdirSync('api');
  for (const [name, text] of publicTypes()) writeFileSync(`api/${name}`, text);
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) write();
