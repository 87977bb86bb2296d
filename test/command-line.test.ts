import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { chdir, cwd } from 'node:process';
import { type TestContext, test } from 'node:test';
import { runInNewContext } from 'node:vm';
import type { Call } from '../src/commands/call.ts';
import { commands, requireDirectory } from '../src/commands/commands.ts';
import { commandHelp, helpText, usageOf } from '../src/commands/help.ts';
import { nameFor } from '../src/process/command-name.ts';
import { UsageError } from '../src/settings/read.ts';
import { headings } from '../src/settings/settings.ts';
import { afterTest } from './support/after-test.ts';
import { type Files, writeFiles } from './support/catalogs.ts';
import { runCommand } from './support/command.ts';
import { root } from './support/package.ts';
import { newShop } from './support/process.ts';
import { startService } from './support/service.ts';
import { skipWithoutBuild } from './support/skipping.ts';

const manifest = JSON.parse(readFileSync(`${root}/package.json`, 'utf8'));

const printed: [args: string[], stdout: string][] = [
  [['--help'], helpText()],
  [['-h'], helpText()],
  [['help'], helpText()],
  [['help', 'help'], helpText()],
  [['--version'], `${manifest.version}\n`],
  [['-v'], `${manifest.version}\n`],
  [['version'], `${manifest.version}\n`],
  ...Object.keys(commands).flatMap((name): [string[], string][] => [
    [[...name.split(' '), '--help'], commandHelp([name])],
    [['help', ...name.split(' ')], commandHelp([name])],
  ]),
  [['counts', '-h'], commandHelp(['counts export', 'counts import', 'counts set'])],
  [['./shop', '--help'], commandHelp(['serve'])],
  [['check', 'shop', '--json', '--help'], commandHelp(['check'])],
];
test('help and the version are printed for each way of asking', async () => {
  for (const [args, stdout] of printed)
    assert.deepEqual(await runCommand(args), { stdout, stderr: '', code: 0 }, args.join(' '));
});

test('the help has every setting under a heading, and of each command its usage, arguments and flags, in 80 columns', () => {
  for (const heading of Object.values(headings)) assert.ok(helpText().includes(`\n${heading}:\n`), heading);
  for (const text of ['vitrine check [DIR]', '--port NUMBER', '(default 3000)', '  --rate-limit '])
    assert.ok(helpText().includes(text), text);
  const isShort = (line: string) => assert.ok(line.length <= 80, line);
  helpText().split('\n').forEach(isShort);
  for (const [name, { args = {}, flags = {} }] of Object.entries(commands)) {
    const lines = commandHelp([name]).split('\n');
    lines.forEach(isShort);
    assert.equal(lines[0], usageOf(name));
    const explains = (head: string) => lines.some(line => line.startsWith(`  ${head} `));
    for (const head of [...Object.keys(args), ...Object.keys(flags).map(flag => `--${flag}`)])
      assert.ok(explains(head), `${name} ${head}`);
  }
});

test('on a terminal, a command erases its progress before it prints, warns or fails', async t => {
  const dir = await writeFiles(t, { 'news.csv': 'id,title,content,create_time\n1,A,B,2024-01-01\n' });
  const run = (...args: string[]) => runCommand(args, {}, '', true);
  for (const args of [
    ['check', dir, '--images-dir', dir],
    ['export', dir, '--catalog-dir', dir],
    ['export', join(dir, 'new'), '--catalog-dir', dir, '--cors-origin', 'https://a.test,https://b.test'],
  ])
    assert.match((await run(...args)).stderr, /^(\r(reading|writing)[^\r\n]+|\r +\r([^\r]+\n)*)+$/, args[0]);
});

/** Makes a new folder with these files the working directory of the test. */
async function enter(t: TestContext, files: Files): Promise<string> {
  const [before, dir] = [cwd(), await writeFiles(t, files)];
  chdir(dir);
  afterTest(t, () => chdir(before));
  return dir;
}

