import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { scan, searchIn } from '../support/search.ts';

test('every term must occur in title, keywords or text, in any case and compatible form', () => {
  const find = searchIn([
    {
      title: 'ﬁve Größen für ÉTÉ',
      keywords: 'Preise,ＡＢＣ',
      content: '<p class="blue">Ein <b>neu</b>er Server&nbsp;&amp; mehr</p><p>ΟΔΟΣ</p><p>5 ㎏</p>',
    },
  ]);
  const found = `five|FIVE|größen|GRÖSSEN|été|e\u0301te\u0301|abc|ａｂｃ preise|abc　preise|neuer|server mehr|&|kg|οδοσ|οδος
grossen ete|grōßen|ser\u00adver|été\tpreise`;
  for (const keyword of found.split(/[|\n]/)) assert.deepEqual(find(keyword), [0], keyword);
  for (const keyword of ['five absent', 'nbsp', 'blue', 'class', 'mehrοδος', 'étépreise'])
    assert.deepEqual(find(keyword), [], keyword);
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

test('every character is found, whatever is around it', () => {
  const titles = 'a|A b|ab|b\u00a0a|xabx|é|aé|香|é香|a香b|ß||ab\u3000|😀|\u0001\u0001'.split('|');
  const set = titles.map((title, row) => ({
    title,
    keywords: row % 3 === 0 ? 'ab' : '',
    content: row % 4 === 0 ? '<p>b</p>' : '',
  }));
  const find = searchIn(set);
  for (const keyword of 'a|b|ab|ba|a b|é|aé|香|ss|s|1|😀|\u0001|\u0001\u0001|xab|香b'.split('|'))
    assert.deepEqual(find(keyword), scan(set, keyword), keyword);
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
