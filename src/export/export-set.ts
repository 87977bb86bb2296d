// Writes every finite answer of the API into files for a static host. It asks a service for each of the `addresses`, as a
// client would, so that the files are what the service would send. `exported-file.ts` says which file has which answer;
// clients import it, too. `_headers` has the headers for the host, in rules for whole folders.
import { mkdirSync, writeFileSync } from 'node:fs';
import type { OutgoingHttpHeaders } from 'node:http';
import { dirname, join, posix, relative } from 'node:path';
import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { buildApp } from '../app.ts';
import type { CatalogName } from '../contract/columns.ts';
import { ListQuery } from '../contract/queries.ts';
import { feedPaths } from '../http/feeds.ts';
import { nothingServed } from '../live/status.ts';
import { publishedNews } from '../query/news.ts';
import { pricesAt } from '../query/prices.ts';
import type { SetReport } from '../reader/read-set.ts';
import type { Services } from '../services.ts';
import type { Settings } from '../settings/settings.ts';
import { type Snapshot, snapshotAt } from '../snapshot/snapshot.ts';
import { rfc3339 } from '../time-zone.ts';
import { exportedFile } from './exported-file.ts';

interface ExportedSet {
  report: SetReport;
  snapshot: Snapshot;
  counts: ReadonlyMap<number, number>;
  /** The time of the answers, in Unix seconds. */
  instant: number;
}

interface ExportOptions {
  /** Whether to write a file for each answer of the price endpoint. */
  singlePrices: boolean;
  onProgress(files: number): void;
  signal: AbortSignal;
}

const INDEX = '/api/index.json';
/** How many answers are written between two yields. */
const STEP = 100;

/**
 * Writes the answers, and an index of them, into an existing empty directory. The service has no limits and logs nothing.
 * @throws Error if an answer is an error or a file cannot be written, or the reason of `signal` if that is aborted.
 */
export async function exportSet(
  set: ExportedSet,
  dir: string,
  settings: Settings,
  log: Parameters<typeof buildApp>[2],
  { singlePrices, onProgress, signal }: ExportOptions,
) {
  const { snapshot, instant } = set;
  const { basePath, corsOrigin } = settings;
  const hasFeeds = settings.newsUrl !== '';
  // A static host cannot choose the allowed origin for each request, so there can be only one.
  const headers = corsOrigin !== '*' && corsOrigin.length === 1 ? { origin: corsOrigin[0] } : {};
  const makeFolder = folderMaker(dir);
  const rules: HeaderRules = new Map();
  /** Images that news items name but that do not exist. */
  const missingImages: string[] = [];
  let files = 0;
  let bytes = 0;
  const write = (file: string, body: Buffer) => {
    const path = join(dir, basePath, file);
    if (relative(dir, path).startsWith('..')) throw new Error(`${file} is not a path below the export`);
    makeFolder(dirname(path));
    writeFileSync(path, body);
    files += 1;
    bytes += body.length;
  };
  const unlimited: Settings = { ...settings, rateLimit: 0, logLevel: 'silent', drainMs: 0 };
  const app = buildApp(frozenServices(set), unlimited, log);
  try {
    for (const address of addresses(snapshot, instant, hasFeeds, singlePrices)) {
      signal.throwIfAborted();
      const answer = await app.inject({ url: basePath + address, headers });
      const file = fileOf(address);
      if (answer.statusCode === 404 && address.startsWith('/images/')) {
        missingImages.push(file.slice('/images/'.length));
        continue;
      }
      if (answer.statusCode !== 200) throw new Error(`${address} has no answer: ${answer.json().message}`);
      write(file, answer.rawPayload);
      if (!IS_COUNTED.test(address)) addRule(rules, basePath + patternOf(file), answer.headers);
      if (files % STEP > 0) continue;
      onProgress(files);
      // Frees the memory of the requests, 12 kB each.
      await yieldToEventLoop();
    }
  } finally {
    await app.close();
  }
  const { until: news, all, images } = publishedNews(snapshot, instant);
  const prices = pricesAt(snapshot, instant);
  const until = Math.min(news, prices.until);
  const index = {
    version: snapshot.version,
    until: until === Number.POSITIVE_INFINITY ? null : rfc3339(until),
    page_sizes: pageSizes,
    products: snapshot.products.size,
    configurations: snapshot.configurations.size,
    prices: prices.count,
    single_prices: singlePrices,
    news_types: snapshot.newsTypes.size,
    news: all.length,
    images: images.size - missingImages.length,
    feeds: hasFeeds,
  };
  write(INDEX, Buffer.from(`${JSON.stringify(index)}\n`));
  return {
    files,
    bytes,
    missingImages,
    headers: formatRules(rules),
    /** When the export becomes stale, in Unix seconds, Infinity for never; and what changes then. */
    until,
    stale: until < news ? 'a price' : 'the published news',
  };
}

/** Makes services that never change: one set at one instant, and read counts that nothing raises. They open no files. */
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

/** Creates folders below `dir`, which exists, but never `dir` itself, in case somebody removes it meanwhile. */
function folderMaker(dir: string): (path: string) => void {
  const made = new Set([dir]);
  return function make(path) {
    if (made.has(path)) return;
    make(dirname(path));
    mkdirSync(path);
    made.add(path);
  };
}

