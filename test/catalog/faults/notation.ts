import { shop } from '../../catalogs.ts';
import { type Fault, prices, products } from './fault.ts';

/** Faults of files, encodings, CSV and JSON. */
export const notationFaults: Fault[] = [
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
    'products.csv:2:3: error BAD_ENCODING the byte 0xE9 is no UTF-8: save the file as UTF-8 (in Excel: "CSV UTF-8"), or set CSV_ENCODING to what it is in',
  ],
  [
    'the same after a U+FFFD that is in the file',
    { 'products.csv': Buffer.concat([Buffer.from('\uFEFFid,name\n1,\uFFFD'), Buffer.from([0xff])]) },
    'products.csv:2:4: error BAD_ENCODING the byte 0xFF is no UTF-8: save the file as UTF-8 (in Excel: "CSV UTF-8"), or set CSV_ENCODING to what it is in',
  ],
  [
    'a workbook renamed',
    { 'products.csv': Buffer.from('504b0304140006000800', 'hex') },
    'products.csv:1:1: error WORKBOOK this is a workbook: export it as CSV UTF-8, not just rename it',
  ],
  [
    'an old workbook renamed',
    { 'products.json': Buffer.from('d0cf11e0a1b11ae1', 'hex') },
    'products.json:1:1: error WORKBOOK this is a workbook: export it as CSV UTF-8, not just rename it',
  ],
  [
    'a web page',
    { 'products.csv': '\n <!DOCTYPE html>\n<html><body>404</body></html>\n' },
    'products.csv:2:2: error WEB_PAGE this is a web page: download the file itself',
  ],
  [
    'UTF-16 without a byte order mark',
    { 'products.csv': Buffer.from('id,name\n1,A\n', 'utf16le') },
    'products.csv:1:2: error NUL_BYTE a NUL byte stands here: save the file as UTF-8',
  ],
  [
    'half a UTF-16 unit',
    { 'products.csv': Buffer.concat([Buffer.from('\uFEFFid,name\n1,A', 'utf16le'), Buffer.from('B')]) },
    'products.csv:2:4: error BAD_ENCODING this is no utf-16le: save the file as UTF-8',
  ],
  [
    'a merge that was not finished',
    { 'products.csv': 'id,name\n<<<<<<< HEAD\n1,A\n=======\n1,B\n>>>>>>> main\n2,B\n' },
    'products.csv:2:1: error MERGE_CONFLICT a merge was left unfinished here: keep one of the two sides and delete the lines of <, = and >',
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
    'the column of ids is missing, and nothing is said of what refers to them',
    { 'products.csv': 'name\nCloud server\n' },
    'products.csv:1:1: error MISSING_COLUMN the header lacks the column id: add it',
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
    'a column named __proto__',
    { 'prices.csv': 'id,product_id,rel_id,duration_id,price,__proto__\n101,1,11,1,5,6\n' },
    'prices.csv:1:40: error FORBIDDEN_COLUMN the name __proto__ is no name for a column: delete it',
  ],
  [
    'a blank header at the end over cells that are not',
    { 'prices.csv': 'id,product_id,rel_id,duration_id,price,,\n101,1,11,1,5,,\n102,1,12,1,5,6,\n' },
    'prices.csv:3:1: error RAGGED_ROW 7 cells under 5 headers: put a cell that contains a comma in quotes',
  ],
  [
    'a row with too few cells, divided by semicolons',
    { 'prices.csv': 'id;product_id;rel_id;duration_id;price\n101;1;11;1;5\n102;1;12;1\n' },
    'prices.csv:3:1: error RAGGED_ROW 4 cells under 5 headers: write a semicolon after each cell but the last, also after an empty one',
  ],
  [
    'a wrong cell behind a line sep=',
    { 'prices.csv': 'sep=;\r\nid;product_id;rel_id;duration_id;price\r\n"101";"1";11;1;x\r\n' },
    'prices.csv:3:16: error BAD_NUMBER price "x": write a decimal such as 12.50',
  ],
  [
    'a row with too many cells',
    prices('102,1,12,1,5,00'),
    'prices.csv:3:1: error RAGGED_ROW 6 cells under 5 headers: put a cell that contains a comma in quotes',
  ],
  [
    'a row with too few cells',
    prices('102,1,12'),
    'prices.csv:3:1: error RAGGED_ROW 3 cells under 5 headers: write a comma after each cell but the last, also after an empty one',
  ],
  [
    'a line without end',
    { 'products.csv': `id,name\n1,A\n${','.repeat(10_000_001)}\n` },
    'products.csv:3:1: error LINE_TOO_LONG this line has more than 10000000 characters: was the file written by mistake?',
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
    products(' \n'),
    'products.json:1:1: error EMPTY_FILE the file is empty: write an array of rows, such as []',
  ],
  [
    'a JSON object around the rows',
    products('{"products": []}'),
    'products.json:1:1: error NOT_AN_ARRAY the file is to hold an array of rows and nothing else: write [ ... ]',
  ],
  [
    'a single JSON value',
    products('\n "x"'),
    'products.json:2:2: error NOT_AN_ARRAY the file is to hold an array of rows and nothing else: write [ ... ]',
  ],
  [
    'a row that is no object',
    products('[\n{"id": 1, "name": "A"}, 7,{"id": 2, "name": "B"}]'),
    'products.json:2:25: error NOT_AN_OBJECT a row is an object: write { ... }',
  ],
  [
    'a row that is an array',
    products('[[{"id": 9}],\n{"id": 1, "name": "A"},{"id": 2, "name": "B"}]'),
    'products.json:1:2: error NOT_AN_OBJECT a row is an object: write { ... }',
  ],
  [
    'a trailing comma',
    products('[{"id": 1, "name": "A"},\n]'),
    'products.json:2:1: error BAD_JSON a value is missing here, or the comma before is one too many',
  ],
  [
    'a comment',
    products('[ // all\n]'),
    'products.json:1:3: error BAD_JSON JSON has no comments: delete this one',
  ],
  [
    'a missing comma',
    products('[{"id": 1 "name": "A"}]'),
    'products.json:1:11: error BAD_JSON a comma is missing here',
  ],
  ['a missing colon', products('[{"id" 1}]'), 'products.json:1:8: error BAD_JSON a colon is missing here'],
  [
    'text after the end',
    products('[]\n]'),
    'products.json:2:1: error BAD_JSON the array has ended before this: delete what follows it',
  ],
  [
    'a file that is cut off',
    products('[{"id": 1, "name": "A"}'),
    'products.json:1:24: error BAD_JSON the closing ] is missing: was the file cut off?',
  ],
  [
    'a raw line break in a text',
    products('[{"id": 1, "name": "A\nB"}]'),
    'products.json:1:20: error BAD_JSON this text has no closing quote on its line: write a line break inside a text as \\n',
  ],
  [
    'an unknown escape',
    products('[{"id": 1, "name": "C:\\Users"}]'),
    'products.json:1:20: error BAD_JSON unknown escape: write a backslash as \\\\',
  ],
  [
    'values nested without end',
    products(`[{"name":${'['.repeat(100_000)}`),
    'products.json:1:40: error TOO_DEEP values are nested more than 32 deep',
  ],
  [
    'a key twice',
    products('[{"id": 1, "name": "A",\n "name": "B"}, {"id": 2, "name": "C"}]'),
    'products.json:2:2: error DUPLICATE_COLUMN the key name stands twice in this row: delete one of the two',
  ],
  [
    'a key named __proto__',
    products('[{"id": 1, "name": "A", "\\u005f_proto__": {"id": 2}}, {"id": 2, "name": "B"}]'),
    'products.json:1:25: error FORBIDDEN_COLUMN the name __proto__ is no name for a column: delete it',
  ],
];
