import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { between, phrase, seededRandom } from '../../scripts/bench/catalog.ts';
import type { News } from '../../src/contract/columns.ts';
import { mostRead, search } from '../../src/query/news.ts';
import { termsOf } from '../../src/snapshot/fold.ts';
import { tabulateNews } from '../../src/snapshot/news-table.ts';
import { signaturesOf } from '../../src/snapshot/search-index.ts';
import { openTimeZone } from '../../src/time-zone.ts';
import { countWork } from '../support/work.ts';

function tableOf(texts: readonly Pick<News, 'title' | 'keywords' | 'content'>[]) {
  const rest = { img: '', read: 0, create_time: 0, update_time: 0, publish_time: 0, hidden: false };
  const news = texts.map((texts, index) => ({ id: index + 1, ...texts, ...rest }));
  return tabulateNews(news, openTimeZone('UTC'));
}

test('every term must occur in title, keywords or text, not across them, in any case and compatible form', () => {
  const table = tableOf([
    {
      title: 'ﬁve Größen für ÉTÉ',
      keywords: 'Preise,ＡＢＣ',
      content: '<p class="blue">Ein <b>neu</b>er Server&nbsp;&amp; mehr</p><p>ΟΔΟΣ</p><p>5 ㎏</p>',
    },
  ]);
  const find = (keyword: string) => search(table, keyword, [0], () => true);
  const found = `five|FIVE|größen|GRÖSSEN|été|e\u0301te\u0301|abc|ａｂｃ preise|abc　preise|neuer|server mehr|&|kg|οδοσ|οδος
grossen ete|grōßen|ser\u00adver|été\tpreise`;
  for (const keyword of found.split(/[|\n]/)) assert.deepEqual(find(keyword), [0], keyword);
  for (const keyword of ['five absent', 'nbsp', 'blue', 'class', 'mehrοδος', 'étépreise', 'abcein'])
    assert.deepEqual(find(keyword), [], keyword);
});

const random = seededRandom(23);

/** Of one letter, two that a fold makes of one, half a pair, blanks and what has no width, or nothing. */
const signs = 'a|A b|ab|b\u00a0a|xabx|é|香|a香b|ß||ab\u3000|😀|\u0001|1'.split('|');

/** Texts with many words in common, and with numbers that few of them have. */
const languages = {
  ASCII: (words: number) => phrase('ascii', words, random),
  Chinese: (words: number) => phrase('chinese', words, random),
  signs: (words: number) => Array.from({ length: words }, () => signs[between(random, 0, 13)]).join(''),
};

for (const [language, words] of Object.entries(languages)) {
  test(`random keywords find what a scan of all texts finds, and few texts are verified: ${language}`, async () => {
    const table = tableOf(
      Array.from({ length: 600 }, (_, row) => ({
        title: words(4),
        keywords: `${words(1)},${row * 7919}`,
        content: `<p>${words(15)}${'。香港'.repeat(row % 4)} ${words(row % 40 === 0 ? 1_500 : 15)}</p>`,
      })),
    );
    const rows = [...table.texts.keys()];
    /** A part of a text, of at most that many characters. */
    const partOf = (maxLength: number) => {
      const text = table.texts[between(random, 0, rows.length - 1)] ?? '';
      const start = between(random, 0, text.length - 1);
      return text.slice(start, start + between(random, 1, maxLength));
    };
    let most = 0;
    let verified = 0;
    const found = { none: 0, few: 0, many: 0 };
    for (let round = 0; round < 2_000; round += 1) {
      const parts = Array.from({ length: between(random, 1, 3) }, () => partOf(round % 4 === 0 ? 24 : 5));
      // Of some terms all parts are in many texts, but the term is in none.
      const keyword = parts.join(round % 3 === 0 ? '' : ' ');
      const terms = termsOf(keyword);
      const isAmong = (row: number) => round % 5 > 0 || row % 2 === 0;
      const among = rows.filter(isAmong);
      const work = await countWork(() => search(table, keyword, among, isAmong));
      const scanned = among.filter(row => terms.every(term => table.texts[row]?.includes(term)));
      assert.deepEqual(work.result, scanned, keyword);
      found[scanned.length === 0 ? 'none' : scanned.length < 40 ? 'few' : 'many'] += 1;
      if (terms.length === 0) continue;
      // Each text that is verified is searched for a term of it or for more.
      verified += work.verified / terms.length;
      most += 2 * scanned.length + rows.length / 20;
    }
    assert.ok(verified <= most, `${verified} texts for ${most}`);
    for (const [kind, keywords] of Object.entries(found)) assert.ok(keywords > 100, `${kind}: ${keywords}`);
  });
}

test('signatures take 128 bytes for a short text, and half a byte for each character of a long one', () => {
  const short = Array.from({ length: 20_000 }, () => phrase('ascii', 30, random));
  assert.ok(signaturesOf(short).byteLength < 20_000 * 133, `${signaturesOf(short).byteLength}`);
  const long = Array.from({ length: 64 }, () => phrase('ascii', 1_500, random));
  const units = long.join('').length;
  assert.ok(signaturesOf(long).byteLength < 0.6 * units, `${signaturesOf(long).byteLength} for ${units}`);
});

test('the most read rows are the same as after sorting all of them, on any page', () => {
  // More than 600, from which on a part of them is looked at first.
  const counts = fc.array(fc.integer({ min: 0, max: 8 }), { maxLength: 1500, size: 'max' });
  const place = fc.integer({ min: 0, max: 1600 });
  fc.assert(
    fc.property(counts, place, fc.integer({ min: 1, max: 100 }), (counts, start, length) => {
      const rows = counts.map((_, row) => row).reverse();
      const countOf = (row: number) => counts[row] ?? 0;
      let looked = 0;
      const countLooks = (row: number) => {
        looked += 1;
        return countOf(row);
      };
      const sorted = rows.toSorted((one, other) => countOf(other) - countOf(one));
      const most = sorted.slice(start, start + length).map(row => ({ row, count: countOf(row) }));
      assert.deepEqual(mostRead(rows, countLooks, start, start + length), most);
      assert.equal(looked, rows.length);
    }),
  );
});