const CHECK = 'wrong arguments: expected vitrine check [DIR] [--all] [--json] [--against URL]';
const SERVE = 'wrong arguments: expected vitrine [serve] [DIR]';
/** What is wrong with an environment and a command line, and the command whose help is named. */
const wrong: [env: Record<string, string>, args: string, sentence: string | RegExp, help?: string][] = [
  [{}, 'chekc', 'unknown command: chekc; did you mean check?'],
  [{}, 'help chekc', 'unknown command: chekc; did you mean check?'],
  [{}, 'hlep', 'unknown command: hlep; did you mean help?'],
  [{}, 'count export', 'unknown command: count; did you mean counts?'],
  [{}, 'deploy', 'unknown command: deploy; for a directory, write ./deploy'],
  [{}, 'toString', 'unknown command: toString; for a directory, write ./toString'],
  [{}, 'prices.csv', 'prices.csv is a file: name the directory that it is in', 'serve '],
  [{}, './prices.csv', './prices.csv is a file: name the directory that it is in', 'serve '],
  [{}, './new', './new does not exist: create it, or set CATALOG_DIR to wait for it', 'serve '],
  [{}, 'prices.csv/new', /^prices\.csv\/new does not exist: /, 'serve '],
  [{}, '--catalog-dir=', '--catalog-dir: expected a path, got ""'],
  [{}, '', 'unknown command: ; for a directory, write ./'],
  [{}, '--prot 3', 'unknown flag: --prot; did you mean --port?'],
  [{}, '--catalogdir=x', 'unknown flag: --catalogdir; did you mean --catalog-dir?'],
  [{}, '--colour', 'unknown flag: --colour'],
  [{}, '--port', "Option '--port <value>' argument missing"],
  [{}, '--strict=1', "Option '--strict' does not take an argument"],
  [{}, 'shop more', SERVE, 'serve '],
  [{}, '--json', SERVE],
  [{}, 'check one two', CHECK, 'check '],
  [{}, 'check --format csv', CHECK, 'check '],
  [{}, 'export', 'wrong arguments: expected vitrine export DIR [--without-single-prices]', 'export '],
  [{}, 'check --without-single-prices', CHECK, 'check '],
  [{}, 'rollback', 'wrong arguments: expected vitrine rollback VERSION', 'rollback '],
  [{}, 'counts set 1', 'wrong arguments: expected vitrine counts set ID N', 'counts set '],
  [{}, 'counts', /expected vitrine counts export or .* import FILE or vitrine counts set ID N\n/, 'counts '],
  [
    {},
    'shop --catalog-dir x',
    /^--catalog-dir: the directory shop is given as well; leave out one/,
    'serve ',
  ],
  [{}, '--port 70000', '--port: expected a whole number from 0 to 65535, got "70000"'],
  [{ PORT: '3e3' }, '--strict', 'PORT: expected a whole number from 0 to 65535, got "3e3"'],
  [{ STRICT: 'yes' }, '--port 1', 'STRICT: expected true, false, 1 or 0, got "yes"'],
  [{}, 'notify', 'notify: set CHAT_URL or WEBHOOK_URL', 'notify '],
  [
    { WEBHOOK_URL: 'https://a.test' },
    'notify',
    /^WEBHOOK_SECRET: WEBHOOK_URL needs it; expected /,
    'notify ',
  ],
  [{}, '--log-level loud', /^--log-level: expected trace, .* or silent, got "loud"\n/],
];
test('a mistake is named with what to write, and serves nothing', async t => {
  await enter(t, { 'prices.csv': '', 'shop/prices.csv': '', 'check/prices.csv': '' });
  for (const [env, words, sentence, help = ''] of wrong) {
    const { code, stdout, stderr } = await runCommand(words.split(' '), env);
    assert.deepEqual([code, stdout], [2, ''], words);
    const usage = `\nRun 'vitrine ${help}--help' for usage.\n`;
    if (typeof sentence === 'string') assert.equal(stderr, sentence + usage);
    else assert.match(stderr, sentence);
    assert.ok(stderr.endsWith(usage), stderr);
  }
});

