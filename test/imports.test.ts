import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

const SRC = fileURLToPath(new URL('../src', import.meta.url));

/** The rooms of the source, a folder or a file at the top each. A room imports only rooms above it. */
const rooms = [
  ...['package-version', 'clock', 'messages', 'errors', 'time-zone', 'files', 'settings', 'contract'],
  ...['formats', 'set', 'history', 'snapshot', 'reader', 'live'],
  ...['query', 'webhook', 'reads', 'answer', 'http', 'services', 'app'],
  ...['export', 'client', 'page', 'process', 'index', 'serve', 'commands', 'main'],
];

/** Files about memory, signals, exit codes, the reader process, the holder of the lock, metrics of the process and ticks. */
const mayUseProcess =
  /^(commands|process)\/|^(settings\/parsers|main|index|reader\/(limits|reader-process|reader)|reads\/file\/lock|http\/server\/server)\.ts$/;

const files = readdirSync(SRC, { recursive: true, encoding: 'utf8' })
  .filter(name => /\.tsx?$/.test(name))
  .map(name => {
    const text = readFileSync(join(SRC, name), 'utf8');
    return { name, text, imports: importsOf(name, text) };
  });

/** The files of the source that one imports, types included, by their paths in `src`. */
function importsOf(name: string, text: string): string[] {
  const targets = text.matchAll(/(?:from|import)\s*\(?'(\.[^']+)'/g);
  return Array.from(targets, ([, target = '']) => join(dirname(name), target));
}

function roomOf(name: string): string {
  return name.replace(/\.tsx?$/, '').split('/')[0] ?? '';
}

/** A folder, or a file beside folders, which may import from them and be imported by them. */
function folderOf(name: string): string {
  const folder = dirname(name);
  const hasFolders = files.some(
    other => other.name.startsWith(`${folder}/`) && dirname(other.name) !== folder,
  );
  return folder === '.' || hasFolders ? name : folder;
}

/** Asserts that no way along imports, from one part to the next, ends where it began. */
function assertNoCircle(partOf: (name: string) => string): void {
  const seen = new Set<string>();
  const walk = (part: string, way: readonly string[]): void => {
    assert.ok(!way.includes(part), [...way, part].join(' imports '));
    if (seen.has(part)) return;
    seen.add(part);
    for (const { name, imports } of files)
      if (partOf(name) === part)
        for (const target of imports.map(partOf)) if (target !== part) walk(target, [...way, part]);
  };
  for (const { name } of files) walk(partOf(name), []);
}

test('a room imports only rooms above it in the table', () => {
  for (const { name, imports } of files) {
    const room = rooms.indexOf(roomOf(name));
    assert.notEqual(room, -1, `${name} is in no room`);
    for (const target of imports) {
      const above = rooms.indexOf(roomOf(target));
      assert.ok(above !== -1 && above <= room, `${name} imports ${target}`);
    }
  }
});

test('no file and no folder imports itself by way of others', () => {
  assertNoCircle(name => name);
  assertNoCircle(folderOf);
});

test('the client imports only types, so that it runs in a browser', () => {
  const { text = '' } = files.find(({ name }) => name === 'client.ts') ?? {};
  assert.deepEqual(text.match(/^import (?!type\b).*/gm), null);
});

test('only the HTTP side imports Fastify', () => {
  for (const { name, text } of files) {
    const hasFastify = /from '@?fastify\b/.test(text) || /declare module '@?fastify\b/.test(text);
    assert.ok(!hasFastify || /^(http\/|app\.ts|index\.ts)/.test(name), `${name} imports Fastify`);
  }
});

test('only the program touches the process', () => {
  for (const { name, text } of files) {
    const usesProcess = /\bprocess\.(?!ts\b)|'node:process'/.test(text);
    assert.ok(!usesProcess || mayUseProcess.test(name), `${name} touches the process`);
  }
});

test('an exported name names one thing: no other file declares it at its top', () => {
  const declaration =
    /^(export )?(?:declare )?(?:async )?(?:const|let|function\*?|class|interface|type) (\w+|[[{][^=]*(?=[\]}] = ))/gm;
  const found = new Map<string, { name: string; isExported: boolean }[]>();
  for (const { name, text } of files.filter(({ name }) => !/^(page\/|client\.ts$)/.test(name)))
    for (const [, exported, declared = ''] of text.matchAll(declaration))
      for (const [word] of declared.matchAll(/\w+(?!\w|:)/g))
        found.set(word, [...(found.get(word) ?? []), { name, isExported: exported !== undefined }]);
  for (const [word, places] of found) {
    const isOne = new Set(places.map(({ name }) => name)).size === 1;
    const isPrivate = !places.some(({ isExported }) => isExported);
    assert.ok(isOne || isPrivate, `${word} is declared in ${places.map(({ name }) => name).join(' and ')}`);
  }
});

test('no folder holds more than 12 files, and no file more than 400 lines', () => {
  for (const { name, text } of files) {
    const siblings = files.filter(other => dirname(other.name) === dirname(name));
    assert.ok(siblings.length <= 12, dirname(name));
    assert.ok(text.split('\n').length <= 401, name);
  }
});

test('the page imports only types and two rules of the contract from elsewhere, and makes no markup of texts', () => {
  for (const { name, text } of files.filter(({ name }) => roomOf(name) === 'page')) {
    const values = text.matchAll(/^import (?!type\b)[^;]*from '(\.[^']+)'/gm);
    for (const [, target = ''] of values)
      assert.match(
        join(dirname(name), target),
        /^(page\/|contract\/(html-elements|problems)\.ts$)/,
        `${name} imports ${target}`,
      );
    assert.doesNotMatch(
      text,
      /innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\b|\bnew Function\b|dangerously/i,
      name,
    );
  }
});

test('no module needs Intl while it is loaded, which would take 20 ms and 5 MB in each process', () => {
  for (const { name, text } of files)
    if (!name.startsWith('page/')) assert.doesNotMatch(text, /^(export )?const .*new Intl\./m, name);
});

test('no start and no reader loads the parsers of Markdown and workbooks before it needs them', () => {
  const seen = new Set<string>();
  const walk = (name: string) => {
    if (seen.has(name)) return;
    seen.add(name);
    const { text = '' } = files.find(file => file.name === name) ?? {};
    for (const [, target = ''] of text.matchAll(/^import (?!type\b)[^;]*?from '([^']+)';/gm)) {
      assert.doesNotMatch(target, /^(markdown-it|yaml|yauzl|saxes|fflate|ioredis)$/, name);
      if (target.startsWith('.')) walk(join(dirname(name), target));
    }
  };
  for (const name of ['commands/run.ts', 'serve.ts', 'app.ts', 'reader/reader.ts']) walk(name);
});
