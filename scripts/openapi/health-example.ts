import { success } from '../../src/answer/envelope.ts';
import type { Health } from '../../src/contract/health.ts';

const file = { encoding: 'utf-8' };
const csv = { ...file, delimiter: ',' };

/** The health of the sample catalogs, whose prices.csv has decimal commas and then repeats its third and fourth line. */
export const health = success({
  status: 'ok',
  reasons: [],
  catalogs: {
    version: '790948ef4deb',
    loaded: '2026-11-22T05:22:51Z',
    files: [
      { catalog: 'products', file: 'products.json', rows: 5, ...file },
      { catalog: 'configurations', file: 'configurations.csv', rows: 41, ...csv },
      { catalog: 'durations', file: 'durations.xlsx', sheet: 'durations', rows: 8, ...file },
      { catalog: 'prices', file: 'prices.csv', rows: 247, ...file, delimiter: ';', decimal: ',' },
      { catalog: 'news_types', file: 'news_types.json', rows: 6, ...file },
      { catalog: 'news', file: 'news.json', rows: 40, ...file },
      { catalog: 'news', file: 'news/*.md', rows: 4, ...file },
    ],
    reading: { csv_encoding: 'utf-8', csv_decimal: '.', time_zone: 'UTC', markdown_html: false },
  },
  last_attempt: {
    outcome: 'pending',
    time: '2026-11-22T05:22:53Z',
    errors: 4,
    warnings: 0,
    problems: [...duplicates(249, 3, 'id 2', 'duration 4'), ...duplicates(250, 4, 'id 3', 'duration 5')],
  },
  held: null,
  pinned: null,
  loading: null,
  reads: { store: 'file', unsaved: 0, last_flush: '2026-11-22T05:22:52Z' },
} satisfies Health);

/** A row whose id and whose price another one has. */
function duplicates(row: number, before: number, id: string, duration: string) {
  const place = { file: 'prices.csv', line: row, column: 1, row };
  const also = { file: 'prices.csv', line: before, column: 1, row: before };
  const heading = 'id';
  return [
    {
      severity: 'error' as const,
      code: 'DUPLICATE_ID' as const,
      ...{ ...place, cell: `A${row}`, heading },
      message: `${id} is already used at A${before} in prices.csv: give each row its own id`,
      also: { ...also, cell: `A${before}`, heading },
    },
    {
      severity: 'error' as const,
      code: 'DUPLICATE_PRICE' as const,
      ...place,
      message: `product 1, configuration 1 and ${duration} already have a price at row ${before} in prices.csv: delete one of the two`,
      also,
    },
  ];
}
