import { success } from '../../src/answer/envelope.ts';
import type { Changes } from '../../src/contract/changes.ts';
import type { CheckAnswer } from '../../src/contract/check.ts';
import type { Control, History } from '../../src/contract/history.ts';
import type { Example } from './examples.ts';

/** The files of the sample catalogs. */
const files = [
  { catalog: 'products', file: 'products.json', rows: 5, bytes: 1544 },
  { catalog: 'configurations', file: 'configurations.csv', rows: 41, bytes: 1400 },
  { catalog: 'durations', file: 'durations.xlsx', sheet: 'durations', rows: 8, bytes: 5117 },
  { catalog: 'prices', file: 'prices.csv', rows: 247, bytes: 4354 },
  { catalog: 'news_types', file: 'news_types.json', rows: 6, bytes: 210 },
  { catalog: 'news', file: 'news.json', rows: 40, bytes: 40_168 },
  { catalog: 'news', file: 'news/*.md', rows: 4, bytes: 4157 },
];

/** A higher price, as both reports of changes have it. */
const changed = {
  list: [
    {
      ...{ catalog: 'prices' as const, change: 'changed' as const },
      key: { product_id: 1, rel_id: 1, duration_id: 4 },
      columns: [{ column: 'price', from: 19.9, to: 21.89, percent: 10 }],
      names: { product_id: 'Cloud Server', rel_id: 'Medium', duration_id: '1 month' },
    },
  ],
  pagination: { current_page: 1, total: 1 },
  ...{ from: '790948ef4deb', to: 'f3f38172b898' },
  catalogs: [
    {
      ...{ catalog: 'prices' as const, added: 0, removed: 0, changed: 1 },
      ...{ columns_added: [], columns_removed: [] },
    },
  ],
};

/** Of what changed, and of the history, by `operationId`. A test changes the sample prices in this way. */
export const historyExamples: Record<string, Example> = {
  listChanges: {
    parameters: { page: 1, limit: 20 },
    answer: success({
      ...changed,
      time: '2026-11-22T05:22:53Z',
    } satisfies Changes),
  },
  // A test changes the sample prices in the same way for these.
  listHistory: {
    parameters: { page: 1, limit: 20 },
    answer: success({
      list: [
        {
          version: 'f3f38172b898',
          since: '2026-11-22T05:22:53Z',
          rows: 351,
          files,
          changes: '1 price changed',
          state: 'served',
        },
        { version: '790948ef4deb', since: '2026-11-22T05:22:51Z', rows: 351, files, changes: null },
      ],
      pagination: { current_page: 1, total: 2 },
      held: null,
    } satisfies History),
  },
  checkFiles: {
    parameters: {},
    answer: success({
      ...{ outcome: 'loaded', verdict: 'These files would go live: 1 price changed.' },
      ...{ version: 'f3f38172b898', errors: 0, warnings: 0, problems: [], reasons: [] },
      changes: { ...changed, time: '2026-11-22T05:22:53Z' },
    } satisfies CheckAnswer),
  },
  pinVersion: {
    parameters: { version: '790948ef4deb' },
    answer: success({ action: 'pin', version: '790948ef4deb' } satisfies Control),
  },
  unpinVersion: {
    parameters: {},
    answer: success({ action: 'unpin', version: '790948ef4deb' } satisfies Control),
  },
  publishVersion: {
    parameters: { version: 'f3f38172b898' },
    answer: success({ action: 'publish', version: 'f3f38172b898' } satisfies Control),
  },
};
