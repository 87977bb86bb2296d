import { type Files, shop } from '../../catalogs.ts';
import { type Fault, PRICES, prices, products } from './fault.ts';

const price = (text: string) => prices(`102,1,12,1,${text}`);
const badPrice = (shown: string, rest = ': write a plain number such as 12.50') =>
  `prices.csv:3:12: error BAD_NUMBER E3, price ${shown}${rest}`;
const TOO_LONG = ' has too many digits: write at most 8 digits after the decimal sign, and 15 in total';
const id = (text: string) => prices(`${text},1,12,1,5`);
const WHOLE_NUMBER = 'write a whole number of 1 or more, such as 12';
const badId = (shown: string) => `prices.csv:3:1: error BAD_ID A3, id ${shown}: ${WHOLE_NUMBER}`;
const NEWS = 'id,title,content,create_time,hidden\n';
const time = (text: string): Files => ({
  'news.csv': `${NEWS}1,A,B,2024-01-05,\n2,香港,"two\nlines",${text},\n`,
});
const badTime = (shown: string) =>
  `news.csv:4:8: error BAD_TIME D3, create_time ${shown}: write a date such as 2026-03-31 or 2026-03-31 18:00:00; in a spreadsheet, format the column as yyyy-mm-dd`;
const configuration = (members: string): Files => ({
  'configurations.json': `[{"id": 11, "product_id": 1, "name": "S", ${members}}]`,
  'prices.csv': `${PRICES}101,1,11,1,5\n`,
});

const NOTE = 'if it is a total or a note, delete it, or move it to another file';

