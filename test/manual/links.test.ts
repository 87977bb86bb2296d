import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { test } from 'node:test';
import { linksIn, type Page, pages, readPage } from '../support/manual.ts';
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
