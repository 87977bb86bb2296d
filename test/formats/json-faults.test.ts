import assert from 'node:assert/strict';
import { test } from 'node:test';
import { columnsOf } from '../../src/contract/columns.ts';
import { formatProblem } from '../../src/contract/problems.ts';
import { sourceText } from '../../src/formats/decode.ts';
import { parseJson } from '../../src/formats/json.ts';
import { collectProblems } from '../../src/set/collect-problems.ts';

/** The problems of a products.json, each as `LINE:COLUMN CODE MESSAGE`. */
function problemsOf(json: string): string[] {
  const { report, summarize } = collectProblems();
  parseJson(sourceText('p', json), columnsOf('products'), report);
  return summarize([]).problems.map(problem => formatProblem(problem).replace(/^p:|(?<=\d): error/g, ''));
}

const QUOTES = 'is not a straight quote: write the straight quote " before and after each key and each text';
const NO_COMMENTS = 'JSON does not allow comments: delete this one';
const TOO_EARLY =
  'the file ends too early: save or copy the whole file again, or add what is missing up to the closing ]';
const QUOTE_INSIDE = 'a quote inside a text ends it before this: write \\" for each quote inside the text';

test('a number that JSON writes in another way is refused with the number to write', () => {
  for (const [written, number] of Object.entries({
    '16 384': '16384',
    '1\u202f024,50': '1024.50',
    "1'024": '1024',
    '1_024': '1024',
    '16,384': '16384, or 16.384 if you mean a decimal',
    '1,234,567': '1234567',
    '1,234.50': '1234.50',
    '1.234,50': '1234.50',
    '0,125': '0.125',
    '-007.50': '-7.50',
    '+5': '5',
    '-.5': '-0.5',
    '5.': '5',
    '１２': '12',
    '5 GB': '5',
    '€ 5': '5',
  }))
    assert.deepEqual(problemsOf(`[{"id": ${written}}]`), [
      `1:9 BAD_JSON ${written} is not a JSON number: write ${number}`,
    ]);
});

test('a value that is not JSON is refused with what to write instead', () => {
  for (const [written, message] of Object.entries({
    '2026-3-1': '2026-3-1 is a date without quotes: write it like "2026-03-31"',
    '31.03.2026': '31.03.2026 is a date without quotes: write it like "2026-03-31"',
    '“A”': `“ ${QUOTES}`,
    '« A »': `« ${QUOTES}`,
    "'A'": `' ${QUOTES}`,
    '"A”': `this text ends with ”, not with a straight quote: ${QUOTES.slice(QUOTES.indexOf('write'))}`,
    NaN: 'NaN is not JSON: write null for no value',
    '-Infinity': '-Infinity is not JSON: write null for no value',
    None: 'None is not JSON: write null for no value',
    True: 'True has capital letters: write true or false',
    'Cloud server': 'this text has no quotes: write it in "double quotes"',
    '(1)':
      'this is neither a key nor a value: put keys and text in "double quotes", or write a number, true, false or null',
    '\ufeff1': 'this is an invisible character or a special space: delete it, and type a normal space',
    '"\\x"': 'this escape is unknown: write a backslash as \\\\',
    '"\\u00"': 'this \\u escape is incomplete: write four hexadecimal digits, such as \\u00e9',
    '"a\tb"': 'this text contains a control character: write a tab as \\t, a line break as \\n',
    '"a\nb"': 'this text has no closing quote on its line: add it, and write a line break inside text as \\n',
  }))
    assert.deepEqual(problemsOf(`[{"id": ${written}}]`), [`1:9 BAD_JSON ${message}`]);
});

test('a comment, comma, colon, quote or bracket that is too much or missing is refused with what to do', () => {
  for (const [json, problem] of Object.entries({
    '[{“id”: 1}]': `1:3 “ ${QUOTES}`,
    '[{"name": "19" rack"}]': `1:16 ${QUOTE_INSIDE}`,
    '[{"name": "19"" rack"}]': `1:15 ${QUOTE_INSIDE}`,
    '[ // all\n]': `1:3 ${NO_COMMENTS}`,
    '[{"id": 1 # one\n}]': `1:11 ${NO_COMMENTS}`,
    '[{id: 1}]': '1:3 the key id has no quotes: write "id"',
    '[{"id": 1, "name": "at 10: 12",\n"order": 16 384}]': '2:10 16 384 is not a JSON number: write 16384',
    '[{"id": 1,\n}]': '1:10 this comma has nothing after it but }: delete the comma',
    '[{"id": 1} ,\n]': '1:12 this comma has nothing after it but ]: delete the comma',
    '[{"id": 1},, {"id": 2}]': '1:12 this comma has nothing before it: delete it',
    '[{"id": 1}\n{"id": 2}]': '2:1 a comma is missing between two rows: add it after the } before this',
    '[{"id": 1\n{"id": 2}]': '2:1 the closing } of the row before this is missing: add it, and a comma',
    '[{"id": 1]': '1:10 the closing } of the row before this is missing: add it',
    '[{"id": 1}}]': '1:11 this } closes nothing: delete it',
    '[{"id": 1\n"name": "A"}]': '2:1 a comma is missing here: add it',
    '[{"name":"A" "id": 1}]': '1:14 a comma is missing here: add it',
    '[{"id": 1; "name": "A"}]': '1:10 ; is not the comma that JSON needs: write ,',
    '[{"id": 1，"name": "A"}]': '1:10 ， is not the comma that JSON needs: write ,',
    '[{"id" = 1}]': '1:8 = is not the colon that JSON needs: write :',
    '[{"id" 1}]': '1:8 a colon is missing here: add it',
    '[{"id": }]': '1:9 a value is missing after the colon: write one, or null for none',
    '[]\n]': '2:1 this ] closes nothing: delete it',
    'x[{"id": 1}]': '1:1 the file does not begin with [: delete what stands before it',
    '[{"id": 1}': `1:11 ${TOO_EARLY}`,
    '[{"id": tr': `1:9 ${TOO_EARLY}`,
    '[{"name": "Clo': `1:11 ${TOO_EARLY}`,
    '[{"id": 1}]\n[{"id": 2}]':
      '2:1 a second array begins here: put all rows between one [ and one ], with a comma after every row but the last',
  }))
    assert.deepEqual(
      problemsOf(json).filter(line => line.includes('BAD_JSON')),
      [problem.replace(' ', ' BAD_JSON ')],
    );
});

test('rows without an array around them are refused with what to add', () => {
  for (const [json, message] of Object.entries({
    '{"id": 1}\n{"id": 2}\n':
      'the rows are not in an array: write [ before the first row, a comma between two rows, and ] after the last one',
    '{"products": [{"id": 1}]}':
      'the array of rows is inside another value: keep only the rows from [ to ], and delete what surrounds them',
    '"id"': 'this is not an array of rows: put all rows between one [ and one ]',
  }))
    assert.deepEqual(problemsOf(json), [`1:1 NOT_AN_ARRAY ${message}`]);
});
