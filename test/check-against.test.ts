import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type TestContext, test } from 'node:test';
import { afterTest } from './support/after-test.ts';
import { type Files, shop, shopWith, writeFiles } from './support/catalogs.ts';
import { runCommand } from './support/command.ts';
import { drastic, priced } from './support/http/histories.ts';
import { previewToken } from './support/http/previews.ts';
import { startService } from './support/service.ts';

async function check(t: TestContext, files: Files, ...args: string[]) {
  const dir = await writeFiles(t, files);
  return runCommand(['check', dir, ...args]);
}

test('check --against says what would happen to the files of a directory', async t => {
  const { listen } = await startService(t, shop, { basePath: '/shop', previewToken });
  const url = `http://127.0.0.1:${await listen()}/shop`;
  const text = '---\ncreate_time: 2024-05-01\n---\n# Title\n\nText\n';
  for (const [files, line, code] of [
    [shop, 'These files hold what is live already.', 0],
    [
      shopWith({ 'news/7-a.md': text }),
      'These files would go live: 1 news item added, column content_format of news new.',
      0,
    ],
    [drastic, 'These files would be held back: 6 of 7 prices would disappear: save the whole file again', 0],
    [priced('"18,99"'), 'These files would be refused: 1 error.', 1],
  ] as const) {
    const exit = await check(t, files, '--against', `${url}/`, '--preview-token', previewToken);
    assert.equal(exit.code, code, exit.stdout + exit.stderr);
    assert.equal(exit.stdout.trimEnd().split('\n').at(-1), line);
  }
  const args = ['--json', '--against', url, '--preview-token', previewToken];
  const { stdout } = await check(t, priced('18.99'), ...args);
  const { outcome, changes } = JSON.parse(stdout);
  assert.deepEqual(
    [outcome, changes.list[0].columns],
    ['loaded', [{ column: 'price', from: 19.99, to: 18.99, percent: -5 }]],
  );
});

/** Answers everything with this text. */
async function answerAll(t: TestContext, text: string): Promise<string> {
  const server = createServer((request, response) => request.resume().on('end', () => response.end(text)));
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  afterTest(t, () => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

test('a service that cannot be asked is one sentence', async t => {
  const { listen } = await startService(t, shop, { previewToken });
  const service = `http://127.0.0.1:${await listen()}`;
  for (const [url, token, code, sentence] of [
    ['http://127.0.0.1:1', previewToken, 1, /^cannot check against http:\/\/127\.0\.0\.1:1: \S.*\n$/],
    [await answerAll(t, '<html>'), previewToken, 1, /: it is not a Vitrine service\n$/],
    [await answerAll(t, '{"success":true,"data":{}}'), previewToken, 1, /: it is not a Vitrine service\n$/],
    [service, `${previewToken}x`, 1, /: it does not know this token, or has none\n$/],
    [service, '', 2, /^--against needs the token of the service: set --preview-token\n/],
    ['shop', previewToken, 2, /^--against: expected .*, got "shop"\n/],
  ] as const) {
    const exit = await check(t, shop, '--against', url, ...(token ? ['--preview-token', token] : []));
    assert.equal(exit.code, code, url);
    assert.match(exit.stderr, sentence);
  }
});
