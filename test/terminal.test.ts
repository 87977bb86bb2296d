import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { openTerminalFormat } from '../src/process/terminal.ts';
import { openServices } from '../src/services.ts';
import { settingsFrom } from '../src/settings/read.ts';
import { shop, writeFiles } from './support/catalogs.ts';
import { commandLine, endWithTest, killGroup } from './support/process.ts';
import { skipWithout } from './support/skipping.ts';
import { until } from './support/until.ts';

const line = (entry: object) =>
  `${JSON.stringify({ level: 30, time: 1, pid: 1, hostname: 'h', ...entry })}\n`;

test('shows a log line as its message and details', () => {
  const format = openTerminalFormat();
  const cases: [entry: object, text: string][] = [
    [{ msg: 'stopping on SIGTERM' }, 'stopping on SIGTERM\n'],
    [
      { msg: 'catalogs loaded: 2 warnings', catalogDir: 'shop', problems: ['a', 'b'] },
      "shop: catalogs loaded: 2 warnings; run 'vitrine check' to see them\n",
    ],
    [
      {
        level: 40,
        msg: 'catalogs refused',
        catalogDir: 'shop',
        problems: ['news.csv:2:1: error X', 'and 3 more'],
      },
      'warning: shop: catalogs refused\n  news.csv:2:1: error X\n  and 3 more\n',
    ],
    [
      { level: 60, msg: 'stopping after an error', err: { message: 'm', stack: 'Error: m\n    at f' } },
      'fatal: stopping after an error\n  Error: m\n      at f\n',
    ],
    [{ msg: 'incoming request', req: { method: 'GET', url: '/' } }, 'incoming request: GET /\n'],
    [{ msg: 'request completed', res: { statusCode: 200 } }, 'request completed: 200\n'],
  ];
  for (const [entry, text] of cases) assert.equal(format(line(entry)), text);
});

test('the next line overwrites progress completely', () => {
  const format = openTerminalFormat();
  assert.equal(format(line({ msg: 'loading... 5 rows', isProgress: true })), 'loading... 5 rows');
  const blank = `\r${' '.repeat('loading... 5 rows'.length)}\r`;
  assert.equal(format(line({ msg: '6 rows', isProgress: true })), `${blank}6 rows`);
  assert.equal(format(line({ msg: 'done' })), '\r      \rdone\n');
  assert.equal(format(line({ msg: 'done' })), 'done\n');
});

test('escapes characters that control the terminal', () => {
  const msg = 'a\u001b[2Jb\nc\u202ed';
  assert.equal(openTerminalFormat()(line({ msg })), 'a\\u001b[2Jb\\u000ac\\u202ed\n');
  const problems = ['e\u009b'];
  assert.equal(openTerminalFormat()(line({ level: 50, msg: 'm', problems })), 'error: m\n  e\\u009b\n');
});

test('every log line of a service has its catalog directory', async t => {
  const lines: object[] = [];
  const info = (details: object) => lines.push(details);
  const dirs = [await writeFiles(t, shop), await writeFiles(t, shop)];
  for (const dir of dirs) {
    const settings = settingsFrom({ catalogDir: dir, imagesDir: dir, stateDir: join(dir, 'state') });
    const services = await openServices(settings, { info, warn: info, error: info });
    await services.close();
  }
  for (const dir of dirs)
    assert.ok(lines.some(details => 'catalogDir' in details && details.catalogDir === dir));
  assert.ok(lines.every(details => 'catalogDir' in details));
});

const skip = skipWithout('script');

/** Runs the service in a pseudo-terminal; what it writes has LF alone as its line end. */
function startInTerminal(t: TestContext, args: string[]) {
  // Not every shell gives way to its last command by itself, and one that stays ends by the ^C: with 130.
  const command = ['exec', ...[process.execPath, ...commandLine, ...args].map(word => `'${word}'`)].join(' ');
  const child = spawn('script', ['-qefc', command, '/dev/null'], { detached: true, stdio: 'pipe' });
  const exit = endWithTest(t, child, () => killGroup(child));
  let output = '';
  child.stdout.setEncoding('utf8').on('data', chunk => (output += chunk));
  const says = (pattern: RegExp) => until(t, async () => pattern.exec(output)?.[0]);
  const text = () => output.replaceAll('\r\n', '\n').replace(/.*\r(?!\n)/g, '');
  return { child, says, text, exit };
}

test('on a terminal, shows in words what is served and where', { skip }, async t => {
  const dir = await writeFiles(t, shop);
  const args = ['--port', '0', '--catalog-dir', dir, '--images-dir', dir, '--state-dir', join(dir, 'state')];
  const { child, says, text, exit } = startInTerminal(t, [...args, '--base-path', '/shop']);
  await says(/^docs {2}.*$/m);
  child.stdin.write('\u0003');
  assert.equal(await exit, 0);
  const address = /^listening on (http:\S+)$/m.exec(text())?.[1];
  assert.ok(address, text());
  for (const expected of [
    `${dir}: catalogs loaded: version`,
    "; run 'vitrine check' to see them",
    `\nserving ${dir}\n  products        3 rows\n`,
    '\n  prices          8 rows\n',
    `\nAPI   ${address}/shop/api\npage  ${address}/shop/\ndocs  ${address}/shop/docs\n`,
    'stopping on SIGINT\n',
  ]) {
    assert.ok(text().includes(expected), `${expected} is not in:\n${text()}`);
  }
  assert.doesNotMatch(text(), /^\{/m);
  assert.ok(!text().includes('\u001b'));
});

test('warns at once if the catalog directory does not exist', { skip }, async t => {
  const dir = join(await writeFiles(t, {}), 'later');
  const { says, child, exit } = startInTerminal(t, [
    '--port',
    '0',
    '--catalog-dir',
    dir,
    '--state-dir',
    `${dir}-state`,
  ]);
  await says(/^warning: .*later does not exist yet: create it, or set CATALOG_DIR/m);
  child.stdin.write('\u0003');
  await exit;
});