/** Values that are missing or not of their column's kind. */
export const valueFaults: Fault[] = [
  [prices('Total,,,,5'), `prices.csv:3:1: error NOT_A_ROW row 3: this row has only "Total" and "5": ${NOTE}`],
  [
    prices('* without tax,,,,'),
    `prices.csv:3:1: error NOT_A_ROW row 3: this row has only "* without tax": ${NOTE}`,
  ],
  [
    prices(',,,,without tax'),
    `prices.csv:3:1: error NOT_A_ROW row 3: this row has only "without tax": ${NOTE}`,
  ],
  [
    prices('\nid,name,num,unit,\n1,Monthly,1,month,\nx,y,z,,'),
    'prices.csv:4:1: error NOT_A_ROW row 4: this row has the headings of another table: move that table to another file',
  ],
  [
    prices('id,name,num,unit\n1,Monthly,1,month\n2,Yearly,1,year'),
    'prices.csv:3:1: error NOT_A_ROW row 3: this row has the headings of another table: move that table to another file',
  ],
  [
    {
      'configurations.csv': `${shop['configurations.csv']}id,product_id,name,cpu,memory\n31,1,B,1,1024\n`,
      'prices.csv': `${shop['prices.csv']}199,1,31,1,5\n`,
    },
    'configurations.csv:7:1: error NOT_A_ROW row 7: this row has the headings of another table: move that table to another file',
  ],
  [
    { 'news.csv': 'id,title,content,create_time,status\n1,A,B,2024-01-05,\nTotal,,,,internal\n' },
    `news.csv:3:1: error NOT_A_ROW row 3: this row has only "Total" and "internal": ${NOTE}`,
  ],
  [
    { 'news.csv': 'id,title,content,create_time\n1,A,B,2024-01-05\n,,a \ufffd note,\n' },
    `news.csv:3:1: error NOT_A_ROW row 3: this row has only "a \ufffd note": ${NOTE}`,
  ],
  [
    price('5GB'),
    badPrice('"5GB" has the unit "GB"', ': write only the number, and format the column as plain numbers'),
  ],
  [price('19.8O'), badPrice('"19.8O"')],
  [
    price('5 EUR'),
    badPrice(
      '"5 EUR" has a currency sign',
      ': write only the number, and format the column as plain numbers',
    ),
  ],
  [
    price(''),
    'prices.csv:3:12: error MISSING_VALUE E3, price is missing: write a plain number such as 12.50',
  ],
  [
    products('[{"id": 1, "name": "A"},\n  {"id": 2}]'),
    'products.json:2:3: error MISSING_VALUE name is missing: write text in "double quotes"',
  ],
  [
    products('[{"id": 1, "name": "A"},\n  {"id": 2, "name": null}]'),
    'products.json:2:21: error MISSING_VALUE name is missing: write text in "double quotes"',
  ],
  [
    products('[{"id": 1, "name": "A"},\n  {"id": 2, "name": ""}]'),
    'products.json:2:21: error MISSING_VALUE name is missing: write text in "double quotes"',
  ],

  ...['0', '-3', '1.5', '1.0000', '007', 'abc', '9007199254740992'].map(
    (text): Fault => [id(text), badId(`"${text}"`)],
  ),
  [
    id('1E+05'),
    'prices.csv:3:1: error BAD_ID A3, id "1E+05" was shortened by a spreadsheet: format the column as plain numbers, then save again',
  ],
  ...['=A1', '=SUM(A1:A9)'].map(
    (text): Fault => [
      id(text),
      `prices.csv:3:1: error FORMULA A3, id "${text}" is a formula: paste its value instead`,
    ],
  ),
  ...['#REF!', '#N/A', '#DIV/0!', '#ИМЯ?', '#WERT!', 'Err:502'].map(
    (text): Fault => [
      id(text),
      `prices.csv:3:1: error FORMULA A3, id "${text}" is the error of a formula: repair the formula, then save again`,
    ],
  ),
  ...['#REF!', '#N/A', '#DIV/0!', '#ИМЯ?'].map(
    (text): Fault => [
      { 'products.csv': `id,name\n1,${text}\n2,B\n` },
      `products.csv:2:3: error FORMULA B2, name "${text}" is the error of a formula: repair the formula, then save again`,
    ],
  ),
  [
    products('[{"id": "3", "name": "A"}, {"id": 2, "name": "B"}, {"id": 1, "name": "C"}]'),
    `products.json:1:9: error BAD_ID id "3": ${WHOLE_NUMBER}, without quotes`,
  ],
  [
    products('[{"id": 1, "name": "A"}, {"id": 2, "name": "B"},\n{"id": 9007199254740993, "name": "C"}]'),
    `products.json:2:8: error BAD_ID id 9007199254740993: ${WHOLE_NUMBER}`,
  ],

  ...['1000000000000001', '9007199254740991', '-1', '1.5'].map(
    (text): Fault => [
      {
        'news.csv': `id,title,content,create_time,read\n1,A,B,2024-01-05,1000000000000000\n2,A,B,2024-01-05,${text}\n`,
      },
      `news.csv:3:18: error BAD_NUMBER E3, read "${text}": write a whole number from 0 to 1000000000000000, such as 10`,
    ],
  ),

  ...['-1', '1e3', '12.5.1', '1.234.50', '5.', 'NaN', 'free', '１２'].map(
    (text): Fault => [price(text), badPrice(`"${text}"`)],
  ),
  ...['0.123456789', '1234567890123456'].map((text): Fault => [price(text), badPrice(`"${text}"`, TOO_LONG)]),
  ...['€ 12', '12.50 EUR', '9 kr', '980円'].map(
    (text): Fault => [
      price(text),
      badPrice(
        `"${text}"`,
        ' has a currency sign: write only the number, and format the column as plain numbers',
      ),
    ],
  ),
  [
    price('12%'),
    badPrice('"12%"', ' has a percent sign: write only the number, and format the column as plain numbers'),
  ],
  [price('#####'), badPrice('"#####"', ' did not fit: make the column wider, then save again')],
  ...(
    [
      ['1,928', '1928, or 1 and 928 thousandths', '1928', '1,9280'],
      ['12.050', '12050, or 12 and 50 thousandths', '12050', '12.0500'],
      ['100,000', '100000, or 100 and 0 thousandths', '100000', '100,0000'],
    ] as const
  ).map(
    ([text, readings, whole, decimal]): Fault => [
      price(`"${text}"`),
      `prices.csv:3:12: error AMBIGUOUS_NUMBER E3, price "${text}" may be ${readings}: write ${whole} and turn off the thousands separator of this column, or write ${decimal}`,
    ],
  ),
  ...(
    [
      ['1.234,50', '1234.50'],
      ['1,234.50', '1234.50'],
      ['1,234,567', '1234567'],
      ['1 928', '1928'],
      ['1\u00a0928,5', '1928.5'],
      ['1\u202f928', '1928'],
      ["1'928", '1928'],
      ['12,34,567.8', '1234567.8'],
    ] as const
  ).map(
    ([text, plain]): Fault => [
      price(`"${text}"`),
      `prices.csv:3:12: error THOUSANDS_SEPARATOR E3, price "${text}" has a thousands separator: write ${plain}, and turn off the thousands separator of this column`,
    ],
  ),
  [
    { 'prices.csv': `${PRICES}101,1,11,1,0.5\n102,1,12,1,"1,928"\n` },
    'prices.csv:3:12: error THOUSANDS_SEPARATOR E3, price "1,928" has a thousands separator: write 1928, and turn off the thousands separator of this column',
  ],
  [
    { 'prices.csv': `${PRICES}101,1,11,1,0.5\n102,1,12,1,"0,123"\n` },
    'prices.csv:3:12: error DECIMAL_SIGN E3, price "0,123" has a decimal comma, but this column has decimal points: write 0.123',
  ],
  [
    { 'prices.csv': `${PRICES}101,1,11,1,"0,5"\n102,1,12,1,0.5\n` },
    'prices.csv:2:12: error DECIMAL_SIGN E2, price "0,5" has a decimal comma, but this column has decimal points: write 0.5',
  ],
  [
    {
      'configurations.csv': 'id,product_id,name,cpu,memory\n11,1,S,0.5,1.024\n',
      'prices.csv': `${PRICES}101,1,11,1,5\n`,
    },
    'configurations.csv:2:12: error AMBIGUOUS_NUMBER E2, memory "1.024" may be 1024, or 1 and 24 thousandths: write 1024 and turn off the thousands separator of this column, or write 1.0240',
  ],
  [
    { 'prices.json': '[{"id": 1, "product_id": 1, "rel_id": 11, "duration_id": 1, "price": 1e2}]' },
    'prices.json:1:70: error BAD_NUMBER price 1e2: write a plain number such as 12.50',
  ],
  [
    {
      'prices.json':
        '[{"id": 1, "product_id": 1, "rel_id": 11, "duration_id": 1, "price": 0.1234567890123456}]',
    },
    `prices.json:1:70: error BAD_NUMBER price 0.1234567890123456${TOO_LONG}`,
  ],
  [
    configuration('"cpu": 0, "memory": 1'),
    'configurations.json:1:50: error BAD_NUMBER cpu 0: write a number greater than 0, such as 4 or 0.5',
  ],
  [
    configuration('"cpu": 1, "memory": 1, "order": 1.5'),
    'configurations.json:1:75: error BAD_NUMBER order 1.5: write a whole number, such as 10',
  ],
  [
    { 'durations.csv': 'id,name,num,unit\n1,A,0,day\n2,B,1,day\n3,C,1,day\n4,D,1,day\n' },
    'durations.csv:2:5: error BAD_NUMBER C2, num "0": write a whole number of 1 or more, such as 10',
  ],

  [
    { 'news.csv': `${NEWS}1,A,B,2024-01-05,maybe\n` },
    'news.csv:2:18: error BAD_BOOLEAN E2, hidden "maybe": write true or false, or leave the cell empty',
  ],
  ...['yesterday', '31 Foo 2026', '2026-03/31', '2026-03-31 18:00+15:00', '-1', '0', '12345'].map(
    (text): Fault => [time(text), badTime(`"${text}"`)],
  ),
  [
    { 'durations.csv': 'id,name,num,unit\n1,A,1,moons\n2,B,1,days\n3,C,1,day\n4,D,1,day\n' },
    'durations.csv:2:7: error BAD_UNIT D2, unit "moons": write one of hour, day, week, month, year',
  ],
  [
    products('[{"id": 1, "name": 7}, {"id": 2, "name": "B"}]'),
    'products.json:1:20: error BAD_TEXT name 7: write text in "double quotes"',
  ],
  [
    products('[{"id": 1, "name": "\\ud83d"}, {"id": 2, "name": "B"}]'),
    'products.json:1:20: error BAD_TEXT name "\\ud83d" contains half of a character: type the character again',
  ],
  [
    {
      'news.json':
        '[{"id": 1, "title": "A", "content": "B", "create_time": 1700000001, "keywords": ["a", 1]}]',
    },
    'news.json:1:81: error BAD_TEXT keywords ["a", 1]: write text in "double quotes"',
  ],
  ...['https://example.com/a.png', '//cdn/a.png', '/etc/passwd', 'a/.hidden.png', 'a\\u0000.png'].map(
    (name): Fault => [
      {
        'news.json': `[{"id": 1, "title": "A", "content": "B", "create_time": 1700000001, "img": "${name}"}]`,
      },
      `news.json:1:76: error BAD_FILE_NAME img "${name}": write the name of a file in the images directory, such as launch.webp`,
    ],
  ),
];
