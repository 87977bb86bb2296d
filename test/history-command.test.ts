import assert from 'node:assert/strict';
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { systemFs } from '../src/files/atomic-write.ts';
import { keepAndPrune, setOf, UNBOUNDED } from './support/catalog/history.ts';
import { writeFiles, writeInto } from './support/catalogs.ts';
import { runCommand } from './support/command.ts';

const [older, newest] = [setOf({ 'products.json': 'one' }, 0), setOf({ 'products.json': 'two' }, 1)];
const [one, two] = [older.entry.version, newest.entry.version];
const held = 'abcdef012345';

test('history, rollback, unpin and publish read and write what the service watches', async t => {
  const [catalogDir, stateDir] = [await writeFiles(t, {}), await writeFiles(t, {})];
  const history = join(stateDir, 'history');
  /** Asserts of a command what it prints; or, if it fails, its sentence. */
  const says = async (command: string, expected: string, fails = false) => {
    const dirs = ['--catalog-dir', catalogDir, '--state-dir', stateDir];
    const { code, stdout, stderr } = await runCommand([...command.split(' '), ...dirs]);
    assert.deepEqual([code, stdout, stderr], fails ? [1, '', expected] : [0, expected, ''], command);
  };
  const controlFile = (name: string) => readFile(join(history, name), 'utf8');

  await says('history', `no set has been served with ${history} yet\n`);
  const none = 'version abcdef is not in the history: no set has been served with this STATE_DIR yet\n';
  await says('rollback abcdef', none, true);
  for (const set of [older, { ...newest, entry: { ...newest.entry, summary: '1 price changed' } }])
    await keepAndPrune(systemFs, set, UNBOUNDED, assert.fail, history);
  const listed = (state: string, others: string) =>
    `${two}  ${state.padEnd(6)}  since 1970-01-01T00:00:01Z  1 row  1 price changed\n${one}  ${others.padEnd(6)}  since 1970-01-01T00:00:00Z  1 row\n`;
  await says('history', listed('served', ''));

  const typo = `${one.slice(0, 11)}${one.endsWith('0') ? 1 : 0}`;
  await says(`rollback ${typo}`, `version ${typo} is not in the history: did you mean ${one}?\n`, true);
  const command = `vitrine unpin --catalog-dir ${catalogDir} --state-dir ${stateDir}`;
  const pinned = `version ${one} is pinned: the service serves it, and nothing else until you run '${command}'\n`;
  await says(`rollback ${one.slice(0, 6)}`, pinned);
  assert.equal(await controlFile('pin'), `${one}\n`);
  await says('history', listed('served', 'pinned'));
  await says('unpin', 'nothing is pinned now: the service loads the catalog files again\n');
  await says('unpin', 'nothing is pinned\n');
  await writeInto(catalogDir, { pin: one });
  const still = `${catalogDir}/pin still pins version ${one}, for every service of these catalogs: delete that file\n`;
  await says('unpin', still, true);
  await writeInto(catalogDir, { pin: '' });
  await says('history', listed('pinned', ''));
  await rm(join(catalogDir, 'pin'));

  await says(`publish ${held}`, 'no version is held back\n', true);
  await writeInto(history, { held: `${held}\n` });
  const confirm = `vitrine publish ${held} --catalog-dir ${catalogDir} --state-dir ${stateDir}`;
  await says('history', `${held}  held back; to let it go live: ${confirm}\n${listed('served', '')}`);
  await says('publish 012345', `version 012345 is not held back, but ${held} is\n`, true);
  await says(`publish ${held.slice(0, 6)}`, `version ${held} is confirmed: the service serves it\n`);
  assert.equal(await controlFile('publish'), `${held}\n`);

  await writeInto(history, { pin: 'ffffff' });
  const { stdout, stderr } = await runCommand(['history', '--json', '--state-dir', stateDir]);
  assert.equal(stderr, 'version ffffff is pinned, but not in the history\n');
  const { list, ...others } = JSON.parse(stdout);
  const shown = list.map(({ version, state, changes, files }: Record<string, string>) =>
    [version, state, changes, files?.length].join(),
  );
  assert.deepEqual([shown, others], [[`${two},served,1 price changed,1`, `${one},,,1`], { held }]);
});
