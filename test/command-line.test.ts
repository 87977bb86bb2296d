import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { chdir } from 'node:process';
import { test } from 'node:test';
import { runInNewContext } from 'node:vm';
import { type Command, commands, type Given } from '../src/commands/commands.ts';
import { commandHelp, helpText, usageOf } from '../src/commands/help.ts';
import { runCommandLine } from '../src/commands/run.ts';
import { nameFor } from '../src/process/command-name.ts';
import { writeFiles } from './support/catalogs.ts';
import { root } from './support/package.ts';
import { skipWithoutBuild } from './support/skipping.ts';

const manifest = JSON.parse(readFileSync(`${root}/package.json`, 'utf8'));

/** What a command line prints by itself, before a command runs. */
async function outputOf(args: string[]) {
  const written = { stdout: '', stderr: '' };
  const surface = {
    stdout: { write: (text: string) => (written.stdout += text) },
    stderr: { write: (text: string) => (written.stderr += text) },
    env: {},
    exitCode: 0,
  };
  await runCommandLine(args, surface);
  return { ...written, code: surface.exitCode };
}

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
for (const [args, stdout] of printed) {
  test(`vitrine ${args.join(' ')} prints help or the version`, async () => {
    assert.deepEqual(await outputOf(args), { stdout, stderr: '', code: 0 });
  });
}

test('the help of a command has its usage, its arguments and its flags', () => {
  for (const [name, { args = {}, flags = {} }] of Object.entries(commands)) {
    const lines = commandHelp([name]).split('\n');
    assert.equal(lines[0], usageOf(name));
    for (const head of [...Object.keys(args), ...Object.keys(flags).map(flag => `--${flag}`)])
      assert.ok(
        lines.some(line => line.startsWith(`  ${head} `)),
        `${name} ${head}`,
      );
  }
});

const wrong: [args: string[], sentence: string, help?: string][] = [
  [['chekc'], 'unknown command: chekc; did you mean check?'],
  [['chekc', '--help'], 'unknown command: chekc; did you mean check?'],
  [['help', 'chekc'], 'unknown command: chekc; did you mean check?'],
  [['count', 'export'], 'unknown command: count; did you mean counts?'],
  [['hlep'], 'unknown command: hlep; did you mean help?'],
  [['deploy'], 'unknown command: deploy; for a directory that does not exist yet, write ./deploy'],
  [['prices.csv'], 'unknown command: prices.csv; prices.csv is a file: name the directory that it is in'],
  [['toString'], 'unknown command: toString; for a directory that does not exist yet, write ./toString'],
  [[''], 'unknown command: ; for a directory that does not exist yet, write ./'],
  [['--prot', '3'], 'unknown flag: --prot; did you mean --port?'],
  [['--catalogdir=x'], 'unknown flag: --catalogdir; did you mean --catalog-dir?'],
  [['--colour'], 'unknown flag: --colour'],
  [['-x'], 'unknown flag: -x'],
  [['shop', 'more'], 'wrong arguments: expected vitrine [serve] [DIR]', 'serve '],
  [['serve', 'shop', 'more'], 'wrong arguments: expected vitrine [serve] [DIR]', 'serve '],
  [['--json'], 'wrong arguments: expected vitrine [serve] [DIR]'],
  [
    ['check', 'one', 'two'],
    'wrong arguments: expected vitrine check [DIR] [--all] [--json] [--against URL]',
    'check ',
  ],
  [
    ['check', '--format', 'csv'],
    'wrong arguments: expected vitrine check [DIR] [--all] [--json] [--against URL]',
    'check ',
  ],
  [['rollback'], 'wrong arguments: expected vitrine rollback VERSION', 'rollback '],
  [['counts', 'set', '1'], 'wrong arguments: expected vitrine counts set ID N', 'counts set '],
  [
    ['counts'],
    'wrong arguments: expected vitrine counts export or vitrine counts import FILE or vitrine counts set ID N',
    'counts ',
  ],
  [
    ['shop', '--catalog-dir', 'other'],
    '--catalog-dir: expected no such flag beside the directory shop',
    'serve ',
  ],
];
test('a mistake is named with what to write, and serves nothing', async t => {
  chdir(await writeFiles(t, { 'prices.csv': '', 'shop/prices.csv': '', 'check/prices.csv': '' }));
  for (const [args, sentence, help = ''] of wrong) {
    const stderr = `${sentence}\nRun 'vitrine ${help}--help' for usage.\n`;
    assert.deepEqual(await outputOf(args), { stdout: '', stderr, code: 2 }, args.join(' '));
  }
});

