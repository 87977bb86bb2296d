import {
  boolean,
  encoding,
  integer,
  loadMemory,
  oneOf,
  type SettingGroup,
  text,
  timeZone,
} from './parsers.ts';
import { redisPrefix, redisUrls } from './redis-parsers.ts';
import { newsUrl, publicUrl } from './url-parsers.ts';

export const catalogSettings = {
  catalogDir: { ...text('DIR'), default: 'data/catalog', description: 'directory of the catalog files' },
  imagesDir: {
    ...text('DIR'),
    default: 'data/images',
    description:
      'directory of the images that news items name; for another CATALOG_DIR beside it: shop/images for shop/catalog, shop-images for shop',
  },
  timeZone: { ...timeZone, default: 'UTC', description: 'time zone of the times in catalogs and answers' },
  csvEncoding: {
    ...encoding,
    default: 'utf-8',
    description: 'encoding of CSV files that are not UTF-8, such as windows-1252 or gb18030',
  },
  csvDecimal: {
    ...oneOf('SIGN', '.', ','),
    default: '.',
    description: 'decimal sign of CSV columns that have both: . or ,',
  },
  markdownHtml: {
    ...boolean,
    default: 'false',
    description: 'true: HTML in Markdown texts is served, scripts included; false: it is left out',
  },
  maxFileMb: {
    ...integer('MB', 1, 1024),
    default: '64',
    description: 'maximum size of a catalog file in MB',
  },
  loadMemoryMb: {
    ...loadMemory,
    default: 'auto',
    description: 'memory limit in MB for reading the catalogs; auto is half of the memory, at most 1536',
  },
  loadSeconds: {
    ...integer('SECONDS', 1, 86_400),
    default: '60',
    description:
      'stop reading the catalogs after this many seconds of CPU time or without progress, or ten times as many in all',
  },
  holdBack: {
    ...oneOf('on|off', 'on', 'off'),
    default: 'on',
    description: 'off: drastic changes of the catalogs go live without being confirmed',
  },
  reloadPollMs: {
    ...integer('MS', 10, 3_600_000),
    default: '1000',
    description: 'poll interval in ms, for file systems without change events',
  },
  reloadQuietMs: {
    ...integer('MS', 0, 60_000),
    default: '300',
    description:
      'load changed files once they have been stable for this many ms, or 6000 if they may be incomplete',
  },
} as const satisfies SettingGroup;

export const historySettings = {
  historyMb: {
    ...integer('MB', 1, 1_048_576),
    default: '256',
    description: 'the most that the history of served sets takes in STATE_DIR, in MB',
  },
  historyDays: {
    ...integer('DAYS', 1, 36_500),
    default: '90',
    description: 'for how many days a set is kept after another one took its place',
  },
  strict: {
    ...boolean,
    default: 'false',
    description:
      'exit if the catalogs have errors or are missing at the start, instead of serving the last good set',
  },
} as const satisfies SettingGroup;

export const readCountSettings = {
  stateDir: {
    ...text('DIR'),
    default: 'data/state',
    description:
      'directory of the read counts and the history; for another CATALOG_DIR beside it: shop/state for shop/catalog, shop-state for shop',
  },
  flushIntervalMs: {
    ...integer('MS', 10, 3_600_000),
    default: '1000',
    description: 'interval in ms between saves of new read counts',
  },
  redisUrl: {
    ...redisUrls,
    default: '',
    description:
      'Redis in which several processes count together: its URL, any node of its cluster, or redis+sentinel://HOST,HOST/NAME',
  },
  redisPrefix: {
    ...redisPrefix,
    default: 'vitrine',
    description: 'start of the names of the keys in Redis; give each shop that counts in one Redis its own',
  },
} as const satisfies SettingGroup;

export const feedSettings = {
  newsUrl: {
    ...newsUrl,
    default: '',
    description:
      'page of a news item on your site, such as https://example.com/news/{id}; turns the feeds on',
  },
  publicUrl: {
    ...publicUrl,
    default: '',
    description: 'public address of this service, such as https://example.com/shop, for the links in feeds',
  },
  feedTitle: {
    ...text('TEXT'),
    default: '',
    description: 'title of the feeds; without it, "News of" and the host of NEWS_URL',
  },
} as const satisfies SettingGroup;
