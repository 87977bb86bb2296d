import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { textOf } from '../../src/catalog/html-text.ts';
import { tabulateNews } from '../../src/catalog/news-table.ts';
import type { News } from '../../src/catalog/schemas.ts';
import { openTimeZone } from '../../src/catalog/time-zone.ts';
import { search } from '../../src/query/search.ts';
import { countWork } from '../work.ts';

type Texts = Pick<News, 'title' | 'keywords' | 'content'>;

/** Finds among news of these texts; the numbers of those that are found. */
function searchIn(texts: readonly Texts[]) {
  const rest = { img: '', read: 0, create_time: 0, update_time: 0, publish_time: 0, hidden: false };
  const news = texts.map((texts, index) => ({ id: index + 1, ...texts, ...rest }));
  const table = tabulateNews(news, openTimeZone('UTC'));
  const rows = [...texts.keys()];
  return (keyword: string, isAmong = (_row: number) => true) =>
    search(table, keyword, rows.filter(isAmong), isAmong);
}

const fold = (text: string) => text.normalize('NFKC').toUpperCase().normalize('NFKC');

/** What a search has to find: every text is looked at. */
function scan(texts: readonly Texts[], keyword: string): number[] {
  const terms = fold(keyword).split(/\s+/).filter(Boolean);
  const holds = ({ title, keywords, content }: Texts, term: string) =>
    [title, keywords, textOf(content)].some(text => fold(text).includes(term));
  return [...texts.keys()].filter(row => terms.every(term => holds(texts[row] as Texts, term)));
}

test('every term has to occur in title, keywords or text, in any case and compatible form', () => {
  const find = searchIn([
    {
      title: 'ﬁve Größen für ÉTÉ',
      keywords: 'Preise,ＡＢＣ',
      content: '<p class="blue">Ein <b>neu</b>er Server&nbsp;&amp; mehr</p><p>ΟΔΟΣ</p><p>5 ㎏</p>',
    },
  ]);
  const cases: [keyword: string, matches: boolean][] = [
    ['five', true],
    ['FIVE', true],
    ['größen', true],
    ['GRÖSSEN', true],
    ['été', true],
    ['e\u0301te\u0301', true],
    ['abc', true],
    ['ａｂｃ preise', true],
    ['abc　preise', true],
    ['five absent', false],
    ['neuer', true],
    ['server mehr', true],
    ['&', true],
    ['nbsp', false],
    ['blue', false],
    ['class', false],
    ['kg', true],
    ['οδοσ', true],
    ['οδος', true],
    ['mehrοδος', false],
    ['étépreise', false],
    ['été\tpreise\n', true],
  ];
  for (const [keyword, matches] of cases) assert.deepEqual(find(keyword), matches ? [0] : [], keyword);
});

/** Letters of many kinds, few of each, so that texts have much in common. */
const letters = [
  ...'aabbAé',
  'e\u0301',
  '\u0301',
  'ß',
  'σ',
  'ς',
  'Σ',
  'ﬁ',
  'Ａ',
  'ｂ',
  '香',
  '港',
  '云',
  '㎏',
  '한',
  '\u1100\u1161',
  '😀',
  'İ',
  'ǆ',
  ' ',
  '\u3000',
  '&amp;',
  '<b>',
  '</p>',
  '<',
];
const text = (maxLength: number) =>
  fc.array(fc.constantFrom(...letters), { maxLength }).map(parts => parts.join(''));
const texts = fc.record({ title: text(8), keywords: text(6), content: text(30) });

test('a search finds what a look at every text finds, in the same order', () => {
  const sets = fc.array(texts, { minLength: 1, maxLength: 40 }).chain(set => {
    // By code points, as only whole ones come in a URL.
    const whole = [...set.map(({ title, keywords, content }) => title + keywords + content).join('')];
    const piece = fc
      .tuple(fc.nat(whole.length), fc.integer({ min: 1, max: 8 }))
      .map(([start, length]) => whole.slice(start, start + length).join(''));
    return fc.tuple(fc.constant(set), fc.array(fc.oneof(piece, text(4)), { minLength: 1, maxLength: 8 }));
  });
  fc.assert(
    fc.property(sets, ([set, keywords]) => {
      const find = searchIn(set);
      for (const keyword of keywords) assert.deepEqual(find(keyword), scan(set, keyword), keyword);
    }),
    { numRuns: 1000 },
  );
});

test('gaps of more than 255 texts between two that hold a term are bridged', () => {
  for (const gap of [1, 2, 254, 255, 256, 257, 509, 510, 511, 1020]) {
    const set = Array.from({ length: 2 * gap + 3 }, (_, row) => ({
      title: row % gap === 1 % gap ? 'rare' : `common ${row}`,
      keywords: '',
      content: '',
    }));
    assert.deepEqual(searchIn(set)('rare'), scan(set, 'rare'), `${gap}`);
  }
});

test('a term does not match across the border of two fields, nor of two items', () => {
  const set = [
    { title: 'alpha', keywords: 'beta', content: 'gamma' },
    { title: 'delta', keywords: '', content: '' },
  ];
  const find = searchIn(set);
  for (const keyword of ['alphabeta', 'betagamma', 'gammadelta', 'habet', '港香'])
    assert.deepEqual(find(keyword), []);
  assert.deepEqual(find('gamma alpha'), [0]);
});

test('only rows are found that are among those asked for', () => {
  const set = Array.from({ length: 10 }, (_, row) => ({
    title: `item${row}`,
    keywords: '',
    content: 'same',
  }));
  const find = searchIn(set);
  for (const keyword of ['same', 'item4', 'item5', 'e', '']) {
    assert.deepEqual(
      find(keyword, row => row % 2 === 0),
      scan(set, keyword).filter(row => row % 2 === 0),
      keyword,
    );
  }
});

test('a rare term has few texts looked at, and no term has one looked at twice', async () => {
  const set = Array.from({ length: 5_000 }, (_, row) => ({
    title: `Notice ${row}`,
    keywords: row % 2 === 0 ? 'server' : 'domain',
    content: `公告 ${row}: 香港节点 ${row % 50 === 7 ? '维护' : '正常'}, nothing else to be told ${row * 7919}`,
  }));
  const find = searchIn(set);
  const cases: [keyword: string, most: number][] = [
    ['notice 4321', 20],
    ['absent', 20],
    ['维护', 100],
    ['维', 100],
    ['nothing 4321', 40],
    ['server', 5_000],
    ['e', 5_000],
    ['notice', 5_000],
  ];
  for (const [keyword, most] of cases) {
    const { verified, result } = await countWork(() => find(keyword));
    assert.deepEqual(result, scan(set, keyword), keyword);
    assert.ok(verified <= most, `${keyword}: ${verified} texts`);
  }
});
