import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { allowed } from './support/rooms.ts';

const SRC = fileURLToPath(new URL('../src', import.meta.url));

const mayImportFastify = /^(http|app|process|index)\b/;
/** Files about memory, signals, exit codes, the reader process, the holder of the lock, metrics of the process and ticks. */
const mayUseProcess = [
  'settings/parsers.ts',
  'main.ts',
  'commands/counts.ts',
  'commands/check.ts',
  'commands/commands.ts',
  'commands/control.ts',
  'commands/convert.ts',
  'commands/diff.ts',
  'commands/export.ts',
  'commands/history.ts',
  'commands/run.ts',
  'commands/template.ts',
  'process/command-name.ts',
  'process/warn.ts',
  'process/shutdown.ts',
  'process/stop-signals.ts',
  'process/close-on-signal.ts',
  'process/terminal.ts',
  'catalog/reader/reader-process.ts',
  'catalog/reader/collect-garbage.ts',
  'catalog/reader/reader.ts',
  'reads/file/lock.ts',
  'http/metrics/process-metrics.ts',
  'http/server/tick-class.ts',
];

const files = readdirSync(SRC, { recursive: true, encoding: 'utf8' })
  .filter(name => /\.tsx?$/.test(name))
  .map(name => ({ name, part: partOf(name), text: readFileSync(join(SRC, name), 'utf8') }));

function partOf(name: string): string {
  const [first = '', second = '', third] = name.replace(/\.tsx?$/, '').split('/');
  const isRoom =
    first === 'reads' ||
    (third !== undefined && ['catalog', 'http'].includes(first)) ||
    name.startsWith('page/checker/');
  return isRoom ? `${first}/${second}` : first;
}

function importsOf(text: string): string[] {
  return Array.from(text.matchAll(/(?:from|import)\s*\(?'([^']+)'/g), match => match[1] ?? '');
}

test('rooms import each other as the table says, and no more', () => {
  const imports: Record<string, string[]> = {};
  for (const { name, part, text } of files) {
    const rooms = importsOf(text)
      .filter(path => path.startsWith('.'))
      .map(path => partOf(relative(SRC, join(SRC, dirname(name), path))));
    imports[part] = [...new Set([...(imports[part] ?? []), ...rooms])].filter(room => room !== part).sort();
  }
  const sorted = Object.entries(allowed).map(([part, rooms]) => [part, rooms.toSorted()]);
  assert.deepEqual(imports, Object.fromEntries(sorted));
});

test('imports run one way', () => {
  const rooms = Object.keys(allowed);
  for (const [index, room] of rooms.entries()) {
    for (const imported of allowed[room] ?? [])
      assert.ok(rooms.indexOf(imported) < index, `${room} before ${imported}`);
  }
});

test('the client imports only types, so that it runs in a browser', () => {
  const { text = '' } = files.find(({ name }) => name === 'client.ts') ?? {};
  assert.deepEqual(text.match(/^import (?!type\b).*/gm), null);
});

test('only the HTTP side imports Fastify, and only main touches the process', () => {
  for (const { name, part, text } of files) {
    const fastify = importsOf(text).some(target => /^@?fastify\b/.test(target));
    assert.ok(!fastify || mayImportFastify.test(part), `${name} imports Fastify`);
    const usesProcess = /\bprocess\.(?!ts\b)|'node:process'/.test(text);
    assert.ok(!usesProcess || mayUseProcess.includes(name), `${name} touches the process`);
  }
});

test('no folder holds more than 12 files', () => {
  for (const { name } of files) {
    const siblings = readdirSync(join(SRC, dirname(name)), { withFileTypes: true });
    assert.ok(siblings.filter(entry => entry.isFile()).length <= 12, dirname(name));
  }
});

test('no file is longer than 400 lines', () => {
  for (const { name, text } of files) assert.ok(text.split('\n').length <= 400, name);
});

test('the page imports only types from elsewhere, and makes no markup of texts', () => {
  for (const { name, text } of files.filter(({ part }) => part === 'page')) {
    const values = text.matchAll(/^import (?!type\b)[^;]*from '(\.[^']+)'/gm);
    for (const [, target = ''] of values)
      assert.match(
        join(dirname(name), target),
        /^page\/(?!checker\/(?!open-checker))/,
        `${name} imports ${target}`,
      );
    assert.doesNotMatch(
      text,
      /innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\b|\bnew Function\b|dangerously/i,
      name,
    );
    assert.ok(text.split('\n').length <= 100 || name.startsWith('page/texts/'), name);
  }
});

test('no module needs Intl while it is loaded, which would take 20 ms and 5 MB in each process', () => {
  const atLoad = files
    .filter(({ name }) => !name.startsWith('page/'))
    .filter(({ text }) => /^(export )?const .*new Intl\./m.test(text));
  assert.deepEqual(
    atLoad.map(({ name }) => name),
    [],
  );
});
