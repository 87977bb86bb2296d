import { type Fault, prices } from './fault.ts';

const durations = (...names: string[]) => ({
  'durations.json': names.map((name, index) => ({ id: index + 1, name, num: 1, unit: 'year' })),
});
const news = (type: unknown) => ({
  'news.json': [{ id: 1, title: 'A', content: 'b', create_time: '2024-01-05', type_id: type }],
});

/** References by names that are not those of one row. */
export const referenceFaults: Fault[] = [
  [
    prices('102,Cloud sever,12,1,5'),
    'prices.csv:3:5: error UNKNOWN_REFERENCE B3, product_id "Cloud sever" is not a name in products.json: did you mean "Cloud server"?',
  ],
  [
    prices('102,1,12,YEARLY,5'),
    'prices.csv:3:10: error UNKNOWN_REFERENCE D3, duration_id "YEARLY" is not a name in durations.json: write a name or an id from there',
  ],
  [
    news('Launch'),
    'news.json:7:16: error UNKNOWN_REFERENCE type_id "Launch" is not a name in news_types.json: write a name or an id from there',
  ],
  [
    { ...durations('One year', 'Yearly', 'Yearly'), ...prices('102,1,12,Yearly,5') },
    'prices.csv:3:10: error AMBIGUOUS_NAME D3, duration_id "Yearly" is the name of 2 rows of durations.json: write one of their ids, 2 or 3',
  ],
  [
    { ...durations('Y', 'Year', 'Year', 'Year', 'Year'), ...prices('102,1,12,Year,5') },
    'prices.csv:3:10: error AMBIGUOUS_NAME D3, duration_id "Year" is the name of 4 rows of durations.json: write one of their ids, 2, 3, 4 …',
  ],
  [
    {
      'prices.csv': 'id,product_id,rel_id,duration_id,price\n1,1,11,2,5\n2,1,11,1,5\n',
      'durations.json': [
        { id: 1, name: '2', num: 2, unit: 'month' },
        { id: 2, name: '1', num: 1, unit: 'month' },
      ],
    },
    'prices.csv:2:8: error AMBIGUOUS_NAME D2, duration_id 2 is the id of one row of durations.json and the name of another, with the id 1: give that row a name with letters (2 cells: D2, D3)',
  ],
  [
    prices('102,Cloud\u200b server,12,1,5'),
    'prices.csv:3:5: error UNKNOWN_REFERENCE B3, product_id "Cloud\\u200b server" is not a name in products.json: did you mean "Cloud server"?',
  ],
  [
    { 'news_types.json': null, ...news('Launch') },
    'news.json:7:16: error UNKNOWN_REFERENCE type_id "Launch" is a name, and no news_types can be read: write an id, or add news_types.csv',
  ],
  [
    { 'news_types.json': '[', ...news('Launch') },
    'news_types.json:1:2: error BAD_JSON the file ends too early: save or copy the whole file again, or add what is missing up to the closing ]',
  ],
  [
    { 'news_types.json': '[{"name": "Launch"}]', ...news('Launch') },
    'news_types.json:1:2: error MISSING_VALUE id is missing: write a whole number of 1 or more, such as 12',
  ],
  [
    { 'news_types.json': '[{"id": 1}]', ...news('Launch') },
    'news_types.json:1:2: error MISSING_VALUE name is missing: write text in "double quotes"',
  ],
  [
    prices('102,1,Tiny,1,5'),
    'prices.csv:3:7: error BAD_ID C3, rel_id "Tiny": write a whole number of 1 or more, such as 12',
  ],
  [
    news('1'),
    'news.json:7:16: error BAD_ID type_id "1": write a whole number of 1 or more, such as 12, without quotes, or the name of a news type',
  ],
  [
    prices('102,=B2,12,1,5'),
    'prices.csv:3:5: error FORMULA B3, product_id "=B2" is a formula: paste its value instead',
  ],
];
