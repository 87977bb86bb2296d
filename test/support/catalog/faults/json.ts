import { type Fault, products } from './fault.ts';

/** Faults of JSON. */
export const jsonFaults: Fault[] = [
  [
    products(' \n'),
    'products.json:1:1: error EMPTY_FILE the file is empty: write an array of rows, such as []',
  ],
  [
    products('{"products": []}'),
    'products.json:1:1: error NOT_AN_ARRAY the array of rows is inside another value: keep only the rows from [ to ], and delete what surrounds them',
  ],
  [
    products('\n "x"'),
    'products.json:2:2: error NOT_AN_ARRAY this is not an array of rows: put all rows between one [ and one ]',
  ],
  [
    products('[\n{"id": 1, "name": "A"}, 7,{"id": 2, "name": "B"}]'),
    'products.json:2:25: error NOT_AN_OBJECT this is not a row: write each row as { ... }',
  ],
  [
    products('[[{"id": 9}],\n{"id": 1, "name": "A"},{"id": 2, "name": "B"}]'),
    'products.json:1:2: error NOT_AN_OBJECT this is not a row: write each row as { ... }',
  ],
  [
    products('[{"id": 1, "name": "A"},\n]'),
    'products.json:1:24: error BAD_JSON this comma has nothing after it but ]: delete the comma',
  ],
  [
    products('[ // all\n]'),
    'products.json:1:3: error BAD_JSON JSON does not allow comments: delete this one',
  ],
  [products('[{"id": 1 "name": "A"}]'), 'products.json:1:11: error BAD_JSON a comma is missing here: add it'],
  [products('[{"id" 1}]'), 'products.json:1:8: error BAD_JSON a colon is missing here: add it'],
  [products('[]\n]'), 'products.json:2:1: error BAD_JSON this ] closes nothing: delete it'],
  [
    products('[{"id": 1, "name": "A"}'),
    'products.json:1:24: error BAD_JSON the file ends too early: save or copy the whole file again, or add what is missing up to the closing ]',
  ],
  [
    products('[{"id": 1, "name": "A\nB"}]'),
    'products.json:1:20: error BAD_JSON this text has no closing quote on its line: add it, and write a line break inside text as \\n',
  ],
  [
    products('[{"id": 1, "name": "C:\\Users"}]'),
    'products.json:1:20: error BAD_JSON this escape is unknown: write a backslash as \\\\',
  ],
  [
    products(`[{"name":${'['.repeat(100_000)}`),
    'products.json:1:40: error TOO_DEEP this value is nested more than 32 levels deep: delete it',
  ],
  [
    products('[{"id": 1, "name": "A",\n "name": "B"}, {"id": 2, "name": "C"}]'),
    'products.json:2:2: error DUPLICATE_COLUMN this row has the key name twice: delete one of the two',
  ],
  [
    products('[{"id": 1, "name": "A", "\\u005f_proto__": {"id": 2}}, {"id": 2, "name": "B"}]'),
    'products.json:1:25: error FORBIDDEN_COLUMN a column cannot be named __proto__: delete it',
  ],
];
