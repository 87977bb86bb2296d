import {
  boolean,
  encoding,
  integer,
  loadMemory,
  mountPath,
  oneOf,
  type SettingGroup,
  text,
  timeZone,
  token,
} from './parsers.ts';
import {
  networks,
  newsUrl,
  origins,
  publicUrl,
  redisPrefix,
  redisUrls,
  webhookSecret,
  webhookUrl,
} from './url-parsers.ts';

const catalogSettings = {
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

const historySettings = {
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

const readCountSettings = {
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

const feedSettings = {
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

/** A week. For as long, webhooks are repeated: after it, no cache keeps what they would purge. */
const MAX_CACHE_SECONDS = 604_800;

const serverSettings = {
  host: {
    ...text('ADDRESS'),
    default: '127.0.0.1',
    description: 'address to listen on; 0.0.0.0 or :: for all',
  },
  port: {
    ...integer('NUMBER', 0, 65_535),
    default: '3000',
    description: 'port to listen on; 0 picks a free one',
  },
  basePath: { ...mountPath, default: '', description: 'path prefix of every route, such as /shop' },
  corsOrigin: {
    ...origins,
    default: '*',
    description: 'origins whose pages may read the API: *, a comma-separated list, or off',
  },
  previewToken: {
    ...token,
    default: '',
    description:
      'secret for /check, which tries files, /preview/{instant}/, the site as at another time, and /history; none exists without it',
  },
  trustProxy: {
    ...networks,
    default: '',
    description: 'proxies whose X-Forwarded-For is trusted: comma-separated addresses or networks',
  },
  drainMs: {
    ...integer('MS', 0, 600_000),
    default: '500',
    description: 'keep answering for this many ms after a stop signal, so that clients can leave',
  },
} as const satisfies SettingGroup;

const cacheSettings = {
  cacheMaxAge: {
    ...integer('SECONDS', 0, MAX_CACHE_SECONDS),
    default: '0',
    description: 'CDNs and proxies may keep answers for this many seconds; with 0, they ask each time',
  },
} as const satisfies SettingGroup;

const notificationSettings = {
  chatUrl: {
    ...webhookUrl,
    default: '',
    description:
      'incoming webhook of a chat that hears of refused and held saves and of rollbacks, such as https://hooks.slack.com/services/…',
  },
  webhookUrl: {
    ...webhookUrl,
    default: '',
    description: 'POST each event, and what caches have to purge, to this URL',
  },
  webhookSecret: {
    ...webhookSecret,
    default: '',
    description: 'secret that signs webhooks: whsec_ and the Base64 of 24 to 64 bytes',
  },
} as const satisfies SettingGroup;

const limitSettings = {
  rateLimit: {
    ...integer('NUMBER', 0, 1_000_000),
    default: '0',
    description: 'requests per minute and client; 0 for no limit',
  },
  maxConnections: {
    ...integer('NUMBER', 1, 1_000_000),
    default: '4000',
    description: 'open connections; further ones get 503',
  },
  clientTimeoutMs: {
    ...integer('MS', 100, 3_600_000),
    default: '8000',
    description:
      'disconnect clients that take this many ms to send a request, or read less than 1 kB/s of an answer for as long',
  },
  keepAliveMs: {
    ...integer('MS', 100, 3_600_000),
    default: '8000',
    description:
      'close idle connections after this many ms; behind a proxy, set more than the proxy does (65000 for nginx and AWS) to avoid sporadic 502s',
  },
} as const satisfies SettingGroup;

const logSettings = {
  logLevel: {
    ...oneOf('LEVEL', 'trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'),
    default: 'info',
    description: 'lowest level to log: trace, debug, info, warn, error, fatal or silent',
  },
  logRequests: {
    ...boolean,
    default: 'false',
    description: 'log every request (about doubles CPU per request)',
  },
} as const satisfies SettingGroup;

/** Every setting under its heading of the help text. */
export const settingGroups = {
  Server: serverSettings,
  Catalogs: catalogSettings,
  History: historySettings,
  'Read counts': readCountSettings,
  Feeds: feedSettings,
  Caching: cacheSettings,
  Notifications: notificationSettings,
  Limits: limitSettings,
  Log: logSettings,
};

/** Every setting. `catalogDir` is an option in code, `--catalog-dir` on the command line, `CATALOG_DIR` in the environment. */
export const settings = {
  ...serverSettings,
  ...catalogSettings,
  ...historySettings,
  ...readCountSettings,
  ...feedSettings,
  ...cacheSettings,
  ...notificationSettings,
  ...limitSettings,
  ...logSettings,
};

export type SettingName = keyof typeof settings;
export const settingNames = Object.keys(settings) as SettingName[];

/** The parsed value of every setting. */
export type Settings = {
  [Name in SettingName]: Exclude<ReturnType<(typeof settings)[Name]['parse']>, undefined>;
};
