import { type Fault, PRICES, prices, products } from './fault.ts';

const PUBLICATION = 'id,title,content,create_time,publish_time,unpublish_time\n';

/** Rows that clash with other rows, and what is worth a warning. */
export const setFaults: Fault[] = [
  [
    prices('101,1,12,1,5'),
    'prices.csv:3:1: error DUPLICATE_ID A3, id 101 is already used at A2 in prices.csv: give each row its own id',
  ],
  [
    prices('102,1,11,1,6'),
    'prices.csv:3:1: error DUPLICATE_PRICE row 3: product 1, configuration 11 and duration 1 already have a price at row 2 in prices.csv: delete one of the two',
  ],
  [
    prices('102,9,12,1,5'),
    'prices.csv:3:5: error UNKNOWN_REFERENCE B3, product_id 9 is not in products.json: write an id from there, or add a row with this id',
  ],
  [
    prices('102,1,99,1,5'),
    'prices.csv:3:7: error UNKNOWN_REFERENCE C3, rel_id 99 is not in configurations.csv: write an id from there, or add a row with this id',
  ],
  [
    prices('102,1,12,9,5'),
    'prices.csv:3:10: error UNKNOWN_REFERENCE D3, duration_id 9 is not in durations.json: write an id from there, or add a row with this id',
  ],
  [
    { 'news.csv': 'id,title,content,create_time,type_id\n1,A,"b\nc",2024-01-05,9\n' },
    'news.csv:3:15: error UNKNOWN_REFERENCE E2, type_id 9 is not in news_types.json: write an id from there, or add a row with this id',
  ],
  [
    prices('102,2,12,1,5'),
    'prices.csv:3:5: error WRONG_PRODUCT B3, configuration 12 belongs to product 1 at B3 in configurations.csv, not to product 2: correct product_id or rel_id',
  ],
  [
    { 'news.csv': `${PUBLICATION}1,A,B,2024-01-05,2026-04-01,2026-03-31 18:00\n` },
    'news.csv:2:29: error NEVER_SHOWN F2, unpublish_time 2026-03-31 18:00:00 is not after publish_time 2026-04-01 00:00:00: write a later time, or leave the cell empty',
    { timeZone: 'Europe/Berlin' },
  ],
  [
    {
      'news.json': `[
  {"id": 1, "title": "A", "content": "B", "create_time": 1700000001, "hidden": true,
   "unpublish_time": "2026-03-31", "publish_time": 1774915200}
]`,
    },
    'news.json:3:22: error NEVER_SHOWN unpublish_time 2026-03-31 00:00:00 is not after publish_time 2026-03-31 00:00:00: write a later time, or leave out the key',
  ],

  [
    { 'prices.csv': 'id,product_id,rel_id,duration_id,price,duratoin_id\n101,1,11,1,5,7\n' },
    'prices.csv:1:40: warning UNKNOWN_COLUMN F1, column duratoin_id is unknown and ignored: did you mean duration_id?',
  ],
  [
    products('[{"id": 1, "name": "A", "colour": {"deep": [1]}}, {"id": 2, "name": "B", "colour": 7}]'),
    'products.json:1:25: warning UNKNOWN_COLUMN column colour is unknown and ignored: known columns are id, name, description',
  ],
  ...[
    ['ordre', 'order'],
    ['productId', 'product_id'],
    ['Product ID', 'product_id'],
    ['MEMORY', 'memory'],
  ].map(
    ([key, near]): Fault => [
      {
        'configurations.json': `[{"id": 11, "product_id": 1, "name": "S", "cpu": 1, "memory": 1, "${key}": 1}]`,
        'prices.csv': `${PRICES}101,1,11,1,5\n`,
      },
      `configurations.json:1:66: warning UNKNOWN_COLUMN column ${key} is unknown and ignored: did you mean ${near}?`,
    ],
  ),
  [
    products('[{"id": 1, "name": "A", "x\\ny \\u001b[31m": 1}, {"id": 2, "name": "B"}]'),
    'products.json:1:25: warning UNKNOWN_COLUMN column x\\u000ay \\u001b[31m is unknown and ignored: known columns are id, name, description',
  ],
  [
    products(`[{"id": 1, "name": "A", "${'k'.repeat(5000)}": 1}, {"id": 2, "name": "B"}]`),
    `products.json:1:25: warning UNKNOWN_COLUMN column ${'k'.repeat(40)}… is unknown and ignored: known columns are id, name, description`,
  ],
  [
    products('[{"id": 1, "name": "A", "": 1}, {"id": 2, "name": "B"}]'),
    'products.json:1:25: warning UNKNOWN_COLUMN column "" is unknown and ignored: known columns are id, name, description',
  ],
  [
    products('[{"id": 1, "name": "GrÃ¶ÃŸe"}, {"id": 2, "name": "B"}]'),
    'products.json:1:20: warning DAMAGED_TEXT name has wrong characters such as Ã¶: type it again, or restore it from a file that was saved as UTF-8',
  ],
  [
    { 'prices.csv': `${PRICES}101,1,11,1,5\n102,1,13,1,5\n103,2,21,1,5\n` },
    'configurations.csv:3:1: warning NO_PRICE row 3: configuration 12 has no price: add one, or hide the configuration',
  ],
  [
    { 'news.json': [{ id: 1, title: 'A', content: 'B', create_time: 1_700_000_001, img: 'gone.png' }] },
    'news.json:7:12: warning NO_IMAGE img gone.png is not in the images directory: add the file, or correct the name',
  ],
  [
    { 'news.json': [{ id: 1, title: 'A', content: 'B', create_time: 1_700_000_001, img: 'scan.tiff' }] },
    'news.json:7:12: warning UNKNOWN_IMAGE_KIND img scan.tiff is not served, because of its file type: use one of png, jpg, jpeg, webp, gif, avif, svg',
  ],
  [
    { 'prices.csv': 'id,product_id,rel_id,duration_id,price,rel_type\n101,1,11,1,5,\n102,7,77,7,5,0\n' },
    'prices.csv:3:14: warning OTHER_RELATION F3, rel_type 0 is not served, so this row is ignored: write 1 for the price of a configuration',
  ],
  [
    { 'news.csv': 'id,title,content,create_time\n1,A,B,2024-01-05\n2,A,B, 2026-03-29 2:30\n' },
    'news.csv:3:7: warning SKIPPED_TIME D3, create_time 2026-03-29 02:30:00 does not exist in Europe/Berlin, because the clocks go forward: 2026-03-29 03:30:00 is served; write the time that you mean',
    { timeZone: 'Europe/Berlin' },
  ],
];