/** Headers of single answers or connections, which a static host sets itself or cannot know. */
const ownOfEach = new Set(
  'accept-ranges connection content-length date etag keep-alive last-modified link vary'.split(' '),
);

/**
 * The headers that all files of a pattern have in common. Patterns do not overlap, since hosts join the values of a header
 * that several rules set. Cloudflare Pages reads at most 100 rules.
 */
type HeaderRules = Map<string, Map<string, string>>;

function addRule(rules: HeaderRules, pattern: string, headers: OutgoingHttpHeaders): void {
  const common = rules.get(pattern);
  if (common) {
    for (const [name, value] of common) if (String(headers[name]) !== value) common.delete(name);
    return;
  }
  const texts = Object.entries(headers).map(([name, value]) => [name, String(value)] as const);
  rules.set(pattern, new Map(texts.filter(([name]) => !ownOfEach.has(name))));
}

/** Formats the rules of `_headers`, as Netlify, Cloudflare Pages and others read them. */
function formatRules(rules: HeaderRules): string {
  const line = ([name, value]: [string, string]) => `  ${name}: ${value}\n`;
  const blocks = [...rules].map(([pattern, headers]) => `${pattern}\n${[...headers].map(line).join('')}`);
  return blocks.join('\n');
}

/** A news item. The service forbids storing it, since each request counts a read, so its file gets the rule of the lists. */
const IS_COUNTED = /^\/api\/news\/\d+(?:\?|$)/;

/** Returns the file of an answer. A feed of one type is in its own folder, and an image has its own name. */
function fileOf(address: string): string {
  const [path = '', query = ''] = address.split('?');
  if (path.startsWith('/api/')) return exportedFile(address);
  return decodeURIComponent(posix.join(posix.dirname(path), query, posix.basename(path)));
}

/** Returns the pattern in `_headers` for a file and others with the same headers. */
function patternOf(file: string): string {
  return file.replace(/^\/(api|images)\/.*/s, '/$1/*').replace(/type_id=\d+/, ':type');
}

const { default: USUAL_LIMIT, maximum: MAX_LIMIT } = ListQuery.properties.limit;
/** The page sizes of exported lists. */
const pageSizes: readonly number[] = [Number(USUAL_LIMIT), Number(MAX_LIMIT)];

type Given = Record<string, string | number | undefined>;

/** Yields all addresses to export, relative to the mount point. `now` (Unix seconds) stands for the time of the snapshot. */
function* addresses(snapshot: Snapshot, now: number, hasFeeds: boolean, singlePrices: boolean) {
  const { products, configurationsOf, newsTypes, prices, news } = snapshot;
  const catalogs = new Set([...snapshot.extra.keys()].map(row => row.replace(/ .*/, '')));
  const includes = (...names: CatalogName[]) =>
    names.some(name => catalogs.has(name)) ? [undefined, 'extra'] : [undefined];
  const published = publishedNews(snapshot, now);
  const types = new Set([...newsTypes.keys(), ...published.byType.keys()]);
  for (const include of includes('products')) yield* pages('products', { include }, products.size);
  for (const product_id of products.keys()) {
    const configurations = configurationsOf.get(product_id) ?? [];
    for (const include_durations of ['false', 'true'])
      for (const include of includes('configurations', 'prices'))
        yield* pages('recommend-config', { product_id, include_durations, include }, configurations.length);
    for (const { id: recommend_config_id } of singlePrices ? configurations : [])
      for (const row of pricesAt(snapshot, now).rowsOf(recommend_config_id)) {
        const ids = { product_id, recommend_config_id, duration_id: prices.duration_id[row] };
        for (const include of includes('prices'))
          yield addressOf('api/recommend-config/price', { ...ids, include });
      }
  }
  for (const include of includes('news_types')) yield* pages('news-types', { include }, newsTypes.size);
  for (const type_id of [undefined, ...types]) {
    const { length } = type_id === undefined ? published.all : (published.byType.get(type_id) ?? []);
    for (const extra of includes('news'))
      for (const include of [extra, extra ? 'img,type_id,extra' : 'img,type_id'])
        yield* pages('news', { type_id, include }, length);
  }
  for (const row of published.all)
    for (const include of includes('news')) yield addressOf(`api/news/${news.id[row]}`, { include });
  for (const path of hasFeeds ? feedPaths : [])
    for (const type_id of [undefined, ...types]) yield addressOf(path, { type_id });
  for (const name of published.images) yield `/images/${encodeURIComponent(name)}`;
}

function* pages(path: string, parameters: Given, total: number): Generator<string> {
  for (const limit of pageSizes)
    for (let page = 1; page <= Math.max(1, Math.ceil(total / limit)); page += 1)
      yield addressOf(`api/${path}`, { ...parameters, limit, page });
}

function addressOf(path: string, parameters: Given): string {
  const given = Object.entries(parameters).filter(([, value]) => value !== undefined);
  const query = given.map(([name, value]) => `${name}=${value}`).join('&');
  return `/${path}${query && '?'}${query}`;
}
