import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildApp } from '../app.ts';
import type { LoadedSet } from '../live/readers.ts';
import { nothingServed } from '../live/status.ts';
import { publishedNews } from '../query/news.ts';
import type { Services } from '../services.ts';
import type { Settings } from '../settings/settings.ts';
import { type Snapshot, snapshotAt } from '../snapshot/snapshot.ts';
import { rfc3339 } from '../time-zone.ts';
import { pageSizes, questions } from './questions.ts';
import { type Progress, type Written, writeAnswers } from './write-answers.ts';

/** A set to export. */
export interface ExportedSet {
  report: LoadedSet['report'];
  snapshot: Snapshot;
  /** The stored read counts. */
  counts: ReadonlyMap<number, number>;
  /** The instant as at which questions are answered, in Unix seconds. */
  instant: number;
}

/** What an export has. */
export interface ExportSummary extends Written {
  /** When a news item appears or disappears, in Unix seconds; Infinity for never. Then the export is stale. */
  until: number;
}

/** How a set is exported. */
export interface ExportOptions extends Progress {
  /** Whether each price has a file, as the answer of the price endpoint. */
  singlePrices: boolean;
}

/** The path of the index of an export, below its mount point. */
const INDEX = 'api/index.json';

/**
 * Writes the answers of the service over a set into an empty directory, and an index of them. The service has no limits
 * here, and logs nothing.
 * @throws Error if it cannot be written, and the reason of `signal` when that is aborted.
 */
export async function exportSet(
  set: ExportedSet,
  dir: string,
  settings: Settings,
  log: Parameters<typeof buildApp>[2],
  { singlePrices, ...progress }: ExportOptions,
): Promise<ExportSummary> {
  const { snapshot, instant } = set;
  const unlimited: Settings = { ...settings, rateLimit: 0, logLevel: 'silent', drainMs: 0 };
  const app = buildApp(frozenServices(set), unlimited, log);
  try {
    const asked = questions(snapshot, instant, settings.newsUrl !== '', singlePrices);
    const written = await writeAnswers(app, asked, dir, settings, progress);
    const { until, all, images } = publishedNews(snapshot, instant);
    const index = Buffer.from(
      `${JSON.stringify({
        version: snapshot.version,
        until: until === Number.POSITIVE_INFINITY ? null : rfc3339(until),
        page_sizes: pageSizes,
        products: snapshot.products.size,
        configurations: snapshot.configurations.size,
        prices: snapshot.prices.id.length,
        single_prices: singlePrices,
        news_types: snapshot.newsTypes.size,
        news: all.length,
        images: images.size - written.missingImages.length,
        feeds: settings.newsUrl !== '',
      })}\n`,
    );
    writeFileSync(join(dir, settings.basePath, INDEX), index);
    return { ...written, files: written.files + 1, bytes: written.bytes + index.length, until };
  } finally {
    await app.close();
  }
}

/** Services that stand still: one set as at an instant, and read counts that nothing raises. They open no files. */
function frozenServices({ report, snapshot: loaded, counts, instant }: ExportedSet): Services {
  const snapshot = snapshotAt(loaded, instant);
  const status = { ...nothingServed, served: { report, snapshot, since: instant } };
  const shown = (id: number, floor: number) => Math.max(counts.get(id) ?? 0, floor);
  return {
    catalog: {
      snapshot: () => snapshot,
      status: () => status,
      loaded: Promise.resolve(),
      check: notLive,
      isWhole: notLive,
      close: async () => {},
    },
    reads: {
      raise: shown,
      shown,
      revision: () => 0,
      health: () => ({ store: 'file', counted: 0, unsaved: 0, lastFlush: undefined, reasons: [] }),
      flush: async () => {},
      close: async () => {},
    },
    now: () => instant,
    close: async () => {},
  };
}

async function notLive(): Promise<never> {
  throw new Error('an export stands still');
}
