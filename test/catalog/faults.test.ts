import assert from 'node:assert/strict';
import { test } from 'node:test';
import { loadCatalog } from '../../src/catalog/load.ts';
import { formatProblem, type ProblemCode, problems } from '../../src/catalog/problems.ts';
import { type Files, shop, shopWith, writeFiles } from '../catalogs.ts';

/** One fault each: what is told of it, and where. Files not named here are those of the shop. */
type Fault = [what: string, files: Files, told: string];

const PRICES = 'id,product_id,rel_id,duration_id,price\n';
const prices = (row: string): Files => ({ 'prices.csv': `${PRICES}101,1,11,1,5\n${row}\n` });
const price = (text: string) => prices(`102,1,12,1,${text}`);
const badPrice = (shown: string) =>
  `prices.csv:3:12: error BAD_NUMBER price ${shown}: write a decimal such as 12.50, with at most 8 digits after the point and 15 in all`;
const id = (text: string) => prices(`${text},1,12,1,5`);
const badId = (shown: string) =>
  `prices.csv:3:1: error BAD_ID id ${shown}: write a whole number from 1, such as 12`;
const NEWS = 'id,title,content,create_time,hidden\n';
const time = (text: string): Files => ({
  'news.csv': `${NEWS}1,A,B,2024-01-05,\n2,香港,"two\nlines",${text},\n`,
});
const badTime = (shown: string) =>
  `news.csv:4:8: error BAD_TIME create_time ${shown}: write a time such as 2026-03-31 18:00:00, or Unix seconds`;
const json = (text: string): Files => ({ 'products.json': text });
const configuration = (members: string): Files => ({
  'configurations.json': `[{"id": 11, "product_id": 1, "name": "S", ${members}}]`,
  'prices.csv': `${PRICES}101,1,11,1,5\n`,
});

