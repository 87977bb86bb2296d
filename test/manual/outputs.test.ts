import assert from 'node:assert/strict';
import { cp, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import type { NewsListItem } from '../../src/contract/records.ts';
import { loadCatalog } from '../../src/live/readers.ts';
import { formatReport } from '../../src/live/report.ts';
import { settingsFrom } from '../../src/settings/read.ts';
import { sample, writeFiles } from '../support/catalogs.ts';
import { runCommand } from '../support/command.ts';
import { consoleOutputs } from '../support/manual.ts';
import { root } from '../support/package.ts';
import { commandLine, environment } from '../support/process.ts';
import { startProgram } from '../support/programs.ts';
import { startService } from '../support/service.ts';
import { skipWithout } from '../support/skipping.ts';
import { until } from '../support/until.ts';

type Ask = Awaited<ReturnType<typeof startService>>['ask'];
type Answer = Awaited<ReturnType<Ask>>;

/** What each pipe of the manual prints of an answer. */
const pipes: Record<string, (answer: Answer) => string> = {
  '': ({ text }) => text,
  ' | jq': ({ body }) => JSON.stringify(body, null, 2),
  " | jq '.data.read'": ({ data }) => String(data.read),
  " | jq -c '.data.list[] | [.id, .title, .read]'": ({ data }) =>
    data.list.map(({ id, title, read }: NewsListItem) => JSON.stringify([id, title, read])).join('\n'),
  " | jq -c '.data | .status, .catalogs.files[1], .last_attempt.outcome'": ({ data }) =>
    [data.status, data.catalogs.files[1], data.last_attempt.outcome]
      .map(value => JSON.stringify(value))
      .join('\n'),
};

const CURL = /^curl -s 'http:\/\/127\.0\.0\.1:3000([^']+)'(.*)$/;

for (const [page, count] of [
  ['README.md', 4],
  ['src/http/README.md', 1],
  ['scripts/deploy/README.md', 1],
] as const) {
  test(`every curl in ${page} prints the output below it`, async t => {
    const { ask } = await startService(t, {}, sample);
    let asked = 0;
    for (const [command, output] of consoleOutputs(page)) {
      // The price of one's own catalog has a test of its own.
      if (!command.startsWith('curl') || command.endsWith("jq '.data.price'")) continue;
      const [, url, pipe = ''] = CURL.exec(command) ?? assert.fail(command);
      const print = pipes[pipe] ?? assert.fail(pipe);
      const answer = await until(t, async () => {
        const answer = await ask(String(url));
        return url === '/health' && answer.data.status !== 'ok' ? undefined : answer; // While the disk is slow.
      });
      assert.equal(output, print(answer), command);
      asked += 1;
    }
    assert.equal(asked, count);
  });
}

test('a start on a terminal prints the summary of the README', { skip: skipWithout('script') }, async t => {
  const args = [...commandLine, '--port', '0', '--state-dir', await writeFiles(t, {})];
  const npm = { ...environment, npm_lifecycle_event: 'start', npm_package_name: 'vitrine' };
  // Not every shell gives way to its last command by itself, and one that stays ends by the ^C: with 130.
  const shell = `stty cols 80; exec ${[process.execPath, ...args].map(word => `'${word}'`).join(' ')}`;
  const terminal = ['script', '-qefc', shell, '/dev/null'];
  const { child, output, exit, says } = startProgram(t, terminal, { cwd: root, env: npm });
  await says(/catalog of your own/);
  child.stdin.write('\u0003');
  await exit;
  const [command, summary = ''] = consoleOutputs('README.md')[0] ?? [];
  assert.equal(command, 'npm start');
  const steady = (printed: string) =>
    printed.replace(/127\.0\.0\.1:\d+/g, 'HOST').replace(/\d\d:\d\d:\d\d/g, 'TIME');
  const text = output.stdout.replaceAll('\r\n', '\n').replace(/.*\r(?!\n)/g, '');
  assert.ok(steady(text).startsWith(`${steady(summary)}\n`), text);
});

test('the history of the sample catalogs is listed as in the guide for operators', async t => {
  const { app, settings } = await startService(t, {}, sample);
  await app.close();
  const { stdout } = await runCommand(['history', '--state-dir', settings.stateDir]);
  const outputs = new Map(consoleOutputs('scripts/deploy/README.md'));
  const time = /since \S+/;
  assert.equal(`${outputs.get('vitrine history')?.replace(time, '')}\n`, stdout.replace(time, ''));
});

test('checking the sample catalogs with the mistakes of the guide for editors prints its report', async t => {
  const dir = await writeFiles(t, {});
  const spoiled = { catalogDir: join(dir, 'catalog'), imagesDir: join(dir, 'images') };
  await cp(sample.catalogDir, spoiled.catalogDir, { recursive: true });
  const isKept = (path: string) => !path.endsWith('data-centre-hall.webp');
  await cp(sample.imagesDir, spoiled.imagesDir, { recursive: true, filter: isKept });
  const prices = join(spoiled.catalogDir, 'prices.csv');
  const lines = (await readFile(prices, 'utf8')).split('\n');
  lines[16] = String(lines[16]).replace(/[^,]+$/, '"1,928.50"');
  lines[30] = String(lines[30]).replace(/[^,]+$/, '"2,100.00"');
  lines[22] = String(lines[22]).replace(/^(\d+,\d+),\d+/, '$1,99');
  await writeFile(prices, lines.join('\n'));
  const { report } = await loadCatalog(settingsFrom(spoiled));
  const outputs = consoleOutputs('data/README.md');
  assert.deepEqual(outputs, [['vitrine check catalog --images-dir images', formatReport(report)]]);
});
