import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isError } from '../../src/contract/problems.ts';
import { readSource } from '../support/catalog/read-source.ts';
import { shopWith, sourceIn, writeFiles } from '../support/catalogs.ts';

const broken = {
  'products.json': `[
  {"id": 1, "name": "Cloud server"},
  {"id": 2, "name": 7},
  {"id": 2, "name": "Twice"},
  {"id": "3", "name": "A text for an id"},
  {"id": 4},
  {"id": 5, "name": "A", "name": "B"},
  "no object",
  {"id": 0, "name": "Nought", "description": true}
]`,
  'configurations.csv': `id,product_id,name,cpu,memory,order,hidden
11,1,Small,1,4096,,
12,99,Lost,1,4096,,
13,1,Zero,0,4096,,
14,1,Words,one,lots,,
15,1,Ragged,1
16,1,Order,1,4096,1.5,perhaps
,1,No id,1,4096,,
18,1,Fine,1,4096,,
`,
  'durations.json': `[
  {"id": 1, "name": "Hourly", "num": 1, "unit": "hour"},
  {"id": 2, "name": "Monthly", "num": 0, "unit": "moons"}
]`,
  'prices.csv': `id,product_id,rel_id,duration_id,price
1,1,11,1,"1,928"
2,1,11,1,5
3,2,11,2,5
4,1,77,1,5
5,1,18,9,5
6,1,18,1,1e3
007,1,18,2,5
`,
  'news.csv': `id,title,content,create_time,type_id
1,"two
lines",text,2024-02-30,1
2,,text,2024-02-01,7
3,title,text,03/04/2026,2
3,title,text,2024-02-01,1
`,
};

test('a set with errors in every file is refused, and each error is reported with its line', async t => {
  const catalogDir = await writeFiles(t, shopWith(broken));
  const { report, rows } = await readSource(sourceIn(catalogDir), true);
  assert.equal(rows, undefined);
  assert.deepEqual(
    report.problems
      .filter(isError)
      .map(({ file, line, column, code }) => `${file}:${line}:${column} ${code}`),
    [
      'products.json:3:21 BAD_TEXT',
      'products.json:4:10 DUPLICATE_ID',
      'products.json:5:10 BAD_ID',
      'products.json:6:3 MISSING_VALUE',
      'products.json:7:26 DUPLICATE_COLUMN',
      'products.json:8:3 NOT_AN_OBJECT',
      'products.json:9:10 BAD_ID',
      'products.json:9:46 BAD_TEXT',
      'configurations.csv:4:11 BAD_NUMBER',
      'configurations.csv:5:12 BAD_NUMBER',
      'configurations.csv:5:16 BAD_NUMBER',
      'configurations.csv:6:1 RAGGED_ROW',
      'configurations.csv:7:19 BAD_NUMBER',
      'configurations.csv:7:23 BAD_BOOLEAN',
      'configurations.csv:8:1 MISSING_VALUE',
      'durations.json:3:39 BAD_NUMBER',
      'durations.json:3:50 BAD_UNIT',
      'prices.csv:2:10 AMBIGUOUS_NUMBER',
      'prices.csv:3:1 DUPLICATE_PRICE',
      'prices.csv:4:3 WRONG_PRODUCT',
      'prices.csv:6:8 UNKNOWN_REFERENCE',
      'prices.csv:7:10 BAD_NUMBER',
      'prices.csv:8:1 BAD_ID',
      'news.csv:3:13 BAD_TIME',
      'news.csv:4:3 MISSING_VALUE',
      'news.csv:4:20 UNKNOWN_REFERENCE',
      'news.csv:5:14 BAD_TIME',
      'news.csv:6:1 DUPLICATE_ID',
    ],
  );
});

test('a truncated file is reported with the errors before its end, but without dangling references to it', async t => {
  const catalogDir = await writeFiles(
    t,
    shopWith({
      'configurations.csv':
        'id,product_id,name,cpu,memory\n11,1,Small,none,4096\n12,1,"Tiny,1,512\n13,1,Large,1,1\n',
    }),
  );
  const { report } = await readSource(sourceIn(catalogDir));
  assert.deepEqual(
    report.problems.filter(isError).map(({ line, column, code }) => `${line}:${column} ${code}`),
    ['2:12 BAD_NUMBER', '3:6 UNCLOSED_QUOTE'],
  );
});
