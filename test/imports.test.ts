import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

const SRC = fileURLToPath(new URL('../src', import.meta.url));

/** What each part of the source may import, itself aside. Imports run one way. */
const allowed: Record<string, string[]> = {
  errors: [],
  'package-version': [],
  forms: [],
  settings: ['forms'],
  help: ['settings'],
  catalog: [],
  reads: [],
  query: ['catalog'],
  http: ['catalog', 'query', 'reads', 'errors', 'package-version', 'settings'],
  parts: ['catalog', 'reads', 'settings'],
  app: ['catalog', 'http', 'errors', 'parts', 'settings'],
  client: ['catalog', 'query', 'errors'],
  index: ['catalog', 'query', 'http', 'errors', 'app', 'parts', 'settings'],
  serve: ['catalog', 'app', 'parts', 'settings'],
  main: ['catalog', 'reads', 'help', 'package-version', 'serve', 'settings'],
};
const mayImportFastify = ['http', 'app', 'index'];
/** The lock tells who holds it, the class of ticks is that of `process.nextTick`, and metrics are about the process. */
const mayUseProcess = [
  'main.ts',
  'reads/state/lock.ts',
  'http/tick-class.ts',
  'http/metrics/process-metrics.ts',
];

const files = readdirSync(SRC, { recursive: true, encoding: 'utf8' })
  .filter(name => name.endsWith('.ts'))
  .map(name => ({ name, part: partOf(name), text: readFileSync(join(SRC, name), 'utf8') }));

function partOf(name: string): string {
  return name.split('/')[0]?.replace(/\.ts$/, '') ?? '';
}

function importsOf(text: string): string[] {
  return Array.from(text.matchAll(/(?:from|import)\s*\(?'([^']+)'/g), match => match[1] ?? '');
}

test('the tree is that of the design', () => {
  assert.deepEqual([...new Set(files.map(({ part }) => part))].sort(), Object.keys(allowed).sort());
});

test('imports run one way: catalog and reads know nobody, query knows catalog, http knows them all', () => {
  for (const { name, part, text } of files) {
    for (const target of importsOf(text).filter(path => path.startsWith('.'))) {
      const imported = partOf(relative(SRC, join(SRC, dirname(name), target)));
      assert.ok(imported === part || allowed[part]?.includes(imported), `${name} imports ${target}`);
    }
  }
});

test('the client imports types alone, so that it runs in a browser', () => {
  const { text = '' } = files.find(({ name }) => name === 'client.ts') ?? {};
  assert.deepEqual(text.match(/^import (?!type\b).*/gm), null);
});

test('only the HTTP side knows Fastify, and only main does anything with the process', () => {
  for (const { name, part, text } of files) {
    const fastify = importsOf(text).some(target => /^@?fastify\b/.test(target));
    assert.ok(!fastify || mayImportFastify.includes(part), `${name} imports Fastify`);
    const usesProcess = /\bprocess\.|'node:process'/.test(text);
    assert.ok(!usesProcess || mayUseProcess.includes(name), `${name} touches the process`);
  }
});

test('no file is longer than 250 lines', () => {
  for (const { name, text } of files) assert.ok(text.split('\n').length <= 250, name);
});

test('the page is made of its own files, and knows the rest of the source by its types alone', () => {
  const page = readdirSync(join(SRC, 'page')).filter(name => name.endsWith('.js'));
  for (const name of page) {
    const text = readFileSync(join(SRC, 'page', name), 'utf8');
    const code = text.replace(/\/\*\*[\s\S]*?\*\//g, '');
    for (const target of importsOf(code))
      assert.ok(page.includes(target.replace('./', '')), `${name} imports ${target}`);
    assert.doesNotMatch(
      code,
      /innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\b|\bnew Function\b/,
      name,
    );
    assert.ok(text.split('\n').length <= 100, name);
  }
});