const faults: Fault[] = [
  [
    'a required catalog is missing',
    { 'news.json': null },
    'news.json: error MISSING_FILE there is neither news.json nor news.csv: add one',
  ],
  [
    'a catalog is there twice',
    { ...shop, 'products.csv': 'id,name\n1,A\n' },
    'products.csv: error TWO_FILES products.json is there as well: delete one of the two',
  ],

  [
    'a byte that is no UTF-8',
    { 'products.csv': Buffer.from('id,name\n1,\xe9t\xe9\n2,B\n3,C\n', 'latin1') },
    'products.csv:2:3: error BAD_ENCODING the byte 0xE9 is no UTF-8: save the file as UTF-8 (in Excel: "CSV UTF-8")',
  ],
  [
    'the same after a U+FFFD that is in the file',
    { 'products.csv': Buffer.concat([Buffer.from('\uFEFFid,name\n1,\uFFFD'), Buffer.from([0xff])]) },
    'products.csv:2:4: error BAD_ENCODING the byte 0xFF is no UTF-8: save the file as UTF-8 (in Excel: "CSV UTF-8")',
  ],

  [
    'an empty CSV file',
    { 'prices.csv': '' },
    'prices.csv:1:1: error EMPTY_FILE the file is empty: write a header row',
  ],
  [
    'a CSV file of blank lines',
    { 'prices.csv': '\n \r\n\n' },
    'prices.csv:1:1: error EMPTY_FILE the file is empty: write a header row',
  ],
  [
    'a required column is missing',
    { 'prices.csv': 'id,product_id,rel_id,price\n101,1,11,5\n' },
    'prices.csv:1:1: error MISSING_COLUMN the header lacks the column duration_id: add it',
  ],
  [
    'a header twice',
    { 'prices.csv': 'id,product_id,rel_id,duration_id,price, ID \n101,1,11,1,5,6\n' },
    'prices.csv:1:40: error DUPLICATE_COLUMN the column id stands twice: delete one of the two',
  ],
  [
    'a blank header',
    { 'prices.csv': 'id,product_id,rel_id,,duration_id,price\n101,1,11,,1,5\n' },
    'prices.csv:1:22: error BLANK_COLUMN column 4 has no name: write one of id, product_id, rel_id, duration_id, price, rel_type',
  ],
  [
    'a row with too many cells',
    price('5,00'),
    'prices.csv:3:1: error RAGGED_ROW 6 cells under 5 headers: put a cell that contains a comma in quotes',
  ],
  [
    'a row with too few cells',
    prices('102,1,12'),
    'prices.csv:3:1: error RAGGED_ROW 3 cells under 5 headers: write a comma for each cell, also for an empty one',
  ],
  [
    'a quote that is never closed',
    prices('102,1,"12,1,5\n103,1,13,1,5'),
    'prices.csv:3:7: error UNCLOSED_QUOTE a quote opens this cell and is never closed: add the closing "',
  ],
  [
    'a quote that is not doubled',
    { 'products.csv': 'id,name\n1,"19" rack"\n2,B\n' },
    'products.csv:2:3: error STRAY_QUOTE a quote stands inside this cell: put the whole cell in quotes and write each inner " twice',
  ],
  [
    'a quote in a plain cell',
    { 'products.csv': 'id,name\n1,19" rack\n2,B\n' },
    'products.csv:2:3: error STRAY_QUOTE a quote stands inside this cell: put the whole cell in quotes and write each inner " twice',
  ],

  [
    'an empty JSON file',
    json(' \n'),
    'products.json:1:1: error EMPTY_FILE the file is empty: write an array of rows, such as []',
  ],
  [
    'a JSON object around the rows',
    json('{"products": []}'),
    'products.json:1:1: error NOT_AN_ARRAY the file is to hold an array of rows and nothing else: write [ ... ]',
  ],
  [
    'a single JSON value',
    json('\n "x"'),
    'products.json:2:2: error NOT_AN_ARRAY the file is to hold an array of rows and nothing else: write [ ... ]',
  ],
  [
    'a row that is no object',
    json('[\n{"id": 1, "name": "A"}, 7,{"id": 2, "name": "B"}]'),
    'products.json:2:25: error NOT_AN_OBJECT a row is an object: write { ... }',
  ],
  [
    'a row that is an array',
    json('[[{"id": 9}],\n{"id": 1, "name": "A"},{"id": 2, "name": "B"}]'),
    'products.json:1:2: error NOT_AN_OBJECT a row is an object: write { ... }',
  ],
  [
    'a trailing comma',
    json('[{"id": 1, "name": "A"},\n]'),
    'products.json:2:1: error BAD_JSON a value is missing here, or the comma before is one too many',
  ],
  [
    'a comment',
    json('[ // all\n]'),
    'products.json:1:3: error BAD_JSON JSON has no comments: delete this one',
  ],
  [
    'a missing comma',
    json('[{"id": 1 "name": "A"}]'),
    'products.json:1:11: error BAD_JSON a comma is missing here',
  ],
  ['a missing colon', json('[{"id" 1}]'), 'products.json:1:8: error BAD_JSON a colon is missing here'],
  [
    'text after the end',
    json('[]\n]'),
    'products.json:2:1: error BAD_JSON the array has ended before this: delete what follows it',
  ],
  [
    'a file that is cut off',
    json('[{"id": 1, "name": "A"}'),
    'products.json:1:24: error BAD_JSON the closing ] is missing: was the file cut off?',
  ],
  [
    'a raw line break in a text',
    json('[{"id": 1, "name": "A\nB"}]'),
    'products.json:1:20: error BAD_JSON this text has no closing quote on its line: write a line break inside a text as \\n',
  ],
  [
    'an unknown escape',
    json('[{"id": 1, "name": "C:\\Users"}]'),
    'products.json:1:20: error BAD_JSON unknown escape: write a backslash as \\\\',
  ],
  [
    'values nested without end',
    json(`[{"name":${'['.repeat(100_000)}`),
    'products.json:1:40: error TOO_DEEP values are nested more than 32 deep',
  ],
  [
    'a key twice',
    json('[{"id": 1, "name": "A",\n "name": "B"}, {"id": 2, "name": "C"}]'),
    'products.json:2:2: error DUPLICATE_COLUMN the key name stands twice in this row: delete one of the two',
  ],

  [
    'a required cell is empty',
    price(''),
    'prices.csv:3:12: error MISSING_VALUE price is missing: write a decimal such as 12.50, with at most 8 digits after the point and 15 in all',
  ],
  [
    'a required member is absent',
    json('[{"id": 1, "name": "A"},\n  {"id": 2}]'),
    'products.json:2:3: error MISSING_VALUE name is missing: write a text',
  ],
  [
    'a required member is null',
    json('[{"id": 1, "name": "A"},\n  {"id": 2, "name": null}]'),
    'products.json:2:21: error MISSING_VALUE name is missing: write a text',
  ],
  [
    'a required member is an empty text',
    json('[{"id": 1, "name": "A"},\n  {"id": 2, "name": ""}]'),
    'products.json:2:21: error MISSING_VALUE name is missing: write a text',
  ],

  ...['0', '-3', '1.0', '007', '1E+05', 'abc', '9007199254740992', '#REF!', '=A1'].map(
    (text): Fault => [`the id ${text}`, id(text), badId(`"${text}"`)],
  ),
  [
    'a JSON id that is a text',
    json('[{"id": "3", "name": "A"}, {"id": 2, "name": "B"}, {"id": 1, "name": "C"}]'),
    'products.json:1:9: error BAD_ID id "3": write a whole number from 1, such as 12',
  ],
  [
    'a JSON id that no number carries',
    json('[{"id": 1, "name": "A"}, {"id": 2, "name": "B"},\n{"id": 9007199254740993, "name": "C"}]'),
    'products.json:2:8: error BAD_ID id 9007199254740993: write a whole number from 1, such as 12',
  ],

  ...[
    '-1',
    '1e3',
    '0.123456789',
    '1234567890123456',
    '€ 12',
    '12.5.1',
    '1.234.50',
    '.5',
    '5.',
    'NaN',
    'free',
    '１２',
  ].map((text): Fault => [`the price ${text}`, price(text), badPrice(`"${text}"`)]),
  ['a quoted decimal comma', price('"12,5"'), badPrice('"12,5"')],
  [
    'a JSON price with an exponent',
    { 'prices.json': '[{"id": 1, "product_id": 1, "rel_id": 11, "duration_id": 1, "price": 1e2}]' },
    'prices.json:1:70: error BAD_NUMBER price 1e2: write a decimal such as 12.50, with at most 8 digits after the point and 15 in all',
  ],
  [
    'a JSON price of 16 digits',
    {
      'prices.json':
        '[{"id": 1, "product_id": 1, "rel_id": 11, "duration_id": 1, "price": 0.1234567890123456}]',
    },
    'prices.json:1:70: error BAD_NUMBER price 0.1234567890123456: write a decimal such as 12.50, with at most 8 digits after the point and 15 in all',
  ],
  [
    'no CPU at all',
    configuration('"cpu": 0, "memory": 1'),
    'configurations.json:1:50: error BAD_NUMBER cpu 0: write a positive number, such as 4 or 0.5',
  ],
  [
    'a broken order',
    configuration('"cpu": 1, "memory": 1, "order": 1.5'),
    'configurations.json:1:75: error BAD_NUMBER order 1.5: write a whole number, such as 10',
  ],
  [
    'a count of no units',
    { 'durations.csv': 'id,name,num,unit\n1,A,0,day\n2,B,1,day\n3,C,1,day\n4,D,1,day\n' },
    'durations.csv:2:5: error BAD_NUMBER num "0": write a whole number, such as 10',
  ],

  [
    'a flag that is none',
    { 'news.csv': `${NEWS}1,A,B,2024-01-05,maybe\n` },
    'news.csv:2:18: error BAD_BOOLEAN hidden "maybe": write true or false',
  ],
  ...[
    '03/04/2026',
    '2024-02-30',
    '2024-01-05 24:00:00',
    '2024-1-5',
    '2024-01-05T10:00:00Z',
    'yesterday',
    '-1',
    '1704448800000',
  ].map((text): Fault => [`the time ${text}`, time(text), badTime(`"${text}"`)]),
  [
    'an unknown unit',
    { 'durations.csv': 'id,name,num,unit\n1,A,1,days\n2,B,1,day\n3,C,1,day\n4,D,1,day\n' },
    'durations.csv:2:7: error BAD_UNIT unit "days": write one of hour, day, week, month, year',
  ],
  [
    'a number for a text',
    json('[{"id": 1, "name": 7}, {"id": 2, "name": "B"}]'),
    'products.json:1:20: error BAD_TEXT name 7: write a text',
  ],
  [
    'half a character',
    json('[{"id": 1, "name": "\\ud83d"}, {"id": 2, "name": "B"}]'),
    'products.json:1:20: error BAD_TEXT name "\\ud83d": write a text',
  ],
  ...['../secret.png', '/etc/passwd', '.hidden.png', 'a\\\\b.png'].map(
    (name): Fault => [
      `the image ${name}`,
      { 'news.json': `[{"id": 1, "title": "A", "content": "B", "create_time": 1, "img": "${name}"}]` },
      `news.json:1:67: error BAD_FILE_NAME img "${name}": write the name of a file in the images directory, such as launch.webp`,
    ],
  ),

  [
    'an id twice',
    prices('101,1,12,1,5'),
    'prices.csv:3:1: error DUPLICATE_ID id 101 stands already at prices.csv:2:1: give each row its own',
  ],
  [
    'a price twice',
    prices('102,1,11,1,6'),
    'prices.csv:3:1: error DUPLICATE_PRICE product 1, configuration 11 and duration 1 have a price already at prices.csv:2:1: delete one of the two',
  ],
  [
    'an unknown product',
    prices('102,9,12,1,5'),
    'prices.csv:3:5: error UNKNOWN_REFERENCE product_id 9 is not in products.json: write the id of a row there, or add the row',
  ],
  [
    'an unknown configuration',
    prices('102,1,99,1,5'),
    'prices.csv:3:7: error UNKNOWN_REFERENCE rel_id 99 is not in configurations.csv: write the id of a row there, or add the row',
  ],
  [
    'an unknown duration',
    prices('102,1,12,9,5'),
    'prices.csv:3:10: error UNKNOWN_REFERENCE duration_id 9 is not in durations.json: write the id of a row there, or add the row',
  ],
  [
    'an unknown type',
    { 'news.csv': 'id,title,content,create_time,type_id\n1,A,"b\nc",2024-01-05,9\n' },
    'news.csv:3:15: error UNKNOWN_REFERENCE type_id 9 is not in news_types.json: write the id of a row there, or add the row',
  ],
  [
    'a price for another product',
    prices('102,2,12,1,5'),
    'prices.csv:3:5: error WRONG_PRODUCT product_id 2: configuration 12 belongs to product 1 at configurations.csv:3:4',
  ],

  [
    'an unknown column',
    { 'prices.csv': 'id,product_id,rel_id,duration_id,price,duratoin_id\n101,1,11,1,5,7\n' },
    'prices.csv:1:40: warning UNKNOWN_COLUMN the column duratoin_id is unknown and left out: did you mean duration_id?',
  ],
  [
    'an unknown key',
    json('[{"id": 1, "name": "A", "colour": {"deep": [1]}}, {"id": 2, "name": "B", "colour": 7}]'),
    'products.json:1:25: warning UNKNOWN_COLUMN the column colour is unknown and left out: known are id, name, description',
  ],
  [
    'a configuration without a price',
    { 'prices.csv': `${PRICES}101,1,11,1,5\n102,1,13,1,5\n103,2,21,1,5\n` },
    'configurations.csv:3:1: warning NO_PRICE configuration 12 has no price',
  ],
  [
    'an image that is not there',
    { 'news.json': [{ id: 1, title: 'A', content: 'B', create_time: 1, img: 'gone.png' }] },
    'news.json:7:12: warning NO_IMAGE img gone.png is not in the images directory',
  ],
  [
    'a price of something else',
    { 'prices.csv': 'id,product_id,rel_id,duration_id,price,rel_type\n101,1,11,1,5,\n102,7,77,7,5,0\n' },
    'prices.csv:3:14: warning OTHER_RELATION rel_type 0: only prices of configurations (1) are served; the row is left out',
  ],
];

