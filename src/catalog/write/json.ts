import { formatLocal } from '../../time-zone.ts';
import { plainNumber, type WrittenCatalog, type WrittenValue } from './written-catalog.ts';

/** A catalog as a JSON array with a row in each line. */
export function jsonOf({ columns, rows }: WrittenCatalog): Buffer {
  const lines = rows.map(row => {
    const values = columns.flatMap(({ name }, index) => {
      const value = row[index];
      return value === undefined ? [] : [`${JSON.stringify(name)}: ${jsonValue(value)}`];
    });
    return `  {${values.join(', ')}}`;
  });
  return Buffer.from(lines.length === 0 ? '[]\n' : `[\n${lines.join(',\n')}\n]\n`);
}

/** JSON would write a small number with an exponent, which a price may not have. */
function jsonValue(value: NonNullable<WrittenValue>): string {
  if (typeof value === 'number') return plainNumber(value);
  return JSON.stringify(value instanceof Date ? formatLocal(value.getTime() / 1000) : value);
}
