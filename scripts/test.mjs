// Runs tests, and builds dist/ first if it is not up to date:
//
//   npm test             the tests that need nothing but this repository
//   npm run test:all     also those in *.all.test.ts: programs that are started, browsers, Redis, real waiting
//   npm test -- WORD...  the test files whose path contains one of the words
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { SourceMap } from 'node:module';
import { dirname, join, relative, resolve } from 'node:path';
import { run } from 'node:test';
import { spec } from 'node:test/reporters';
import { fileURLToPath, pathToFileURL } from 'node:url';
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

if (isStale()) {
  console.log('building dist/');
  execFileSync(process.execPath, ['scripts/build.mjs'], { stdio: 'inherit' });
}
// For coverage, c8 sets this variable.
const compiled = await compileTests(files, process.env.NODE_V8_COVERAGE !== undefined);
if (isQuick) process.env.TEST_QUICK = 'on';
// Node 22 and newer compile what test files share once.
process.env.NODE_COMPILE_CACHE ??= resolve('.test', 'compiled');

const tests = run({ files: writeGroups(), concurrency: 3, timeout: 600_000 });
tests.on('test:fail', () => (process.exitCode = 1));
tests.on('test:stderr', ({ message }) => process.stderr.write(message));
tests.compose(new spec()).compose(inSources).pipe(process.stdout);

/**
 * Writes modules that import test files of one folder, so that these share a process: starting one, loading the service
 * and a reader, and compiling schemas takes it a second. Those that need a process of their own have one.
 */
function writeGroups() {
  /** @type {Map<string, string[]>} */
  const folders = new Map();
  for (const [file, output] of compiled) {
    const isAlone = file.endsWith('.all.test.ts') || ALONE.includes(file);
    const folder = isAlone ? file : dirname(file);
    folders.set(folder, [...(folders.get(folder) ?? []), `import '${pathToFileURL(output)}';\n`]);
  }
  /** @type {string[]} */
  const groups = [];
  for (const imports of folders.values())
    for (let start = 0; start < imports.length; start += GROUP) {
      groups.push(resolve('.test', `group-${groups.length}.js`));
      writeFileSync(groups.at(-1) ?? '', imports.slice(start, start + GROUP).join(''));
    }
  return groups;
}

/** Puts the places of the sources in place of those of compiled files. */
async function* inSources(/** @type {AsyncIterable<unknown>} */ output) {
  for await (const chunk of output)
    yield String(chunk).replace(
      /(?:file:\/\/)?([^\s()]*\.test\/[^\s():]+\.js):(\d+):(\d+)/g,
      (place, file, line, column) => {
        const path = resolve(file);
        if (!existsSync(`${path}.map`)) return place;
        const map = new SourceMap(JSON.parse(readFileSync(`${path}.map`, 'utf8')));
        const entry = map.findEntry(Number(line) - 1, Number(column) - 1);
        if (!('originalSource' in entry)) return place;
        const source = relative('.', fileURLToPath(new URL(entry.originalSource, pathToFileURL(path))));
        return `${source}:${entry.originalLine + 1}:${entry.originalColumn + 1}`;
      },
    );
}
