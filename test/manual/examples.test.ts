import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openCountsFile } from '../../src/reads/file/file-counter.ts';
import { readSource } from '../support/catalog/read-source.ts';
import { shopWith, sourceIn, writeFiles } from '../support/catalogs.ts';
import { codeBlocks, pages, readPage } from '../support/manual.ts';

/** The languages of the blocks that tests run, by page. Other blocks are marked `not-run`. */
const run: Partial<Record<(typeof pages)[number], string[]>> = {
  'README.md': ['console', 'js'],
  'data/README.md': ['console', 'markdown'],
  'src/http/README.md': ['console', 'ts', 'js', 'json', 'njk', 'html'],
  'src/reads/README.md': ['json'],
  'scripts/deploy/README.md': ['console', 'sh', ''],
  'scripts/deploy/cdn/README.md': ['console', 'ts', 'nginx'],
};

for (const page of pages) {
  test(`every code block in ${page} runs in a test, or is marked as one that does not`, () => {
    const fences = Array.from(readPage(page).matchAll(/^```(.*)$/gm), ([, info = '']) => info);
    assert.equal(fences.length % 2, 0);
    const blocks = fences.filter((_, index) => index % 2 === 0);
    const others = blocks.filter(info => !info.endsWith(' not-run') && !run[page]?.includes(info));
    assert.deepEqual(others, []);
  });
}

test('the Markdown file of the guide for editors is a news item without problems', async t => {
  const [text = ''] = codeBlocks(readPage('data/README.md'), 'markdown');
  const files = {
    'news_types.json': [{ id: 1, name: 'Announcements' }],
    'news.json': null,
    'news/12-new-prices.md': text,
  };
  const { report, rows } = await readSource(sourceIn(await writeFiles(t, shopWith(files))));
  const [item] = rows?.news ?? assert.fail(JSON.stringify(report.problems));
  assert.deepEqual(
    { id: item?.id, title: item?.title, type_id: item?.type_id, img: item?.img },
    { id: 12, title: 'New prices from April', type_id: 1, img: 'price-curve.webp' },
  );
});

test('the file of the guide to read counts has its counts', async t => {
  const [text = ''] = codeBlocks(readPage('src/reads/README.md'), 'json');
  const log = { info() {}, warn() {}, error() {} };
  const file = openCountsFile(await writeFiles(t, { 'read-counts.json': text }), log);
  assert.deepEqual(await file.load(), new Map([[12, 103]]));
});
