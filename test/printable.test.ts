import assert from 'node:assert/strict';
import { test } from 'node:test';
import { healthOf } from '../src/http/endpoints/health.ts';
import { CatalogError, formatReport, jsonReport } from '../src/live/report.ts';
import { nothingServed } from '../src/live/status.ts';
import { escapeInvisible, excerpt } from '../src/messages.ts';
import type { ReadHealth } from '../src/reads/counts.ts';
import { openServices } from '../src/services.ts';
import { settingsFrom } from '../src/settings/read.ts';
import { settingNames, settings } from '../src/settings/settings.ts';
import { type Files, shop, shopWith, sourceIn, writeFiles } from './support/catalogs.ts';
import { runCommand } from './support/command.ts';
import { startProcess } from './support/process.ts';
import { readFiles, readSource } from './support/read-source.ts';
import { converse } from './support/wire.ts';

/** Characters that rule a terminal, hide text or turn it around. */
const everything = [
  '\x07\b\x1b[31m\x1b]0;title\x07\x7f\x9b31m\x90\x9da\x85b',
  'a\u2028b\u2029c\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\u200e\u200f\u061c\ufeff\ufffe',
  'a\ud800b\udc00 a\u200b\u200c\u200d\u2060b\u{e0001}\u{e0041}\u{e007f}\ue000\u{10fffd}\u0378\u{50000}',
].join(' ');
const hostile = [everything, 'x'.repeat(10_000), '\u{1f600}'.repeat(10_000)];
/** As one can give it to a process. */
const wellFormed = everything.toWellFormed();

/** Asserts of each line that it shows all that is in it, and is short. */
function assertPrintable(text: string, what: string): void {
  for (const line of text.split('\n')) {
    const found = /[\p{C}\p{Zl}\p{Zp}]/u.exec(line)?.[0].codePointAt(0);
    assert.equal(found?.toString(16), undefined, `${what}: ${JSON.stringify(line.slice(0, 300))}`);
    assert.ok([...line].length < 1000, `${what}: ${[...line].length} characters`);
  }
}

/** Sets in which a text stands wherever one can. */
const places: Record<string, (text: string) => Files> = {
  'an image': text => ({ 'news.json': [newsItem({ img: text }), newsItem({ id: 2, img: `${text}.png` })] }),
  'a number in JSON': text => ({ 'news.json': [newsItem({ read: text })] }),
  'a time in JSON': text => ({ 'news.json': [newsItem({ create_time: text })] }),
  'a key': text => ({ 'news.json': [newsItem({ [text]: 1 })] }),
  'a key that stands twice': text => ({
    'products.json': `[{${`${JSON.stringify(text)}: 1,`.repeat(2)} "id": 1, "name": "A"}]`,
  }),
  'a number in CSV': text => ({
    'prices.csv': `id,product_id,rel_id,duration_id,price\n1,1,11,1,"${text}"\n`,
  }),
  'a header': text => ({ 'products.csv': `id,name,"${text}","${text}"\n1,A,,\n` }),
  'what is no JSON': text => ({ 'products.json': text }),
};

function newsItem(more: object) {
  return { id: 1, title: 'A', content: 'B', create_time: 1_700_000_001, ...more };
}

const reads: ReadHealth = { store: 'file', unsaved: 0, lastFlush: undefined, counted: 0, reasons: [] };

test('invisible characters are escaped, and a quote has at most 40 characters', () => {
  assertPrintable(escapeInvisible(everything), 'all of them');
  for (const length of [40, 41])
    assert.equal(excerpt('x'.repeat(length)), `${'x'.repeat(40)}${length > 40 ? '…' : ''}`);
});

test('problems are printable, whatever is in the files: in reports, in JSON and in health', async () => {
  for (const [place, files] of Object.entries(places)) {
    for (const text of hostile) {
      const { report } = await readFiles(shopWith(files(text)));
      assert.ok(report.problems.length > 0, place);
      const attempt = { outcome: 'failed', time: 0, report } as const;
      const shown = [
        formatReport(report),
        new CatalogError(report).message,
        JSON.stringify(jsonReport(report), null, 2),
        JSON.stringify(healthOf({ ...nothingServed, attempt }, reads, 0), null, 2),
      ];
      for (const text of shown) assertPrintable(text, place);
    }
  }
});

