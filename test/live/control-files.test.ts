import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readControls, removeControl, whyUnconfirmed } from '../../src/live/control.ts';
import { HISTORY } from '../support/catalog/history.ts';
import { writeFiles } from '../support/catalogs.ts';
import { simulateDisk } from '../support/reads/simulated-disk.ts';

const VERSION = '790948ef4deb';

for (const [what, content, why] of [
  ['that does not exist', null, 'missing'],
  ['with nothing', '', 'empty'],
  ['with white space and a byte order mark', '\uFEFF \r\n\n', 'empty'],
  ['with the version', `${VERSION}\n`, undefined],
  ['with its first 6 digits', '790948', undefined],
  ['with its first 5 digits', '79094', 'other'],
  ['with one digit too many', `${VERSION}0`, 'other'],
  ['with its last digits', VERSION.slice(6), 'other'],
  ['with another version', '790949ef4deb', 'other'],
  ['with a word', 'yes', 'other'],
  ['with capitals, tabs and spaces', '\t790948EF4DEB  ', undefined],
  ['with a byte order mark and CRLF', `\uFEFF${VERSION}\r\n`, undefined],
  ['with lines that end with CR', `000000000000\r${VERSION}\r`, undefined],
  ['with UTF-16', Buffer.from(`\uFEFF${VERSION}\r\n`, 'utf16le'), undefined],
  [
    'with several versions, notes and blank lines',
    `# prices of spring\n000000000000\n\n${VERSION}\n`,
    undefined,
  ],
  ['with other versions', '000000000000\n111111\n', 'other'],
  ['with the version in a note', `# ${VERSION}\n`, 'other'],
  ['with two versions in a line', `000000000000 ${VERSION}\n`, 'other'],
  ['with bytes', Buffer.from([0xff, 0, 0x80, 0x0a]), 'other'],
] as const) {
  test(`a publish file ${what} ${why ? 'does not confirm' : 'confirms'} the version`, async t => {
    const [history, catalogs] = [await writeFiles(t, {}), await writeFiles(t, { publish: content })];
    const { publish } = await readControls(history, catalogs);
    assert.equal(whyUnconfirmed(publish, VERSION), why);
  });
}

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
    assert.equal(whyUnconfirmed(publish, VERSION), undefined);
  }
});

test('a loss of power does not pin again what was unpinned', async () => {
  const disk = simulateDisk({ [`${HISTORY}/pin`]: VERSION });
  await removeControl(HISTORY, 'pin', disk);
  await removeControl(HISTORY, 'pin', disk);
  assert.deepEqual(disk.found(), [{}]);
});
