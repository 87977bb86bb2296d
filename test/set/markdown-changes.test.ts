import assert from 'node:assert/strict';
import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { formatProblem } from '../../src/contract/problems.ts';
import { STILL_MS } from '../../src/set/stability.ts';
import { markdown } from '../support/catalog/breakages.ts';
import { readSource } from '../support/catalog/read-source.ts';
import { serveSet } from '../support/catalog/served-set.ts';
import { type Files, shopWith, sourceIn, writeFiles } from '../support/catalogs.ts';

const item = (id: number) => String(markdown[`news/${id}-item.md`]);
const problemsIn = async (dir: string, options = {}) =>
  (await readSource(sourceIn(dir, options))).report.problems.map(formatProblem);

test('Markdown that is cut at any byte is not believed before it has lain still', async t => {
  const { dir, rows, change } = await serveSet(t, markdown);
  const whole = item(2).replace('# Item 2', '# Item 2\n\nFirst\n\n- second\n- third\n');
  const path = join(dir, 'news/2-item.md');
  const looks = new Map<string, number>();
  for (let end = 0; end < whole.length; end += 1) {
    await writeFile(path, whole.slice(0, end));
    const changed = await change({ stillMs: STILL_MS - 1 });
    looks.set(changed.outcome, (looks.get(changed.outcome) ?? 0) + 1);
    if (changed.outcome === 'read')
      assert.ok(whole.slice(0, end).length >= item(2).length, whole.slice(0, end));
  }
  // Ends of lines beyond the length of the served file are believed, unless a look before has seen less.
  assert.deepEqual(Object.fromEntries(looks), { incomplete: whole.length - 4, read: 4 });
  await writeFile(path, whole);
  assert.equal((await change({ stillMs: 0 })).outcome, 'read');
  assert.equal(rows.news?.length, 3);
});

test('the loss of all items is held back, and that of one is not', async t => {
  const { dir, change } = await serveSet(t, markdown);
  await rm(join(dir, 'news/1-item.md'));
  assert.deepEqual((await change()).holds, []);
  await rename(join(dir, 'news'), join(dir, '_news'));
  assert.deepEqual((await change()).holds, [
    { code: 'LOST_ROWS', message: 'all files news/*.md are gone: put them back' },
  ]);
});

test('files in the folder that should have another name are named', async t => {
  const text = item(1);
  const names = [
    '5.MD',
    '6-new prices.markdown',
    '7.txt',
    '8.mkd',
    '9.md.txt',
    '10.docx',
    '_11.txt',
    'README',
  ];
  const files: Files = Object.fromEntries(names.map(name => [`news/${name}`, text]));
  const dir = await writeFiles(t, shopWith({ ...markdown, ...files }));
  assert.deepEqual(await problemsIn(dir), [
    'news/5.MD: warning NOT_READ this file is not read: rename it to news/5.md',
    'news/6-new prices.markdown: warning NOT_READ this file is not read: rename it to news/6-new prices.md',
    'news/7.txt: warning NOT_READ this file is not read: rename it to news/7.md',
    'news/8.mkd: warning NOT_READ this file is not read: rename it to news/8.md',
    'news/9.md.txt: warning NOT_READ this file is not read: rename it to news/9.md',
  ]);
});

test('the files must not be larger than MAX_FILE_MB together, and each must be a file', async t => {
  const big = {
    'news/8.md': `${item(1)}${'x'.repeat(700_000)}`,
    'news/9.md': `${item(1)}${'x'.repeat(700_000)}`,
  };
  const dir = await writeFiles(t, { ...markdown, ...big });
  assert.deepEqual(await problemsIn(dir, { maxFileMb: 2 }), []);
  assert.deepEqual(await problemsIn(dir, { maxFileMb: 1 }), [
    'news/*.md: error FILE_TOO_BIG these files have more than 1 MB together: delete some, or ask your administrator to raise MAX_FILE_MB',
  ]);
  await mkdir(join(dir, 'news/10.md'));
  assert.deepEqual(await problemsIn(dir), [
    'news/10.md: error UNREADABLE_FILE this is a folder, not a file: rename or move it, and put the file here under this name',
  ]);
});
