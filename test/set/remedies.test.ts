import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Column, columnsOf } from '../../src/contract/columns.ts';
import { sourceText } from '../../src/formats/decode.ts';
import { parseJson } from '../../src/formats/json.ts';
import { cellOf, decimalStyle, type RawRow, type Table } from '../../src/formats/table.ts';
import { parseCell } from '../../src/set/cells/cells.ts';
import { hintFor } from '../../src/set/cells/hints.ts';
import { openTimeZone } from '../../src/time-zone.ts';

const UTC = openTimeZone('UTC');
const COLUMNS = ['price', 'memory', 'cpu', 'num', 'read', 'order'];
const columns = (['configurations', 'durations', 'prices', 'news'] as const)
  .flatMap(columnsOf)
  .filter(({ name }) => COLUMNS.includes(name));

/**
 * What cells mean: a text, and all that it may mean in any column of numbers, or in those that are named; `whole` are the
 * columns of whole numbers. A remedy names each of these values or none.
 */
const MEANINGS = `1.2.3 |
1.234.56 |
1 23 456 |
12,50,00 |
1 2 |
0x10 | 16
١٢ |
19.90- |
(5.00) |
-5 |
19.9o |
n/a |
- |
12% |
5k |
4 Gb |
99 ¢ |
5 k€ |
5 M$ |
4 GB x 2 |
4 GB | memory 4096
4GB | memory 4096
4 GiB | memory 4096
2 TB | memory 2097152
1,5 GB | memory 1536
512 MB | memory 512
1,024 MB | memory 1024 1.024
1.928,50 GB | memory 1974784
2 vCPU | cpu 2
12.50 EUR | price 12.5
€ 12 | price 12
1.928 € | price 1928 1.928
US$ 5.00 | price 5
19,90 zł | price 19.9
'19.90 | 19.9
'12 | 12
１９.９０ | 19.9
１２ | 12
+5 | 5
19.90\u200b | 19.9
12\u2060 | 12
199,- | 199
199.– | 199
5. | 5
.5 | 0.5
007 | 7
0,125 | 0.125
19,90 | 19.9
16 384 | 16384
16\u202f384 | 16384
1'024 | 1024
1'024.50 | 1024.5
1_024 | 1024
1.234.567 | 1234567
12,34,567 | 1234567
1,234.50 | 1234.5
1.234,50 | 1234.5
1,000 | 1000 1
1.000 | 1000 1
1,928 | 1928 1.928
1.928 | 1928 1.928`;

const FORMS = {
  'CSV with points': text => tableOf('csv', '.', text),
  'CSV with commas': text => tableOf('csv', ',', text),
  workbook: text => tableOf('sheet', '.', JSON.stringify(text)),
  'JSON text': text => tableOf('json', '.', JSON.stringify(text)),
} satisfies Record<string, (text: string) => Table>;

function tableOf(format: Table['format'], decimal: Table['decimal'], cell: string): Table {
  const row: RawRow = { start: 0, end: 0, matchesHeader: true, names: ['cell'], cells: [cell] };
  const locate = () => ({ file: 'a' });
  return { file: 'a', format, encoding: 'utf-8', decimal, rows: [row], complete: true, locate };
}

function valueIn(table: Table, column: Column) {
  const cell = table.rows[0] && cellOf(table.rows[0], 'cell');
  const style = { format: table.format, ...decimalStyle(table, 'cell') };
  const value = parseCell(cell, style, column.schema.cellType ?? 'text', UTC);
  const { minimum = 0, exclusiveMinimum = Number.NEGATIVE_INFINITY } = column.schema;
  const isValid = typeof value === 'number' && value >= minimum && value > exclusiveMinimum;
  return { value: isValid ? value : null, remedy: hintFor(column, cell ?? '', style).remedy };
}

/** The numbers that a remedy says to write. */
function named(remedy: string): string[] {
  const plain = remedy.replace(/such as .*/, '');
  return Array.from(plain.matchAll(/(?:write|or) (-?\d[^\s,]*(?:,\d+)*)/g), ([, number]) => String(number));
}

/** What the cells mean in a column, whether it may stand there or not. */
function meaningsIn({ name }: Column): [text: string, values: number[]][] {
  return MEANINGS.split('\n').map(line => {
    const [text = '', meaning = ''] = line.split(' |').map(part => part.trim());
    const [first = '', ...rest] = meaning.split(' ');
    const values = COLUMNS.includes(first) ? (first === name ? rest : []) : [first, ...rest].filter(Boolean);
    return [text, values.map(Number)];
  });
}

/** The cells with a meaning whose remedies were not obeyed. */
function withoutRemedy(obeyed: readonly string[]): string[] {
  const lines = MEANINGS.split('\n').filter(line => !line.endsWith('|'));
  return lines
    .map(line => line.split(' |')[0] ?? '')
    .filter(text => !obeyed.includes(text))
    .toSorted();
}

test('what a remedy says to write is, once it is written, all that the cell may mean', () => {
  const obeyed: string[] = [];
  for (const column of columns)
    for (const [text, meaning] of meaningsIn(column))
      for (const [form, write] of Object.entries(FORMS)) {
        const { value, remedy } = valueIn(write(text), column);
        const values = named(remedy);
        if (value !== null || values.length === 0) continue;
        const { format, decimal } = write('');
        const served = values.map(number => valueIn(tableOf(format, decimal, number), column).value);
        const isWhole = column.schema.type === 'integer';
        const expected = isWhole ? meaning.filter(Number.isInteger) : meaning;
        assert.deepEqual(served, expected, `${column.name} ${text} in ${form}: ${remedy}`);
        obeyed.push(text);
      }
  assert.deepEqual(withoutRemedy(obeyed), ['0x10', '1,024 MB', '1.928 €']);
});

test('so is what a remedy says to write in place of a number that JSON does not have', () => {
  const obeyed: string[] = [];
  for (const column of columns)
    for (const [text, meaning] of meaningsIn(column)) {
      const told: string[] = [];
      const read = (value: string) => {
        const source = sourceText('a.json', `[{"${column.name}": ${value}}]`);
        const { rows } = parseJson(source, [column], (_place, _code, message) => told.push(message));
        return rows[0] && cellOf(rows[0], column.name);
      };
      if (read(text) !== undefined) continue;
      const values = named(told.join()).map(number => Number(read(number)));
      if (values.length === 0) continue;
      assert.deepEqual(values, meaning, `${column.name} ${text}: ${told[0]}`);
      obeyed.push(text);
    }
  const valid = ['1.000', '1.928'];
  const others = ["'12", "'19.90", '12\u2060', '19.90\u200b', '199,-', '199.–', 'US$ 5.00'];
  assert.deepEqual(withoutRemedy(obeyed), [...valid, ...others].toSorted());
});
