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
const NO_CLOSING = 'this text has no closing straight quote " on its line: add it,';
const NO_VALUE =
  'this is neither a key nor a value: put keys and text in "double quotes", or write a number, true, false or null';

test('a number or a date that JSON writes in another way is refused from its begin, with how to write it', () => {
  const numbers = `16 384|1\u202f024,50|1'024|1_024|16,384|1.234,50|-007.50|+5|-.5|5.|１２|5 GB|€ 5`;
  for (const written of numbers.split('|'))
    assert.deepEqual(problemsOf(`[{"id": ${written}}]`), [
      `1:9 BAD_JSON ${written} is not a JSON number: write digits such as 4096 or 19.90, without spaces, units, thousands separators and leading zeros`,
    ]);
  for (const written of ['2026-3-1', '31.03.2026'])
    assert.deepEqual(problemsOf(`[{"id": ${written}}]`), [
      `1:9 BAD_JSON ${written} is a date without quotes: write it like "2026-03-31"`,
    ]);
});

test('what is not JSON is refused where it begins, with what to do', () => {
  for (const [json, problem] of Object.entries({
    '[{"id": “A”}]': `1:9 “ ${QUOTES}`,
    "[{'id': 1}]": `1:3 ' ${QUOTES}`,
    '[{"id": "A”}]': `1:9 ${NO_CLOSING}`,
    '[{"id": "a\nb"}]': `1:9 ${NO_CLOSING}`,
    '[{"id": Cloud server}]': `1:9 ${NO_VALUE}`,
    '[{"id": None}]': `1:9 ${NO_VALUE}`,
    '[{"id": \ufeff1}]': '1:9 this is an invisible character or a special space: delete it',
    '[{"id": "\\x"}]': '1:9 this escape is unknown: write a backslash as \\\\',
    '[{"id": "\\u00"}]': '1:9 this \\u escape is incomplete: write four hexadecimal digits',
    '[{"id": "a\tb"}]': '1:9 this text contains a control character: write a tab as \\t',
    '[{"name": "19" rack"}]': `1:16 ${QUOTE_INSIDE}`,
    '[{"name": "19"" rack"}]': `1:15 ${QUOTE_INSIDE}`,
    '[ // all\n]': `1:3 ${NO_COMMENTS}`,
    '[{"id": 1 # one\n}]': `1:11 ${NO_COMMENTS}`,
    '[{id: 1}]': '1:3 the key id has no quotes: write "id"',
    '[{"id": 1, "name": "at 10: 12",\n"order": 16 384}]': '2:10 16 384 is not a JSON number: write',
    '[{"id": 1,\n}]': '1:10 this comma has nothing after it but }: delete the comma',
    '[{"id": 1} ,\n]': '1:12 this comma has nothing after it but ]: delete the comma',
    '[{"id": 1},, {"id": 2}]': '1:12 a value is missing here: write one, or null for none',
    '[{"id": }]': '1:9 a value is missing here: write one, or null for none',
    '[{"id": 1}\n{"id": 2}]': '2:1 a comma is missing here: add it',
    '[{"id": 1\n"name": "A"}]': '2:1 a comma is missing here: add it',
    '[{"id": 1\n{"id": 2}]': '2:1 the closing } of the row before this is missing: add it, and a comma',
    '[{"id": 1]': '1:10 the closing } of the row before this is missing: add it',
    '[{"id": 1}}]': '1:11 this } closes nothing: delete it',
    '[{"id": 1，"name": "A"}]': '1:10 ， is not a sign of JSON: write , between values, and : after a key',
    '[{"id" = 1}]': '1:8 = is not a sign of JSON: write , between values, and : after a key',
    '[{"id" 1}]': '1:8 a colon is missing here: add it',
    '[{"id": 1}]\n[{"id": 2}]':
      '2:1 the array ends before this: delete what follows, or put all rows between',
    '[{"id": 1}': `1:11 ${TOO_EARLY}`,
    '[{"id": tr': `1:9 ${TOO_EARLY}`,
    '[{"name": "Clo': `1:11 ${TOO_EARLY}`,
    '{"id": 1}\n{"id": 2}\n': '1:1 this is not an array of rows: put all rows between one [ and one ]',
  })) {
    const [place, ...message] = problem.split(' ');
    const code = json.startsWith('{') ? 'NOT_AN_ARRAY' : 'BAD_JSON';
    const [found = ''] = problemsOf(json).filter(line => line.includes(code));
    assert.ok(found.startsWith(`${place} ${code} ${message.join(' ')}`), `${json} ${found}`);
  }
});
