import assert from 'node:assert/strict';
import { test } from 'node:test';
import { between, seededRandom } from '../../scripts/bench/catalog/random.ts';
import { phrase } from '../../scripts/bench/catalog/words.ts';
import { search } from '../../src/query/search.ts';
import { termsOf } from '../../src/snapshot/fold.ts';
import { stepsOf, tableOf } from '../support/search.ts';

const random = seededRandom(23);

/** Texts with many words in common, in two languages, and with numbers that few of them have. */
const table = tableOf(
  Array.from({ length: 600 }, (_, row) => {
    const words = (count: number) => phrase(row % 3 === 0 ? 'chinese' : 'ascii', count, random);
    const content = `<p>${words(15)}${'。香港'.repeat(row % 4)} ${words(15)}</p>`;
    return { title: words(4), keywords: `${words(1)},${row * 7919}`, content };
  }),
);
const rows = Array.from({ length: table.texts.length }, (_, row) => row);

/** A part of a text, of at most that many characters. */
function partOf(maxLength: number): string {
  const text = table.texts[between(random, 0, rows.length - 1)] ?? '';
  const start = between(random, 0, text.length - 1);
  return text.slice(start, start + between(random, 1, maxLength));
}

test('thousands of keywords find what a scan of all texts finds', () => {
  const found = { none: 0, few: 0, many: 0 };
  for (let round = 0; round < 6_000; round += 1) {
    const terms = Array.from({ length: between(random, 1, 3) }, () => partOf(round % 4 === 0 ? 24 : 5));
    // Of some terms all parts are in many texts, but the term is in none.
    const keyword = terms.join(round % 3 === 0 ? '' : ' ');
    const { result } = stepsOf(search(table, keyword, rows, () => true));
    const scanned = rows.filter(row => termsOf(keyword).every(term => table.texts[row]?.includes(term)));
    assert.deepEqual(result, scanned, keyword);
    found[scanned.length === 0 ? 'none' : scanned.length < 40 ? 'few' : 'many'] += 1;
  }
  for (const [kind, keywords] of Object.entries(found)) assert.ok(keywords > 500, `${kind}: ${keywords}`);
});