test('each fault is told with file, line, column, code and what to write instead', async t => {
  for (const [what, files, told] of faults) {
    const catalogDir = await writeFiles(t, what === 'a catalog is there twice' ? files : shopWith(files));
    const result = await loadCatalog({ catalogDir, imagesDir: catalogDir, timeZone: 'UTC' });
    // Where prices are replaced, configurations lose theirs, and the shop's own image is never there.
    const lines = result.problems
      .map(formatProblem)
      .filter(line => line === told || !/ NO_PRICE | NO_IMAGE /.test(line));
    assert.deepEqual(lines, [told], what);
    assert.equal(result.snapshot === undefined, / error /.test(told), what);
  }
});

test('a directory that is not there is told as such', async () => {
  const result = await loadCatalog({ catalogDir: '/nowhere/at all', imagesDir: '/nowhere', timeZone: 'UTC' });
  const [problem] = result.problems;
  assert.equal(problem?.code, 'NO_DIRECTORY');
  assert.match(
    formatProblem(result.problems[0] ?? assert.fail()),
    /^\/nowhere\/at all: error NO_DIRECTORY the catalog directory cannot be read: ENOENT/,
  );
});

test('no problem stands in the table that cannot happen', () => {
  const seen = new Set(faults.map(([, , told]) => told.split(' ').find(word => word in problems)));
  const elsewhere: ProblemCode[] = ['NO_DIRECTORY', 'UNREADABLE_FILE'];
  assert.deepEqual(
    Object.keys(problems).filter(code => !seen.has(code) && !elsewhere.includes(code as ProblemCode)),
    [],
  );
});
