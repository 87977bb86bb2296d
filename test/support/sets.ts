import type { News, Price } from '../../src/contract/columns.ts';
import type { SetReport } from '../../src/reader/read-set.ts';
import { tabulateNews } from '../../src/snapshot/news-table.ts';
import { tabulatePrices } from '../../src/snapshot/price-table.ts';
import type { Snapshot } from '../../src/snapshot/snapshot.ts';
import { openTimeZone } from '../../src/time-zone.ts';

const UTC = openTimeZone('UTC');

/** A set of which nobody looks at more than its version, its news items that appear at these times, and its prices. */
export function snapshotOf(version: string, publishTimes: number[] = [], prices: Price[] = []): Snapshot {
  const item = { title: '', content: '', keywords: '', img: '', read: 0, create_time: 0, update_time: 0 };
  const news = publishTimes.map((publish_time, id): News => ({ ...item, id, publish_time, hidden: false }));
  return {
    ...{ version, timeZone: 'UTC', products: new Map(), configurations: new Map(), newsTypes: new Map() },
    ...{ configurationsOf: new Map(), durations: undefined, extra: new Map(), sources: undefined },
    ...{ changes: undefined, prices: tabulatePrices(prices) },
    news: { ...tabulateNews(news, UTC), rowOf: new Map() },
  };
}

/** The report of a set, which has an error if it has no version. */
export function reportOf(version: string | undefined, others: Partial<SetReport> = {}): SetReport {
  const reading = { csvEncoding: 'utf-8', csvDecimal: '.', timeZone: 'UTC', markdownHtml: false } as const;
  return {
    ...{ version, problems: [], errors: version ? 0 : 1, warnings: 0, holds: [] },
    ...{ files: [], digests: [], images: { missing: [], found: [] }, reading },
    ...others,
  };
}
