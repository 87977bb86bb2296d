// Runs tests, says how far they are, and builds dist/ first if it is not up to date:
//
//   npm test             the tests that need nothing but this repository
//   npm run test:all     also those in *.all.test.ts: programs that are started, browsers, Redis, real waiting
//   npm test -- WORD...  the test files whose path contains one of the words
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { SourceMap } from 'node:module';
import { dirname, join, relative } from 'node:path';
import { run } from 'node:test';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { inspect } from 'node:util';
import { compileTests } from './compile-tests.mjs';
import { isStale } from './stale.mjs';

process.chdir(fileURLToPath(new URL('..', import.meta.url)));
const args = process.argv.slice(2);
const words = args.filter(arg => arg !== '--all');
const isQuick = args.length === 0;
const files = readdirSync('test', { recursive: true, encoding: 'utf8' })
  .map(name => join('test', name))
  .filter(name => name.endsWith('.test.ts') && !(isQuick && name.endsWith('.all.test.ts')))
  .filter(name => words.length === 0 || words.some(word => name.includes(word)))
  .sort();

console.log(`${files.length} test files`);
if (isStale()) {
  console.log('building dist/');
  execFileSync(process.execPath, ['scripts/build.mjs'], { stdio: 'inherit' });
}
// For coverage, c8 sets this variable.
const compiled = await compileTests(files, process.env.NODE_V8_COVERAGE !== undefined);
const names = new Map([...compiled].map(([file, output]) => [output, file]));
/** @type {string[]} */
const failures = [];
/** What node:test says at the end. @type {string[]} */
const summary = [];
let ended = 0;
if (isQuick) process.env.TEST_QUICK = 'on';
// Node 22 and newer compile what test files share once.
process.env.NODE_COMPILE_CACHE ??= join(dirname([...names.keys()][0] ?? ''), 'compiled');

run({ files: [...names.keys()], concurrency: 3, timeout: 300_000 })
  .on('test:complete', ({ name, file = '', details, skip }) => {
    const source = names.get(file) ?? relative('.', file);
    if (name === file) {
      ended += 1;
      const seconds = (details.duration_ms / 1000).toFixed(1);
      console.log(`${ended}/${files.length} ${source} ${seconds} s`);
    }
    if (typeof skip === 'string' && !isQuick) console.log(`skipped: ${source}: ${name}: ${skip}`);
    const { error } = details;
    // A test whose subtests failed says no more than they do, nor does a file.
    if (!error || /** @type {{ failureType?: string }} */ (error).failureType === 'subtestsFailed') return;
    failures.push(`${source}: ${name === file ? 'the file' : name}`);
    console.log(`\nfailed: ${failures.at(-1)}\n${inSources(inspect(error.cause ?? error))}\n`);
  })
  .on('test:diagnostic', ({ nesting, message }) => {
    if (nesting === 0 && /^[a-z_]+ [\d.]+$/.test(message)) summary.push(message);
  })
  .on('test:stderr', ({ message }) => process.stderr.write(message))
  .on('end', () => {
    for (const failure of failures) console.log(`failed: ${failure}`);
    for (const line of summary) console.log(`# ${line}`);
    if (failures.length > 0) process.exitCode = 1;
  })
  .resume();

/** Puts the places of the sources into a stack of calls. */
function inSources(/** @type {string} */ stack) {
  return stack.replace(
    /(?:file:\/\/)?(\/[^\s()]*\.test\/[^\s():]+\.js):(\d+):(\d+)/g,
    (place, output, line, column) => {
      const map = new SourceMap(JSON.parse(readFileSync(`${output}.map`, 'utf8')));
      const entry = map.findEntry(Number(line) - 1, Number(column) - 1);
      if (!('originalSource' in entry)) return place;
      const source = relative('.', fileURLToPath(new URL(entry.originalSource, pathToFileURL(output))));
      return `${source}:${entry.originalLine + 1}:${entry.originalColumn + 1}`;
    },
  );
}