test('a directory that does not exist is waited for if it was served before, or if systemd starts the service', async t => {
  const { catalogDir, stateDir } = await newShop(t);
  const { app } = await startService(t, {}, { catalogDir, stateDir, imagesDir: catalogDir });
  await app.close();
  await enter(t, {});
  const wait = async (dir: string, socket = '') => {
    process.env.NOTIFY_SOCKET = socket;
    await requireDirectory(dir, stateDir, assert.fail).finally(() => delete process.env.NOTIFY_SOCKET);
  };
  await assert.rejects(wait('new'), UsageError);
  await wait('new', '/run/systemd/notify');
  await wait(catalogDir);
  await rm(catalogDir, { recursive: true });
  await wait(catalogDir);
  await assert.rejects(wait(`${catalogDir}-new`), UsageError);
});

test('the first word is a directory if it has a slash, begins with a dot or is the name of one, but no command', async t => {
  const dir = await enter(t, { 'shop/a.txt': '', 'check/a.txt': '', 'chekc/a.txt': '' });
  const calls: unknown[] = [];
  for (const name of ['serve', 'check'])
    t.mock.method(commands[name] ?? assert.fail(), 'run', async ({ settings }: Call, dir?: string) => {
      const { catalogDir, stateDir } = settings(dir);
      calls.push([name, dir, catalogDir, stateDir]);
    });
  for (const [args, ...call] of [
    ['', 'serve', undefined, 'data/catalog', 'data/state'],
    ['shop', 'serve', 'shop', 'shop', 'shop-state'],
    ['serve new', 'serve', 'new', 'new', 'new-state'],
    ['new/catalog/', 'serve', 'new/catalog/', 'new/catalog/', 'new/state'],
    ['.', 'serve', '.', '.', `../${basename(dir)}-state`],
    ['chekc', 'serve', 'chekc', 'chekc', 'chekc-state'],
    ['./check', 'serve', './check', './check', 'check-state'],
    ['check shop', 'check', 'shop', 'shop', 'shop-state'],
  ] as const) {
    assert.equal((await runCommand(args.split(' ').filter(Boolean))).code, 0, args);
    assert.deepEqual(calls.pop(), call);
  }
});

test('messages name the program as it was started', () => {
  for (const [npm_lifecycle_event, npm_package_name, name] of [
    ['', '', 'vitrine'],
    ['start', 'vitrine', 'npm start --'],
    ['start', 'my-shop', 'vitrine'],
    ['npx', 'my-shop', 'npx vitrine'],
  ] as const)
    assert.equal(nameFor({ npm_lifecycle_event, npm_package_name }), name);
});

const [, needed = ''] = /^>=(.*)$/.exec(manifest.engines.node) ?? assert.fail();
for (const path of ['src/process/old-node.cjs', 'dist/main.js']) {
  test(`${path} names an older Node before it does anything else, in words that such a Node can read`, {
    skip: path.startsWith('dist') && skipWithoutBuild(),
  }, () => {
    const code = readFileSync(`${root}/${path}`, 'utf8');
    assert.doesNotMatch(code, /\?\?|\?\.|^import /m);
    const outputOn = (node: string) => {
      const lines: unknown[] = [];
      const exit = (code: number) => {
        lines.push(code);
        throw new Error('the process ends');
      };
      const context = {
        console: { error: (line: string) => lines.push(line) },
        process: { versions: { node }, exit },
      };
      try {
        runInNewContext(code.replace(/^void import\(.*$/m, ''), context);
      } catch (error) {
        assert.match(String(error), /the process ends/);
      }
      return lines;
    };
    for (const version of ['10.24.1', '18.20.8', '20.19.5'])
      assert.deepEqual(outputOn(version), [
        `Vitrine needs Node.js ${needed} or newer; this is ${version}. Get a newer one from https://nodejs.org.`,
        1,
      ]);
    for (const version of [`${needed}.0`, '22.0.0']) assert.deepEqual(outputOn(version), []);
  });
}
