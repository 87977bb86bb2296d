import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { formatProblem } from '../../src/contract/problems.ts';
import { fileError, folderError } from '../../src/set/system-directory.ts';
import { readSource } from '../support/catalog/read-source.ts';
import { sourceIn, writeFiles } from '../support/catalogs.ts';

test('a file that the system cannot read is described without codes and paths', async t => {
  const cases: [what: string, make: (path: string) => Promise<unknown>, told: RegExp][] = [
    ['a link to itself', path => symlink('news.csv', path), /: this is a link that leads back to itself: /],
    ['a dangling link', path => symlink('gone', path), /: this is a link to a file that does not exist: /],
    ['a long name', path => symlink('x'.repeat(300), path), /: this is a link to a name that is too long: /],
    ['a link into a file', path => symlink('products.csv/x', path), /: this is a link into something /],
    ['a folder', async path => execFileSync('mkdir', [path]), /: this is a folder, not a file: /],
    ['a pipe', async path => execFileSync('mkfifo', [path]), /: this is a pipe or a device, not a file: /],
  ];
  for (const [what, make, told] of cases) {
    const dir = await writeFiles(t, { 'products.csv': 'id,name\n1,A\n' });
    await make(join(dir, 'news.csv'));
    const { report } = await readSource(sourceIn(dir));
    const [line = ''] = report.problems.map(formatProblem);
    assert.match(line.replace('news.csv: error UNREADABLE_FILE ', ': '), told, what);
    assert.ok(!line.includes(dir) && !/\bE[A-Z]{3,}\b/.test(line.replace(/error [A-Z_]+/, '')), line);
  }
});

test('a folder that the system cannot read is described in the same way', async t => {
  const root = await writeFiles(t, { file: '' });
  await symlink('loop', join(root, 'loop'));
  const cases = {
    file: /NO_DIRECTORY this is not a folder: only your administrator can /,
    loop: /NO_DIRECTORY this is a link that leads back to itself: only your administrator can /,
    gone: /NO_DIRECTORY this folder does not exist: create it, or ask your administrator /,
  };
  for (const [name, told] of Object.entries(cases)) {
    const { report } = await readSource(sourceIn(join(root, name)));
    assert.match(formatProblem(report.problems[0] ?? assert.fail()), told);
  }
});

test('errors that a test cannot cause have words too, and unknown ones keep those of the system', () => {
  const error = (code: string, errno: number) => Object.assign(new Error(`${code}: /srv/x`), { code, errno });
  const cases: [told: string, words: RegExp][] = [
    [fileError(error('EACCES', -13)), /^the service is not permitted to read this file: only your admin/],
    [fileError(error('EIO', -5)), /^the disk cannot read this file: save the file again, or ask /],
    [fileError(error('ESTALE', -116)), /^the network drive does not answer: only your administrator can /],
    [
      fileError(error('EXDEV', -18)),
      /^this file cannot be read \(cross-device link not permitted\): save it /,
    ],
    [folderError(error('EACCES', -13)), /^the service is not permitted to read this folder: only your admin/],
    [
      folderError(error('EXDEV', -18)),
      /^this folder cannot be read \(cross-device link .*\): ask your admin/,
    ],
  ];
  for (const [told, words] of cases) assert.match(told, words);
});