test('the first word is a directory if it has a slash, begins with a point or is the name of one, but no command', async t => {
  const dir = await writeFiles(t, { 'shop/a.txt': '', 'check/a.txt': '', 'chekc/a.txt': '' });
  chdir(dir);
  const served: unknown[] = [];
  const noteServed: Command['run'] = async ({ settings }, dir) => {
    const { catalogDir, stateDir } = settings(dir);
    served.push([dir, catalogDir, stateDir]);
  };
  t.mock.method(commands.serve ?? assert.fail(), 'run', noteServed);
  t.mock.method(commands.check ?? assert.fail(), 'run', async (_given: Given, dir?: string) => {
    served.push(['check', dir]);
  });
  for (const args of [
    ...[
      [],
      ['shop'],
      ['serve', 'new'],
      ['./new'],
      ['new/catalog/'],
      ['.'],
      ['chekc'],
      ['check'],
      ['./check'],
    ],
    ['check', 'shop'],
  ])
    assert.equal((await outputOf(args)).code, 0, args.join(' '));
  assert.deepEqual(served, [
    [undefined, 'data/catalog', 'data/state'],
    ['shop', 'shop', 'shop-state'],
    ['new', 'new', 'new-state'],
    ['./new', './new', 'new-state'],
    ['new/catalog/', 'new/catalog/', 'new/state'],
    ['.', '.', `../${basename(dir)}-state`],
    ['chekc', 'chekc', 'chekc-state'],
    ['check', undefined],
    ['./check', './check', 'check-state'],
    ['check', 'shop'],
  ]);
});

test('messages name the program as it was started', () => {
  const cases: [environment: Record<string, string>, name: string][] = [
    [{}, 'vitrine'],
    [{ npm_lifecycle_event: 'start', npm_package_name: 'vitrine' }, 'npm start --'],
    [{ npm_lifecycle_event: 'start', npm_package_name: 'my-shop' }, 'vitrine'],
    [{ npm_lifecycle_event: 'npx', npm_package_name: 'my-shop' }, 'npx vitrine'],
  ];
  for (const [environment, name] of cases) assert.equal(nameFor(environment), name);
});

const [, needed = ''] = /^>=(.*)$/.exec(manifest.engines.node) ?? assert.fail();
const versions: [version: string, isOld: boolean][] = [
  ['10.24.1', true],
  ['18.20.8', true],
  ['20.19.5', true],
  [`${needed}.0`, false],
  ['22.0.0', false],
];
for (const path of ['src/process/old-node.cjs', 'dist/main.js']) {
  test(`${path} names an older Node before it does anything else, in words that such a Node can read`, {
    skip: path.startsWith('dist') && skipWithoutBuild(),
  }, () => {
    const code = readFileSync(`${root}/${path}`, 'utf8');
    for (const [version, isOld] of versions) {
      const lines: string[] = [];
      const stop = new Error('the process exits');
      const run = () =>
        runInNewContext(code.replace(/^void import\(.*$/m, ''), {
          console: { error: (line: string) => lines.push(line) },
          process: {
            versions: { node: version },
            argv: [],
            exit(code: number) {
              assert.equal(code, 1);
              throw stop;
            },
          },
        });
      if (isOld) assert.throws(run, stop);
      else run();
      const sentence = `Vitrine needs Node.js ${needed} or newer; this is ${version}. Get a newer one from https://nodejs.org.`;
      assert.deepEqual(lines, isOld ? [sentence] : [], version);
    }
    assert.doesNotMatch(code, /\?\?|\?\.|^import /m);
  });
}
