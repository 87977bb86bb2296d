import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertSame, errorsOf, type Form } from '../support/catalog/forms.ts';

const csv = (id: string, read: string) => ({
  'news.csv': `id,title,content,create_time,read\n"${id}",A,B,2024-01-05,"${read}"\n`,
});
const json = (id: string, read: string) => ({
  'news.json': `[{"id": ${id}, "title": "A", "content": "B", "create_time": "2024-01-05", "read": ${read}}]`,
});

test('a whole number may have one or two decimals of 0 in CSV', async t => {
  const forms = ['12', '12.0', '12,0', '12.00', '12,00'].map((text): Form => [text, csv(text, text)]);
  await assertSame(t, json('12', '12'), forms);
});

test('a whole number that may have a thousands separator is refused with what to write', async t => {
  const separator = (plain: string) =>
    ` has a thousands separator: write ${plain}, and turn off the thousands separator of this column`;
  const general = ': write a whole number from 0 to 1000000000000000, such as 10';
  const cases: [text: string, hint: string][] = [
    ['1.000', separator('1000')],
    ['1,000', separator('1000')],
    ['1 928', separator('1928')],
    ['1\u00A0928', separator('1928')],
    ['1\u202F928', separator('1928')],
    ["12'345'678", separator('12345678')],
    ['12’345', separator('12345')],
    ['1,00,000', separator('100000')],
    ...['1.5', '12.', '.0', '12.0000', '0,123', '12,3456'].map((text): [string, string] => [text, general]),
  ];
  for (const [text, hint] of cases) {
    const [error = '', ...others] = await errorsOf(t, csv('1', text));
    assert.ok(error.endsWith(` read "${text}"${hint}`), error);
    assert.deepEqual(others, []);
  }
});

test('a whole number in JSON has no decimals', async t => {
  assert.deepEqual(await errorsOf(t, json('12.0', '1')), [
    'news.json:1:9: error BAD_ID id 12.0: write a whole number of 1 or more, such as 12',
  ]);
  assert.equal((await errorsOf(t, json('12', '1.0'))).length, 1);
});
