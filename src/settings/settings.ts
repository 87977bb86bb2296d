// What the operator of a service can set. The table below has every setting once: its parser, its default and its line of the
// help. `parsers.ts` turns the text of a setting into its value. `read.ts` reads all settings, from flags and environment
// variables for the program (`readSettings`), and from options in code for the library (`settingsFrom`). A wrong value is a
// `UsageError`, which names the setting and says what is expected.
import * as parsers from './parsers.ts';

export type Setting<Value = unknown> = ReturnType<typeof setting<Value>>;

/** The default is the text that an operator would write; empty for none. */
function setting<Value>(parser: parsers.SettingParser<Value>, description: string, fallback = '') {
  return { ...parser, description, default: fallback };
}

/** One week. Webhooks are retried for this long; after that, no cache can still hold what they would purge. */
export const MAX_CACHE_SECONDS = 604_800;

/** Every setting by its name in code: `catalogDir` is the flag `--catalog-dir` and the environment variable `CATALOG_DIR`. */
export const settings = {
  host: setting(parsers.textParser('ADDRESS'), 'address to listen on; 0.0.0.0 or :: for all', '127.0.0.1'),
  port: setting(parsers.wholeNumber('NUMBER', 0, 65_535), 'port to listen on; 0 picks a free one', '3000'),
  basePath: setting(parsers.mountPath, 'path prefix of every route, such as /shop'),
  corsOrigin: setting(
    parsers.origins,
    'origins whose pages may read the API: *, a comma-separated list, or off',
    '*',
  ),
  previewToken: setting(
    parsers.token,
    'secret that turns on /check (tries files), /preview/{instant}/ (the site at another time) and /history',
  ),
  trustProxy: setting(
    parsers.networks,
    'proxies whose X-Forwarded-For is trusted: comma-separated addresses or networks',
  ),
  drainMs: setting(
    parsers.wholeNumber('MS', 0, 600_000),
    'keep answering for this many ms after a stop signal, so that clients can leave',
    '500',
  ),
  catalogDir: setting(parsers.directory, 'directory of the catalog files', 'data/catalog'),
  imagesDir: setting(
    parsers.directory,
    'directory of the images of news items; for another CATALOG_DIR, beside it: shop/images for shop/catalog, shop-images for shop',
    'data/images',
  ),
  timeZone: setting(parsers.timeZone, 'time zone of the times in catalogs and answers', 'UTC'),
  csvEncoding: setting(
    parsers.encoding,
    'encoding of CSV files that are not UTF-8, such as windows-1252 or gb18030',
    'utf-8',
  ),
  csvDecimal: setting(
    parsers.choiceOf('SIGN', '.', ','),
    'decimal sign of CSV columns with both signs: . or ,',
    '.',
  ),
  markdownHtml: setting(
    parsers.boolean,
    'true: HTML in Markdown texts is served, scripts included; false: it is left out',
    'false',
  ),
  maxFileMb: setting(parsers.wholeNumber('MB', 1, 1024), 'maximum size of a catalog file in MB', '64'),
  loadMemoryMb: setting(
    parsers.loadMemory,
    'memory limit in MB for reading the catalogs; auto is half of the memory, at most 1536',
    'auto',
  ),
  holdBack: setting(
    parsers.choiceOf('on|off', 'on', 'off'),
    'off: drastic changes of the catalogs go live without being confirmed',
    'on',
  ),
  historyMb: setting(
    parsers.wholeNumber('MB', 1, 1_048_576),
    'maximum size of the history in STATE_DIR in MB',
    '256',
  ),
  strict: setting(
    parsers.boolean,
    'exit if the catalogs have errors or are missing at the start, instead of serving the last good set',
    'false',
  ),
  stateDir: setting(
    parsers.directory,
    'directory of the read counts and the history; for another CATALOG_DIR, beside it: shop/state for shop/catalog, shop-state for shop',
    'data/state',
  ),
  flushIntervalMs: setting(
    parsers.wholeNumber('MS', 10, 3_600_000),
    'interval in ms between saves of new read counts',
    '1000',
  ),
  redisUrl: setting(
    parsers.redisUrls,
    'Redis in which several processes count together: its URL, any node of its cluster, or redis+sentinel://HOST,HOST/NAME',
  ),
  redisPrefix: setting(
    parsers.redisPrefix,
    'start of the names of the keys in Redis; give each shop that counts in one Redis its own',
    'vitrine',
  ),
  newsUrl: setting(
    parsers.newsUrl,
    'page of a news item on your site, such as https://example.com/news/{id}; turns the feeds on',
  ),
  publicUrl: setting(
    parsers.publicUrl,
    'public address of this service, such as https://example.com/shop, for the links in feeds',
  ),
  feedTitle: setting(
    parsers.textParser('TEXT'),
    'title of the feeds; without it, "News of" and the host of NEWS_URL',
  ),
  cacheMaxAge: setting(
    parsers.wholeNumber('SECONDS', 0, MAX_CACHE_SECONDS),
    'CDNs and proxies may keep answers for this many seconds; with 0, they ask each time',
    '0',
  ),
  chatUrl: setting(
    parsers.webhookUrl,
    'incoming webhook of a chat to notify of refused and held saves and of rollbacks, such as https://hooks.slack.com/services/…',
  ),
  webhookUrl: setting(parsers.webhookUrl, 'POST each event, and what caches have to purge, to this URL'),
  webhookSecret: setting(
    parsers.webhookSecret,
    'secret that signs webhooks: whsec_ and the Base64 of 24 to 64 bytes',
  ),
  rateLimit: setting(
    parsers.wholeNumber('NUMBER', 0, 1_000_000),
    'requests per minute and client; 0 for no limit',
    '0',
  ),
  maxConnections: setting(
    parsers.wholeNumber('NUMBER', 1, 1_000_000),
    'maximum number of open connections; further ones get 503',
    '4000',
  ),
  clientTimeoutMs: setting(
    parsers.wholeNumber('MS', 100, 3_600_000),
    'disconnect clients that take this many ms to send a request, send less than 1 kB/s of a body for that long, or read nothing of an answer for four times as long',
    '8000',
  ),
  keepAliveMs: setting(
    parsers.wholeNumber('MS', 100, 3_600_000),
    'close idle connections after this many ms; behind a proxy, set more than the proxy does (65000 for nginx and AWS) to avoid sporadic 502s',
    '8000',
  ),
  logLevel: setting(
    parsers.choiceOf('LEVEL', 'trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'),
    'lowest level to log: trace, debug, info, warn, error, fatal or silent; debug also logs every request, which about doubles CPU per request',
    'info',
  ),
};

export type SettingName = keyof typeof settings;
export const settingNames = Object.keys(settings) as SettingName[];

/** The headings of the help, each by the first setting under it. */
export const headings: Readonly<Partial<Record<SettingName, string>>> = {
  host: 'Server',
  catalogDir: 'Catalogs',
  historyMb: 'History',
  stateDir: 'Read counts',
  newsUrl: 'Feeds',
  cacheMaxAge: 'Caching',
  chatUrl: 'Notifications',
  rateLimit: 'Limits',
  logLevel: 'Log',
};

/** Values that suit every site. Only tests change them. */
export const constants = {
  /** The limit on the CPU time of reading the catalogs, and on the time without progress, in seconds; see `Limits`. */
  loadSeconds: 60,
  /** How often the files are checked, for file systems without change events, in milliseconds. */
  reloadPollMs: 1000,
  /** How long changed files must be stable before they are loaded, in milliseconds. */
  reloadQuietMs: 300,
  /** How many days the history keeps a set after it was replaced. */
  historyDays: 90,
};

export type Settings = typeof constants & {
  [Name in SettingName]: Exclude<ReturnType<(typeof settings)[Name]['parse']>, undefined>;
};
