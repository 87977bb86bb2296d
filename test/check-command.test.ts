import assert from 'node:assert/strict';
import { createServer, type RequestListener } from 'node:http';
import { type TestContext, test } from 'node:test';
import { type Files, priced, shop, shopWith, writeFiles } from './support/catalogs.ts';
import { runCommand } from './support/command.ts';
import { previewToken, startService } from './support/service.ts';
import { listen } from './support/wire.ts';

async function check(t: TestContext, files: Files, ...args: string[]) {
  const dir = await writeFiles(t, files);
  return runCommand(['check', dir, '--images-dir', dir, ...args]);
}

test('check reports the same as a start, and serves nothing', async t => {
  const fine = await check(t, shop, '--strict');
  assert.equal(fine.code, 0);
  assert.match(
    fine.stdout,
    /^products\.json +3 rows {2}utf-8\nconfigurations\.csv +5 rows {2}utf-8, commas\n[^:]*\nnews\.json:7:\d+: warning NO_IMAGE .*\nok: version [0-9a-f]{12}, 0 errors, 1 warning in 6 files with 28 rows\n$/,
  );
  const broken = await check(t, shopWith({ 'products.json': '[{"id": 1}]' }));
  assert.equal(broken.code, 1);
  assert.equal(broken.stderr, '');
  assert.match(broken.stdout, /\nproducts\.json:1:2: error MISSING_VALUE name is missing: write text in /);
});

test('check --json prints the report for programs', async t => {
  const types = '[{"id": 1, "name": "A"}, {"id": 1, "name": "B"}]';
  const { code, stdout } = await check(t, shopWith({ 'news_types.json': types }), '--json');
  assert.equal(code, 1);
  const { ok, version, files, problems } = JSON.parse(stdout);
  assert.deepEqual({ ok, version }, { ok: false, version: null });
  assert.deepEqual(files.slice(0, 2), [
    { catalog: 'products', file: 'products.json', rows: 3, encoding: 'utf-8' },
    { catalog: 'configurations', file: 'configurations.csv', rows: 5, encoding: 'utf-8', delimiter: ',' },
  ]);
  assert.deepEqual(problems[0], {
    severity: 'error',
    code: 'DUPLICATE_ID',
    file: 'news_types.json',
    line: 1,
    column: 33,
    heading: 'id',
    message: 'id 1 is already used at news_types.json:1:9: give each row its own id',
    also: { file: 'news_types.json', line: 1, column: 9, heading: 'id' },
  });
});

test('check --all lists every problem, where check shows equal ones as one', async t => {
  const prices = `id,product_id,rel_id,duration_id,price\n${[1, 2, 3].map(id => `${id},1,11,${id},x\n`).join('')}`;
  const message = (row: number) =>
    `prices.csv:${row}:10: error BAD_NUMBER E${row}, price "x" is not a number: write a plain number such as 12.50, or delete the row if there is no price`;
  for (const [flags, lines] of [
    [[], [`${message(2)} (3 cells: E2, E3, E4)`]],
    [['--all'], [message(2), message(3), message(4)]],
  ] as const) {
    const { stdout } = await check(t, shopWith({ 'prices.csv': prices }), ...flags);
    assert.deepEqual(stdout.match(/^.* BAD_NUMBER .*$/gm), lines);
  }
});

test('check --against says what would happen to the files of a directory', async t => {
  const { app } = await startService(t, shop, { basePath: '/shop', previewToken });
  const url = `${await app.listen({ port: 0 })}/shop`;
  for (const [files, line, code] of [
    [shopWith(priced('18.99')), 'These files would go live: 1 price changed.', 0],
    [shopWith(priced('"18,99"')), 'These files would be refused: 1 error.', 1],
  ] as const) {
    const exit = await check(t, files, '--against', `${url}/`, '--preview-token', previewToken);
    assert.equal(exit.code, code, exit.stdout + exit.stderr);
    assert.equal(exit.stdout.trimEnd().split('\n').at(-1), line);
  }
  // A missing file is a deletion, and files that are not read are named.
  const others = { 'angebot.docx': 'x', 'Preise.csv': String(shop['prices.csv']) };
  const without = { ...shopWith({ 'news.json': null }), ...others };
  const held = await check(t, without, '--against', url, '--preview-token', previewToken);
  assert.equal(held.code, 0);
  assert.match(held.stdout, /^Preise\.csv: warning NOT_READ /m);
  assert.match(held.stdout, /^angebot\.docx: this file is not read: /m);
  assert.match(held.stdout, /\nNot read: 2 files\. .* would be held back: news\.json is gone: .*\n$/);
  const args = ['--json', '--against', url, '--preview-token', previewToken];
  const item = '---\ncreate_time: 2024-05-01\n---\n# Title\n\nText\n';
  const { stdout } = await check(t, shopWith({ ...priced('18.99'), 'news/7-a.md': item }), ...args);
  const { outcome, changes } = JSON.parse(stdout);
  assert.deepEqual([outcome, changes.list.length], ['loaded', 2]);
});

/** Answers everything with this text. */
function answerAll(t: TestContext, text: string): Promise<string> {
  const answer: RequestListener = (request, response) => request.resume().on('end', () => response.end(text));
  return listen(t, createServer(answer));
}

test('a service that cannot be asked is one sentence', async t => {
  const { app } = await startService(t, shop, { previewToken });
  const service = await app.listen({ port: 0 });
  const older = '{"success":true,"data":{"verdict":"These","problems":[]}}';
  const isNone = /: it is not a Vitrine service\n$/;
  for (const [url, token, code, sentence] of [
    ['http://127.0.0.1:1', previewToken, 1, /^cannot check against http:\/\/127\.0\.0\.1:1: \S.*\n$/],
    [await answerAll(t, '<html>'), previewToken, 1, isNone],
    [await answerAll(t, '{"success":true,"data":{}}'), previewToken, 1, isNone],
    [await answerAll(t, older), previewToken, 1, /: it is older than this command, and compares no whole f/],
    [service, `${previewToken}x`, 1, /: it has another token, or none\n$/],
    [service, '', 2, /^--against needs the token of the service: set --preview-token\n/],
    ['shop', previewToken, 2, /^--against: expected .*, got "shop"\n/],
  ] as const) {
    const exit = await check(t, shop, '--against', url, '--preview-token', token);
    assert.equal(exit.code, code, url);
    assert.match(exit.stderr, sentence);
  }
});
