import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fold } from '../../src/snapshot/fold.ts';
import { textOf } from '../../src/snapshot/html-text.ts';
import { shopWith } from '../support/catalogs.ts';
import { startService } from '../support/service.ts';
import { office } from '../support/snippets/office.ts';
import { webEditors } from '../support/snippets/web-editors.ts';

const snippets = [...office, ...webEditors];

test('HTML from common editors is found by its visible words, and by no others', async t => {
  assert.ok(snippets.length >= 60);
  const news = snippets.map(([, content], index) => ({
    id: index + 1,
    title: '题',
    content,
    create_time: 1_700_000_100 - index,
  }));
  const { ask } = await startService(t, shopWith({ 'news.json': news }));
  const texts = snippets.map(([, content]) => fold(textOf(content)));
  const wrong: string[] = [];
  for (const [index, [from, , found, notFound]] of snippets.entries()) {
    for (const keyword of [...found, ...notFound]) {
      const { data } = await ask(`/api/news?limit=100&keyword=${encodeURIComponent(keyword)}`);
      const ids: number[] = data.list.map(({ id }: { id: number }) => id);
      if (ids.includes(index + 1) !== found.includes(keyword)) wrong.push(`${from}: ${keyword}`);
      const terms = fold(keyword).split(/\s+/);
      const scanned = news.filter((_, row) => terms.every(term => texts[row]?.includes(term)));
      assert.deepEqual(
        ids,
        scanned.map(({ id }) => id),
        keyword,
      );
    }
  }
  assert.deepEqual(wrong, []);
});
