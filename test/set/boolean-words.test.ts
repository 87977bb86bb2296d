import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { booleanWords, parseCell } from '../../src/set/cells/cells.ts';
import { openTimeZone } from '../../src/time-zone.ts';
import { assertSame, errorsOf, type Form } from '../support/catalog/forms.ts';

const WORDS = {
  true: '1 1.0 yes Y on X TRUE WAHR ja VRAI oui VERDADERO sí si VERO VERDADEIRO sim WAAR PRAWDA SAND SANN SANT TOSI Kyllä já ИСТИНА да 真 是 ＴＲＵＥ １',
  false:
    '0 0.0 no N off FALSE FALSCH nein FAUX non FALSO não ONWAAR FAŁSZ FALSK FALSKT USANN EPÄTOSI Nej nei ei ЛОЖЬ нет 假 否 ＦＡＬＳＥ',
};
const ZONE = openTimeZone('UTC');
const HEADER = 'id,title,content,create_time,hidden\n';
const news = (hidden: string) => ({ 'news.csv': `${HEADER}1,A,B,2024-01-05,"${hidden}"\n` });
const json = (hidden: string) => ({
  'news.json': `[{"id": 1, "title": "A", "content": "B", "create_time": "2024-01-05", "hidden": ${hidden}}]`,
});

test('yes and no are read in the words of spreadsheets, in CSV; an empty cell is no', async t => {
  const forms = (words: string): Form[] => words.split(' ').map(word => [word, news(` ${word} `)]);
  await assertSame(t, json('true'), [...forms(WORDS.true), ['1 in JSON', json('1')]]);
  await assertSame(t, json('false'), [...forms(WORDS.false), ['empty', news('')], ['0 in JSON', json('0')]]);
});

test('a word has its value in any letter case and in every Unicode form', () => {
  const words = Object.entries(booleanWords).flatMap(([value, words]) =>
    words.map(word => ({ word, value: value === 'true' })),
  );
  assert.equal(new Set(words.map(({ word }) => word)).size, words.length);
  fc.assert(
    fc.property(
      fc.constantFrom(...words),
      fc.infiniteStream(fc.boolean()),
      fc.constantFrom('NFC', 'NFD', 'NFKC', 'NFKD'),
      ({ word, value }, capitals, form) => {
        const mixed = Array.from(word, letter => (capitals.next().value ? letter.toUpperCase() : letter));
        const cell = mixed.join('').normalize(form);
        assert.equal(
          parseCell(cell, { format: 'csv', decimal: '.', isProven: true }, 'flag', ZONE),
          value,
          cell,
        );
      },
    ),
    { numRuns: 1000 },
  );
});

test('other words are refused, and JSON has no words but true and false', async t => {
  for (const word of ['maybe', '2', '-1', '10', 'ne', 'tru', 'y n']) {
    assert.deepEqual(await errorsOf(t, news(word)), [
      `news.csv:2:18: error BAD_BOOLEAN E2, hidden "${word}": write true or false, or leave the cell empty`,
    ]);
  }
  for (const [value, remedy] of [
    ['"true"', 'true or false, without quotes'],
    ['"yes"', 'true or false, without quotes'],
    ['1.0', 'true or false'],
    ['2', 'true or false'],
  ]) {
    assert.deepEqual(await errorsOf(t, json(String(value))), [
      `news.json:1:81: error BAD_BOOLEAN hidden ${value}: write ${remedy}`,
    ]);
  }
});
