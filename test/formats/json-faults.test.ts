import assert from 'node:assert/strict';
import { test } from 'node:test';
import { errorsOf } from '../support/catalog/forms.ts';

/** A JSON file, and what is reported of it: the place, and what to do. */
type Case = [json: string, told: string];

const QUOTES = 'write the straight quote " before and after each key and each text';
const NO_COMMENTS = 'JSON does not allow comments: delete this one';
const TOO_EARLY =
  'the file ends too early: save or copy the whole file again, or add what is missing up to the closing ]';
const QUOTE_INSIDE = 'a quote inside a text ends it before this: write \\" for each quote inside the text';

/** The file with a value that is not JSON. */
const value = (written: string, told: string): Case => [`[{"id": ${written}}]`, `1:9 ${told}`];

const faults: Record<string, Case[]> = {
  'a number that is not written as in JSON': [
    value('16 384', '16 384 contains a space: write 16384'),
    value('1\u202f024,50', '1\u202f024,50 contains a space: write 1024.50'),
    value("1'024", "1'024 contains ': write 1024"),
    value('1_024', '1_024 contains _: write 1024'),
    value('16,384', '16,384 contains a comma: write 16384, or 16.384 if you mean a decimal'),
    value('1,234,567', '1,234,567 contains thousands separators: write 1234567'),
    value('1,234.50', '1,234.50 contains thousands separators: write 1234.50'),
    value('1.234.567', '1.234.567 contains thousands separators: write 1234567'),
    value('1.234,50', '1.234,50 has a decimal comma: write 1234.50'),
    value('12,5', '12,5 has a decimal comma: write 12.5'),
    value('0,125', '0,125 has a decimal comma: write 0.125'),
    value('012', '012 begins with a zero: write 12'),
    value('-007.50', '-007.50 begins with a zero: write -7.50'),
    value('+5', '+5 has a plus sign: write 5'),
    value('0x1F', '0x1F is a hexadecimal number: write 31'),
    value('.5', '.5 has no digit before the point: write 0.5'),
    value('-.5', '-.5 has no digit before the point: write -0.5'),
    value('5.', '5. has no digit after the point: write 5'),
    value('１２', '１２ has wide digits: write 12'),
    value('5 GB', '5 GB is more than a number: write 5, without a unit or currency'),
    value('€ 5', '€ 5 is more than a number: write 5, without a unit or currency'),
    value('2026-3-1', '2026-3-1 is a date without quotes: write it like "2026-03-31"'),
    value('31.03.2026', '31.03.2026 is a date without quotes: write it like "2026-03-31"'),
    ['[{"name": "at 10: 12", "id": 7,\n"order": 16 384}]', '2:10 16 384 contains a space: write 16384'],
  ],
  'a quote that is not straight': [
    value('“A”', `“ is a curly quote: ${QUOTES}`),
    value('„A“', `„ is a curly quote: ${QUOTES}`),
    value('’A’', `’ is not the quote that JSON needs: ${QUOTES}`),
    value('« A »', `« is not the quote that JSON needs: ${QUOTES}`),
    value("'A'", `' is a single quote: ${QUOTES}`),
    value('"A”', `this text ends with ”, not with a straight quote: ${QUOTES}`),
    ['[{“id”: 1}]', `1:3 “ is a curly quote: ${QUOTES}`],
    ["[{'id': 1}]", `1:3 ' is a single quote: ${QUOTES}`],
    ['[{"name": "19" rack"}]', `1:16 ${QUOTE_INSIDE}`],
    ['[{"name": "He said "yes", twice"}]', `1:21 ${QUOTE_INSIDE}`],
    ['[{"name": "19"" rack"}]', `1:15 ${QUOTE_INSIDE}`],
  ],
  'a comment': [
    ['[ // all\n]', `1:3 ${NO_COMMENTS}`],
    ['[ /* all */ ]', `1:3 ${NO_COMMENTS}`],
    ['[\n# all\n]', `2:1 ${NO_COMMENTS}`],
    ['[{"id": 1 # one\n}]', `1:11 ${NO_COMMENTS}`],
  ],
  'a comma, colon or bracket': [
    ['[{"id": 1,\n}]', '1:10 this comma has nothing after it but }: delete the comma'],
    ['[{"id": 1} ,\n]', '1:12 this comma has nothing after it but ]: delete the comma'],
    ['[{"id": 1},, {"id": 2}]', '1:12 this comma has nothing before it: delete it'],
    ['[{"id": 1}\n{"id": 2}]', '2:1 a comma is missing between two rows: add it after the } before this'],
    ['[{"id": 1\n{"id": 2}]', '2:1 the closing } of the row before this is missing: add it, and a comma'],
    ['[{"id": 1]', '1:10 the closing } of the row before this is missing: add it'],
    ['[{"id": 1}}]', '1:11 this } closes nothing: delete it'],
    ['[{"id": 1\n"name": "A"}]', '2:1 a comma is missing here: add it'],
    [
      '[{"id": 1; "name": "A"}]',
      '1:10 this is a semicolon: write a comma, or delete it at the end of the file',
    ],
    ['[{"id": 1，"name": "A"}]', '1:10 ， is not the comma that JSON needs: write ,'],
    ['[{"id"： 1}]', '1:7 ： is not the colon that JSON needs: write :'],
    ['[{"id" = 1}]', '1:8 = is not JSON: write a colon between key and value'],
    ['[{"id" 1}]', '1:8 a colon is missing here: add it'],
    ['[{"id": }]', '1:9 a value is missing after the colon: write one, or null for none'],
    ['[]\n]', '2:1 this ] closes nothing: delete it'],
  ],
  'a word that is not JSON': [
    value('NaN', 'NaN is not a number: write a number, or null for none'),
    value('-Infinity', '-Infinity is not a number: write a number, or null for none'),
    value('undefined', 'undefined is not JSON: write null for no value'),
    value('None', 'None is not JSON: write null for no value'),
    value('True', 'True has capital letters: write true'),
    value('FALSE', 'FALSE has capital letters: write false'),
    value('Cloud server', 'this text has no quotes: write it in "double quotes"'),
    value(
      '(1)',
      'this is neither a key nor a value: put keys and text in "double quotes", or write a number, true, false or null',
    ),
    value('\ufeff1', 'this is an invisible character or a special space: delete it, and type a normal space'),
    ['[{id: 1}]', '1:3 the key id has no quotes: write "id"'],
    ['[{"id": 1, product-id: 2}]', '1:12 the key product-id has no quotes: write "product-id"'],
    ['rows = [{"id": 1}]', '1:1 the file does not begin with [: delete what stands before it'],
  ],
  'the end of a file that is cut off': [
    ['[', `1:2 ${TOO_EARLY}`],
    ['[{"id": 1}', `1:11 ${TOO_EARLY}`],
    ['[{"id": 1},', `1:12 ${TOO_EARLY}`],
    ['[{"id": 1', `1:10 ${TOO_EARLY}`],
    ['[{"id": 5.', `1:9 ${TOO_EARLY}`],
    ['[{"id": nu', `1:9 ${TOO_EARLY}`],
    ['[{"id"', `1:7 ${TOO_EARLY}`],
    ['[{"name": "Clo', `1:11 ${TOO_EARLY}`],
  ],
  'a second array': [
    [
      '[{"id": 1}]\n[{"id": 2}]',
      '2:1 a second array begins here: put all rows between one [ and one ], with a comma after every row but the last',
    ],
  ],
};

for (const [what, cases] of Object.entries(faults)) {
  test(`a JSON file with ${what} is refused with what to write instead`, async t => {
    for (const [json, told] of cases) {
      const lines = await errorsOf(t, { 'products.json': json });
      const expected = `products.json:${told.replace(' ', ': error BAD_JSON ')}`;
      assert.ok(lines.includes(expected), `${json}\n${lines.join('\n')}`);
    }
  });
}

test('a JSON file without an array around its rows is refused with what to add', async t => {
  const cases: Case[] = [
    [
      '{"id": 1}\n{"id": 2}\n',
      '1:1 the rows are not in an array: write [ before the first row, a comma between two rows, and ] after the last one',
    ],
    [
      '{"products": [{"id": 1}]}',
      '1:1 the array of rows is inside another value: keep only the rows from [ to ], and delete what surrounds them',
    ],
    ['"id"', '1:1 this is not an array of rows: put all rows between one [ and one ]'],
  ];
  for (const [json, told] of cases) {
    const lines = await errorsOf(t, { 'products.json': json });
    assert.ok(
      lines.includes(`products.json:${told.replace(' ', ': error NOT_AN_ARRAY ')}`),
      lines.join('\n'),
    );
  }
});
