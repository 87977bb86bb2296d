import type { Column } from '../../contract/columns.ts';
import { formatLocal } from '../../time-zone.ts';
import { plainNumber, type WrittenCatalog, type WrittenValue } from './written-catalog.ts';

/** A catalog as a JSON array with a row in each line. */
export function jsonOf({ columns, rows }: WrittenCatalog): Buffer {
  return Buffer.from([...jsonPieces(columns, rows)].join(''));
}

/** The same in pieces: each row, and what ends the array. */
export function* jsonPieces(
  columns: readonly Column[],
  rows: Iterable<readonly WrittenValue[]>,
): Generator<string> {
  let before = '[\n';
  for (const row of rows) {
    yield `${before}  ${jsonRow(columns, row)}`;
    before = ',\n';
  }
  yield before === ',\n' ? '\n]\n' : '[]\n';
}

function jsonRow(columns: readonly Column[], row: readonly WrittenValue[]): string {
  const values = columns.flatMap(({ name }, index) => {
    const value = row[index];
    return value === undefined ? [] : [`${JSON.stringify(name)}: ${jsonValue(value)}`];
  });
  return `{${values.join(', ')}}`;
}

/** JSON would write a small number with an exponent, which a price may not have. */
function jsonValue(value: NonNullable<WrittenValue>): string {
  if (typeof value === 'number') return plainNumber(value);
  return JSON.stringify(value instanceof Date ? formatLocal(value.getTime() / 1000) : value);
}
