import assert from 'node:assert/strict';
import { join, resolve } from 'node:path';
import type { TestContext } from 'node:test';
import type { Entry } from '../../../src/history/entry.ts';
import { type LoadedChange, openLoader } from '../../../src/live/load.ts';
import { type CatalogSource, keptFiles } from '../../../src/reader/load-set.ts';
import type { SetReport } from '../../../src/reader/read-directory.ts';
import { fingerprint } from '../../../src/set/fingerprint.ts';
import type { Snapshot } from '../../../src/snapshot/snapshot.ts';
import { type Files, sourceIn, writeFiles } from '../catalogs.ts';
import '../reader-pool.ts';
import { expectation } from './served-set.ts';

const NEWS = 6;
/** Rows that are read of the prices and of the news items, with their heading rows, and of all catalogs. */
export const PRICE_ROWS = 4;
export const NEWS_ROWS = 1 + NEWS;
export const ALL_ROWS = 12 + NEWS_ROWS;

/** News items with images that are missing, damaged text, hidden, scheduled, and in two types. */
export const newsRows = (count = NEWS) =>
  Array.from({ length: count }, (_, index) => ({
    ...{ id: index + 1, title: `Title ${index}, "quoted"`, content: `<p>价格 ${index}</p>\nmore` },
    ...{
      create_time: `2024-01-0${index + 1}`,
      type_id: 1 + (index % 2),
      keywords: index % 2 === 0 ? 'Ã¼ber' : '',
    },
    ...{ img: ['', 'a.png', 'b.png', 'c.bmp'][index] ?? '', hidden: index === 3, note: 'unknown column' },
    ...(index === 4 && { publish_time: '2099-01-01', unpublish_time: '2099-02-01' }),
  }));

export const csvOf = (rows: Record<string, unknown>[]) => {
  const names = [...new Set(rows.flatMap(row => Object.keys(row)))];
  const cell = (value: unknown) => `"${String(value ?? '').replaceAll('"', '""')}"`;
  return [names.join(), ...rows.map(row => names.map(name => cell(row[name])).join()), ''].join('\r\n');
};

export const pricesOf = (price: string) =>
  `id,product_id,rel_id,duration_id,price\n1,1,11,1,${price}\n2,1,12,1,20\n3,1,13,1,30\n`;

export const files: Files = {
  'products.json': [{ id: 1, name: 'Server' }],
  'configurations.csv':
    'id,product_id,name,cpu,memory,hidden\n11,1,S,1,512,\n12,1,M,2,1024,\n13,1,L,4,2048,yes\n',
  'durations.json': [{ id: 1, name: 'Monthly', num: 1, unit: 'month' }],
  'prices.csv': pricesOf('10.5'),
  'news_types.json': [
    { id: 1, name: 'One' },
    { id: 2, name: 'Two' },
  ],
  'news.csv': csvOf(newsRows()),
};

/** Takes sets up as the live catalog does, with a reader process for each. */
export function openService(source: CatalogSource) {
  const signal = AbortSignal.timeout(240_000);
  const damage: string[] = [];
  let served: { report: SetReport; snapshot: Snapshot } | undefined;
  let kept: Entry | undefined;
  let rows = 0;
  const onDamage = (sentence: string) => void damage.push(sentence);
  return {
    damage,
    served: () => served,
    data: () => dataOf((served ?? assert.fail()).snapshot),
    /** How many rows were read the last time. */
    rows: () => rows,
    /** Forgets what is served. */
    restart() {
      served = undefined;
    },
    async takeUp(): Promise<LoadedChange> {
      rows = 0;
      const loader = openLoader(source);
      try {
        const { key } = await fingerprint(source.catalogDir);
        const before = { served: served?.report, kept: served ? undefined : kept };
        const expected = { ...expectation, ...before, fingerprint: key, servedNumbers: new Set<string>() };
        const onProgress = (progress: { rows: number }) => {
          rows = progress.rows;
        };
        const change = await loader.load(expected, served?.snapshot, onProgress, onDamage, signal);
        if (change.outcome !== 'read' || !change.snapshot) return change;
        const { report, snapshot } = change;
        served = { report, snapshot };
        const { summary, report: digest } = report.changes ?? {};
        const { version } = snapshot;
        const entry: Entry = {
          ...{
            version,
            since: Date.now() / 1000,
            catalogDir: resolve(source.catalogDir),
            files: keptFiles(report),
          },
          ...{ reading: report.reading, summary, report: digest },
        };
        const isSame =
          kept?.version === version && JSON.stringify(kept.files) === JSON.stringify(entry.files);
        if (!isSame) await loader.keep(entry, signal);
        await loader.tidy(report.cacheKeys, 0, onDamage, signal);
        kept = entry;
        return change;
      } finally {
        loader.close();
      }
    },
  };
}

export async function newSource(t: TestContext, options: object = {}): Promise<CatalogSource> {
  const catalogDir = await writeFiles(t, files);
  return {
    ...sourceIn(catalogDir),
    imagesDir: await writeFiles(t, {}),
    stateDir: await writeFiles(t, {}),
    ...options,
  };
}

export const cacheOf = ({ stateDir }: CatalogSource) => join(stateDir, 'cache');

/** The data of a snapshot, without the functions that look into it. */
export function dataOf({ prices, news, ...rest }: Snapshot) {
  const { rowOf, rowsOf, ...columns } = prices;
  const texts = Array.from({ length: news.texts.length }, (_, row) => news.texts.at(row));
  return { ...rest, prices: columns, news: { ...news, texts } };
}

/** What a change leads to, but for the second at which it was compared. */
export function told(change: LoadedChange): unknown {
  if (change.outcome !== 'read' || !change.snapshot) return change;
  const { report, snapshot } = change;
  const data = dataOf(snapshot);
  if (!data.changes) return { ...change, snapshot: data };
  const head: { time?: string } = JSON.parse(Buffer.from(data.changes.head).toString());
  return {
    ...change,
    report: { ...report, changes: { ...report.changes, report: undefined } },
    snapshot: { ...data, changes: { ...data.changes, head: { ...head, time: undefined } } },
  };
}
