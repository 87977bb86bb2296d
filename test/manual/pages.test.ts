import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { test } from 'node:test';
import { openCountsFile } from '../../src/reads/file/file-counter.ts';
import { readSource } from '../support/catalog/read-source.ts';
import { shopWith, sourceIn, writeFiles } from '../support/catalogs.ts';
import { codeBlocks, linksIn, type Page, pages, readPage } from '../support/manual.ts';
import { root } from '../support/package.ts';

/** The anchors of a page's headings, as GitHub makes them. */
function anchorsIn(text: string): string[] {
  const headings = text.replace(/^```.*?^```/gms, '').matchAll(/^#+ (.+)$/gm);
  return Array.from(headings, ([, heading = '']) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  );
}

const isPage = (path: string): path is Page => pages.some(page => page === path);

for (const page of pages) {
  test(`every link in ${page} leads to a file and a heading`, () => {
    for (const link of linksIn(readPage(page))) {
      if (link.startsWith('https://')) continue;
      const [path = '', anchor] = link.split('#');
      const target = path ? normalize(join(dirname(page), path)) : page;
      assert.ok(existsSync(join(root, target)), link);
      if (anchor === undefined) continue;
      assert.ok(isPage(target) && anchorsIn(readPage(target)).includes(anchor), `no heading for ${link}`);
    }
  });
}

test('every page can be reached from the README', () => {
  const reached = new Set<string>(['README.md']);
  for (const page of reached) {
    if (!isPage(page)) continue;
    for (const link of linksIn(readPage(page)))
      reached.add(normalize(join(dirname(page), link.split('#')[0] ?? '')));
  }
  for (const page of pages) assert.ok(reached.has(page), page);
});

test('the README has at most 220 lines', () => {
  assert.ok(readPage('README.md').trimEnd().split('\n').length <= 220);
});

test('the walks in CONTRIBUTING.md name functions that exist, in at most 14 and 10 stops', () => {
  const [, intoSnapshot = '', intoBytes = ''] = readPage('.github/CONTRIBUTING.md').split(/^### From /m);
  for (const [walk, most] of [
    [intoSnapshot, 14],
    [intoBytes, 10],
  ] as const) {
    const stops = [...walk.matchAll(/^\d+\. `(src\/.+?)` `(.+?)`: /gm)];
    assert.ok(stops.length > 5 && stops.length <= most, `${stops.length} stops`);
    for (const [, file = '', name = ''] of stops)
      assert.match(readFileSync(join(root, file), 'utf8'), new RegExp(`\\b${name}\\b`), file);
  }
});

/** The languages of the blocks that tests run, by page. Other blocks are marked `not-run`. */
const run: Partial<Record<Page, string[]>> = {
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
