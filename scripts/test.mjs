// Runs tests, says how far they are, and builds dist/ first if it is not up to date:
//
//   npm test             the tests that need nothing but this repository
//   npm run test:all     also those in *.all.test.ts: programs that are started, browsers, Redis, real waiting
//   npm test -- WORD...  the test files whose path contains one of the words
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { SourceMap } from 'node:module';
import { dirname, join, relative, resolve } from 'node:path';
import { run } from 'node:test';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { inspect } from 'node:util';
import { compileTests } from './compile-tests.mjs';
import { isStale } from './stale.mjs';

/** How many test files share a process. */
const GROUP = 8;
/** Test files that count their reader processes, or look at the first request of a process. */
const ALONE = ['test/live/load.test.ts', 'test/http/pages.test.ts'];

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
const groups = writeGroups();
/** @type {string[]} */
const failures = [];
/** What node:test says at the end. @type {string[]} */
const summary = [];
/** The compiled files of which a test has ended. */
const begun = new Set();
if (isQuick) process.env.TEST_QUICK = 'on';
// Node 22 and newer compile what test files share once.
process.env.NODE_COMPILE_CACHE ??= resolve('.test', 'compiled');

run({ files: [...groups.keys()], concurrency: 3, timeout: 600_000 })
  .on('test:complete', ({ name, file = '', details, skip }) => {
    const source = groups.get(file) ?? names.get(file) ?? relative('.', file);
    if (names.has(file) && !begun.has(file)) {
      begun.add(file);
      console.log(`${begun.size}/${files.length} ${source}`);
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

/**
 * Writes modules that import test files of one folder, so that these share a process: starting one, loading the service
 * and a reader, and compiling schemas takes it a second. Those that need a process of their own have one. Returns what
 * each module stands for.
 */
function writeGroups() {
  /** @type {Map<string, string[]>} */
  const outputs = new Map();
  for (const [file, output] of compiled) {
    const isAlone = file.endsWith('.all.test.ts') || ALONE.includes(file);
    const folder = isAlone ? file : dirname(file);
    outputs.set(folder, [...(outputs.get(folder) ?? []), output]);
  }
  /** @type {Map<string, string>} */
  const modules = new Map();
  for (const [folder, all] of outputs)
    for (let start = 0; start < all.length; start += GROUP) {
      const path = resolve('.test', `group-${modules.size}.js`);
      writeFileSync(
        path,
        all
          .slice(start, start + GROUP)
          .map(output => `import '${pathToFileURL(output)}';\n`)
          .join(''),
      );
      modules.set(path, folder);
    }
  return modules;
}

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
