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
    problems: [
      {
        severity: 'error',
        code: 'DUPLICATE_ID',
        file: 'prices.csv',
        line: 249,
        column: 1,
        row: 249,
        cell: 'A249',
        heading: 'id',
        message: 'id 2 is already used at A3 in prices.csv: give each row its own id',
        also: { file: 'prices.csv', line: 3, column: 1, row: 3, cell: 'A3', heading: 'id' },
        count: 2,
        last: { file: 'prices.csv', line: 250, column: 1, row: 250, cell: 'A250', heading: 'id' },
      },
      {
        severity: 'error',
        code: 'DUPLICATE_PRICE',
        file: 'prices.csv',
        line: 249,
        column: 1,
        row: 249,
        message:
          'product 1, configuration 1 and duration 4 already have a price at row 3 in prices.csv: delete one of the two',
        also: { file: 'prices.csv', line: 3, column: 1, row: 3 },
        count: 2,
        last: { file: 'prices.csv', line: 250, column: 1, row: 250 },
      },
    ],
  },
  held: null,
  pinned: null,
  loading: null,
  reads: { store: 'file', unsaved: 0, last_flush: '2026-11-22T05:22:52Z' },
} satisfies Health);
