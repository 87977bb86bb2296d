import assert from 'node:assert/strict';
import { rm, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import {
  isConfirmed,
  readControls,
  removeControl,
  unknownPin,
  unpinVersion,
} from '../../src/live/control.ts';
import { openCatalogDirectory } from '../../src/live/watch.ts';
import { writeFiles, writeInto } from '../support/catalogs.ts';
import { HISTORY } from '../support/history.ts';
import { simulateDisk } from '../support/simulated-disk.ts';

const VERSION = '790948ef4deb';

test('a publish file confirms a version by a line with it, or with at least its first 6 digits', async t => {
  const history = await writeFiles(t, {});
  for (const [content, confirms] of [
    [null, false],
    ['\uFEFF \r\n\n', false],
    [`${VERSION}\n`, true],
    ['790948', true],
    ['79094', false],
    [`${VERSION}0`, false],
    [VERSION.slice(6), false],
    ['790949ef4deb', false],
    ['\t790948EF4DEB  ', true],
    [`\uFEFF${VERSION}\r\n`, true],
    [`000000000000\r${VERSION}\r`, true],
    [Buffer.from(`\uFEFF${VERSION}\r\n`, 'utf16le'), true],
    [`# prices of spring\n000000000000\n\n${VERSION}\n`, true],
    ['000000000000\n111111\n', false],
    [`000000000000 ${VERSION}\n`, false],
    [Buffer.from([0xff, 0, 0x80, 0x0a]), false],
  ] as const) {
    const { publish } = await readControls(history, await writeFiles(t, { publish: content }));
    assert.equal(isConfirmed(publish, VERSION), confirms, String(content));
  }
});

test('a folder with the name of a control file is not one', async t => {
  const dir = await writeFiles(t, { 'pin/prices.csv': '', 'publish/x': '' });
  const { pin, publish } = await readControls(dir, dir);
  assert.deepEqual([pin, publish.inHistory, publish.besideCatalogs], [undefined, undefined, undefined]);
});

test('the file of the history confirms a version whatever the one beside the catalogs says', async t => {
  for (const besideCatalogs of [null, '', '000000000000']) {
    const dirs = [{ publish: VERSION }, { publish: besideCatalogs }].map(files => writeFiles(t, files));
    const [history = '', catalogs = ''] = await Promise.all(dirs);
    const { publish } = await readControls(history, catalogs);
    assert.ok(isConfirmed(publish, VERSION));
  }
});

test('a loss of power does not pin again what was unpinned', async () => {
  const disk = simulateDisk({ [`${HISTORY}/pin`]: VERSION });
  await removeControl(HISTORY, 'pin', disk);
  await removeControl(HISTORY, 'pin', disk);
  assert.deepEqual(disk.found(), [{}]);
});

test('what cannot be read is said; such a pin stays what it was, and such a publish confirms nothing', async t => {
  const dirs = [await writeFiles(t, {}), await writeFiles(t, {})] as const;
  const [history, catalogs] = dirs;
  const { look } = openCatalogDirectory(catalogs, history);
  const lookNow = () => look(new AbortController().signal).then(({ controls }) => controls);
  const loop = (dir: string, name: string) => symlink(name, join(dir, name));
  await loop(history, 'pin');
  assert.equal((await lookNow()).pin, unknownPin);
  await rm(join(history, 'pin'));
  await writeInto(catalogs, { pin: VERSION, publish: VERSION });
  const readable = await lookNow();
  assert.deepEqual([readable.pin?.version, readable.faults], [VERSION, []]);
  assert.ok(isConfirmed(readable.publish, VERSION));
  await rm(join(catalogs, 'pin'));
  await loop(catalogs, 'pin');
  await rm(join(catalogs, 'publish'));
  await loop(catalogs, 'publish');
  const { pin, publish, faults } = await lookNow();
  assert.deepEqual(pin, readable.pin);
  assert.ok(!isConfirmed(publish, VERSION));
  assert.deepEqual(faults, ['cannot read CATALOG_DIR: too many symbolic links encountered']);
  await assert.rejects(unpinVersion({ stateDir: history, catalogDir: catalogs }, 'pin'), {
    message: faults.join(),
  });
});