test('messages about a directory, a setting and unsaved reads are printable', async () => {
  for (const text of hostile) {
    const { report } = await readSource(sourceIn(`/nowhere/${text}`));
    assertPrintable(`${formatReport(report)}\n${JSON.stringify(jsonReport(report), null, 2)}`, 'a directory');
    const reasons = [`it cannot be saved: ${text}`];
    assertPrintable(JSON.stringify(healthOf(nothingServed, { ...reads, reasons }, 0), null, 2), 'reads');
    for (const name of settingNames) {
      if (/^(text|a path)$/.test(settings[name].expected)) continue;
      assert.throws(
        () => settingsFrom({ [name]: text }),
        (error: Error) => {
          assertPrintable(error.message, name);
          return error.message.startsWith(`${name}: expected ${settings[name].expected}`);
        },
      );
    }
  }
});

test('messages about a state file in the log of a host are printable', async t => {
  const counts = JSON.stringify({ format: 1, counts: { [everything]: everything } });
  const dir = await writeFiles(t, {
    ...shop,
    'read-counts.json': counts,
    'read-counts.json.prev': everything,
  });
  const lines: string[] = [];
  const log = (first: object | string, message?: string) => lines.push(message ?? String(first));
  const options = { catalogDir: dir, imagesDir: dir, stateDir: dir };
  const services = await openServices(settingsFrom(options), { info: log, warn: log, error: log });
  await services.close();
  assert.equal(lines.filter(line => line.includes(' is broken ')).length, 2);
  for (const line of lines) assertPrintable(line, 'the log');
});

test('commands print only printable text', async t => {
  const STATE_DIR = await writeFiles(t, {});
  for (const [args, env, input] of [
    [[wellFormed], {}, ''],
    [[`--${wellFormed}`], {}, ''],
    [[], { PORT: wellFormed }, ''],
    [['counts', 'import', wellFormed], {}, ''],
    [['counts', 'import', '-'], {}, JSON.stringify({ [everything]: 1 })],
    [['counts', 'import', '-'], {}, JSON.stringify({ 1: everything })],
    [['counts', 'import', '-'], {}, wellFormed],
  ] as [string[], Record<string, string>, string][]) {
    const { code, stdout, stderr } = await runCommand(args, { STATE_DIR, ...env }, input);
    assert.ok(code === 1 || code === 2, stderr);
    assert.equal(stdout, '');
    assert.notEqual(stderr, '');
    assertPrintable(stderr, 'a command');
  }
});

test('the log of a process is JSON without terminal control characters, whatever clients and files contain', async t => {
  const dir = await writeFiles(t, {
    ...shopWith({ 'news.json': [newsItem({ img: '\x9b31m\u202e.png' })] }),
    'read-counts.json': everything,
  });
  const at = ['--port', '0', '--catalog-dir', dir, '--state-dir', dir, '--log-level', 'debug'];
  const { child, exit, listening } = startProcess(t, at);
  const address = await listening();
  // HTTP takes these bytes for ISO 8859-1.
  const requests = ['/health', '/\x9b31m'].map(path => `GET ${path} HTTP/1.1\r\nHost: \x9b31m\x85\r\n\r\n`);
  await converse(Number(new URL(address).port), Buffer.from(requests.join(''), 'latin1'));
  child.kill('SIGTERM');
  const { stdout } = await exit;
  const lines = stdout.trimEnd().split('\n');
  const entries: Record<string, unknown>[] = lines.map(line => JSON.parse(line));
  for (const { level, time, pid } of entries) {
    assert.ok(Number(level) >= 20 && Number(time) > 0);
    assert.equal(pid, child.pid);
  }
  const messages = entries.map(({ msg }) => msg);
  for (const message of [`listening on ${address}`, 'incoming request', 'stopping on SIGTERM'])
    assert.ok(messages.includes(message), message);
  assertPrintable(lines.join('\n'), 'the log');
  assert.ok(lines.some(line => line.includes('\\u009b31m')));
});
