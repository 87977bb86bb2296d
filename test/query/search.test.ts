import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { tabulateNews } from '../../src/catalog/snapshot/news-table.ts';
import { indexTrigrams } from '../../src/catalog/snapshot/trigram-index.ts';
import { fold } from '../../src/catalog/text/fold.ts';
import { textOf } from '../../src/catalog/text/html-text.ts';
import type { News } from '../../src/contract/columns.ts';
import { inTurn, type Steps } from '../../src/http/response/in-turn.ts';
import { search } from '../../src/query/search.ts';
import { openTimeZone } from '../../src/time-zone.ts';
import { countWork } from '../support/work.ts';

type Texts = Pick<News, 'title' | 'keywords' | 'content'>;

/** The news table of these texts. */
function tableOf(texts: readonly Texts[]) {
  const rest = { img: '', read: 0, create_time: 0, update_time: 0, publish_time: 0, hidden: false };
  const news = texts.map((texts, index) => ({ id: index + 1, ...texts, ...rest }));
  const table = tabulateNews(news, openTimeZone('UTC'));
  return { ...table, trigrams: indexTrigrams(table.texts) };
}

/** Searches these texts; returns the numbers of the matches. */
function searchIn(texts: readonly Texts[]) {
  const table = tableOf(texts);
  const rows = [...texts.keys()];
  return (keyword: string, isAmong = (_row: number) => true) =>
    stepsOf(search(table, keyword, rows.filter(isAmong), isAmong)).result;
}

/** Runs a search to its end; returns its rows and its number of steps. */
function stepsOf<Result>(steps: Steps<Result>): { result: Result; count: number } {
  for (let count = 1; ; count += 1) {
    const { done, value } = steps.next();
    if (done) return { result: value, count };
  }
}

/** The expected result, from a scan of every text. */
function scan(texts: readonly Texts[], keyword: string): number[] {
  const terms = fold(keyword).split(/\s+/).filter(Boolean);
  const holds = ({ title, keywords, content }: Texts, term: string) =>
    [title, keywords, textOf(content)].some(text => fold(text).includes(term));
  return [...texts.keys()].filter(row => terms.every(term => holds(texts[row] as Texts, term)));
}

test('every term must occur in title, keywords or text, in any case and compatible form', () => {
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
    ['grossen ete', true],
    ['grōßen', true],
    ['ser\u00adver', true],
    ['étépreise', false],
    ['été\tpreise\n', true],
  ];
  for (const [keyword, matches] of cases) assert.deepEqual(find(keyword), matches ? [0] : [], keyword);
});

/** Few letters of many kinds, so that texts have much in common. */
const letters = [
  ...'aabbAeéüßœσςΣﬁＡｂ香港云㎏한😀İǆかがй’< \u3000',
  ...['e\u0301', 'u\u0308', '\u0301', '\u3099', '\u1100\u1161', '\u00ad', '\u200b'],
  ...['&amp;', '&eacute;', '<b>', '</p>', '<td>', '<style>', '</style>'],
];
const text = (maxLength: number) =>
  fc.array(fc.constantFrom(...letters), { maxLength }).map(parts => parts.join(''));
const texts = fc.record({ title: text(8), keywords: text(6), content: text(30) });

test('a search finds the same rows as a scan of all texts, in the same order', () => {
  const sets = fc.array(texts, { minLength: 1, maxLength: 40 }).chain(set => {
    // By code points: a URL has only whole ones.
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
    { numRuns: 400 },
  );
});

test('the index alone finds a term of up to three bytes, whatever is around it', async () => {
  const set = [
    'a',
    'A b',
    'ab',
    'b\u00a0a',
    'xabx',
    'é',
    'aé',
    '香',
    'é香',
    'a香b',
    'ß',
    '',
    'ab\u3000',
    '😀',
    '\u0001\u0001',
  ].map((title, row) => ({
    title,
    keywords: row % 3 === 0 ? 'ab' : '',
    content: row % 4 === 0 ? '<p>b</p>' : '',
  }));
  const find = searchIn(set);
  for (const keyword of [
    'a',
    'b',
    'ab',
    'ba',
    'a b',
    'é',
    'aé',
    '香',
    'ss',
    's',
    '1',
    '\u0001',
    '\u0001\u0001',
    'xab',
    '香b',
  ]) {
    const { verified, result } = await countWork(() => find(keyword));
    assert.deepEqual(result, scan(set, keyword), keyword);
    const isGram = fold(keyword)
      .split(' ')
      .every(term => Buffer.byteLength(term) <= 3);
    if (isGram) assert.ok(verified <= 2, keyword);
  }
});

test('the index encodes gaps of more than 255 texts', () => {
  for (const gap of [1, 2, 254, 255, 256, 257, 509, 510, 511, 1020]) {
    const set = Array.from({ length: 2 * gap + 3 }, (_, row) => ({
      title: row % gap === 1 % gap ? 'rare' : `common ${row}`,
      keywords: '',
      content: '',
    }));
    assert.deepEqual(searchIn(set)('rare'), scan(set, 'rare'), `${gap}`);
  }
});

test('a term does not match across two fields or two items', () => {
  const set = [
    { title: 'alpha', keywords: 'beta', content: 'gamma' },
    { title: 'delta', keywords: '', content: '' },
  ];
  const find = searchIn(set);
  for (const keyword of ['alphabeta', 'betagamma', 'gammadelta', 'habet', '港香'])
    assert.deepEqual(find(keyword), []);
  assert.deepEqual(find('gamma alpha'), [0]);
});

test('a search finds only rows among those given', () => {
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

test('a rare term has few texts scanned, and no text is scanned twice for a term', async () => {
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
    ['server serv erver server', 5_000],
    ['notice 正常 server nothing', 25_000],
    ['notice absentee nothing told', 20],
    // These are trigrams themselves.
    ['é', 0],
    ['e t n o i c r s 1 2', 100],
    ['no ti ic ce', 20],
    ['正 常', 20],
    ['not ice', 20],
  ];
  for (const [keyword, most] of cases) {
    const { verified, result } = await countWork(() => find(keyword));
    assert.deepEqual(result, scan(set, keyword), keyword);
    assert.ok(verified <= most, `${keyword}: ${verified} texts`);
  }
});

test('a search of many texts yields, and all searches together take one step per turn of the event loop', async () => {
  const set = Array.from({ length: 5_000 }, (_, row) => ({
    title: 'Common words',
    keywords: '',
    content: `${'x'.repeat(2_000)} and others${row % 2 === 0 ? '' : ' which are longer'}`,
  }));
  const table = tableOf(set);
  const begin = () => search(table, 'common others longer', [...set.keys()], () => true);
  const { result, count } = stepsOf(begin());
  assert.equal(result.length, 2_500);
  assert.ok(count >= 4, `${count} steps`);

  let rounds = 0;
  let isOver = false;
  const goRound = () => {
    rounds += 1;
    if (!isOver) setImmediate(goRound);
  };
  goRound();
  const searches = [inTurn(begin()), inTurn(begin()), inTurn(begin())];
  for (const found of await Promise.all(searches)) assert.deepEqual(found, result);
  isOver = true;
  assert.ok(rounds >= 3 * (count - 1), `${rounds} rounds`);
});
