import {
  boolean,
  encoding,
  type Form,
  integer,
  mountPath,
  networks,
  newsUrl,
  oneOf,
  origins,
  redisUrls,
  text,
  timeZone,
} from './forms.ts';

/** Says in one sentence what is wrong with a setting or with the command line. */
export class UsageError extends Error {}

interface Setting extends Form<unknown> {
  /** As the operator would write it. */
  default: string;
  /** What stands for the value in the help text; empty for a flag that takes none. */
  value: string;
  meaning: string;
}

/** Every setting, once. Environment variable, flag and option in code are named after it: `CATALOG_DIR`, `--catalog-dir`, `catalogDir`. */
export const settings = {
  host: {
    default: '127.0.0.1',
    value: 'ADDRESS',
    meaning: 'address to listen on; 0.0.0.0 or :: for all',
    ...text,
  },
  port: {
    default: '3000',
    value: 'NUMBER',
    meaning: 'port to listen on; 0 for any free one',
    ...integer(0, 65_535),
  },
  basePath: {
    default: '',
    value: 'PATH',
    meaning: 'path under which everything is mounted, such as /shop',
    ...mountPath,
  },
  newsUrl: {
    default: '',
    value: 'URL',
    meaning:
      'page of a news item on your site, such as https://example.com/news/{id}; with it there are feeds',
    ...newsUrl,
  },
  catalogDir: { default: 'data/catalog', value: 'DIR', meaning: 'where the catalog files are', ...text },
  imagesDir: {
    default: 'data/images',
    value: 'DIR',
    meaning: 'where the images are that news items name',
    ...text,
  },
  stateDir: { default: 'data/state', value: 'DIR', meaning: 'where the read counts are kept', ...text },
  timeZone: {
    default: 'UTC',
    value: 'ZONE',
    meaning: 'time zone in which times are read and written',
    ...timeZone,
  },
  csvEncoding: {
    default: 'utf-8',
    value: 'ENCODING',
    meaning: 'what CSV files are in that are no UTF-8, such as windows-1252 or gb18030',
    ...encoding,
  },
  csvDecimal: {
    default: '.',
    value: 'SIGN',
    meaning: 'decimal sign in CSV files: . or ,',
    ...oneOf('.', ','),
  },
  maxFileMb: {
    default: '64',
    value: 'MB',
    meaning: 'megabytes that a catalog file may have',
    ...integer(1, 1024),
  },
  allowShrink: {
    default: 'false',
    value: '',
    meaning: 'take up catalogs that have lost more than half of their rows, too',
    ...boolean,
  },
  reloadPollMs: {
    default: '1000',
    value: 'MS',
    meaning: 'milliseconds between looks for changed files, where the system tells of none',
    ...integer(10, 3_600_000),
  },
  reloadQuietMs: {
    default: '300',
    value: 'MS',
    meaning: 'milliseconds for which changed files have to lie still',
    ...integer(0, 60_000),
  },
  flushIntervalMs: {
    default: '1000',
    value: 'MS',
    meaning: 'milliseconds between saves of new read counts',
    ...integer(10, 3_600_000),
  },
  redisUrl: {
    default: '',
    value: 'URL',
    meaning: 'Redis in which many processes count together; nodes of a cluster divided by commas',
    ...redisUrls,
  },
  corsOrigin: {
    default: '*',
    value: 'ORIGINS',
    meaning: "whose pages may read the answers: *, origins divided by commas, or 'off'",
    ...origins,
  },
  rateLimit: {
    default: '0',
    value: 'NUMBER',
    meaning: 'requests that a client may send in a minute; 0 for any number',
    ...integer(0, 1_000_000),
  },
  trustProxy: {
    default: '',
    value: 'ADDRESSES',
    meaning: 'addresses or networks of the proxies whose X-Forwarded-For tells who the client is',
    ...networks,
  },
  maxConnections: {
    default: '4000',
    value: 'NUMBER',
    meaning: 'connections that are served at a time; more are told to come again',
    ...integer(1, 1_000_000),
  },
  requestTimeoutMs: {
    default: '8000',
    value: 'MS',
    meaning: 'milliseconds in which a request has to come whole, since some clients would drip it for ever',
    ...integer(100, 3_600_000),
  },
  idleTimeoutMs: {
    default: '8000',
    value: 'MS',
    meaning: 'milliseconds after which a client is cut off that takes nothing of its answer',
    ...integer(100, 3_600_000),
  },
  keepAliveMs: {
    default: '8000',
    value: 'MS',
    meaning:
      'milliseconds for which an unused connection is kept; longer than a proxy before it does (65000 for nginx and AWS), or that answers 502 now and then',
    ...integer(100, 3_600_000),
  },
  drainMs: {
    default: '500',
    value: 'MS',
    meaning:
      'milliseconds for which a service that stops goes on to answer, so that clients leave by themselves',
    ...integer(0, 600_000),
  },
  logRequests: {
    default: 'false',
    value: '',
    meaning: 'log each request when it comes and when it is answered, which makes it about twice as dear',
    ...boolean,
  },
  logLevel: {
    default: 'info',
    value: 'LEVEL',
    meaning: 'what is logged: trace, debug, info, warn, error, fatal or silent',
    ...oneOf('trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'),
  },
} as const satisfies Record<string, Setting>;

export type SettingName = keyof typeof settings;
export type Settings = {
  [Name in SettingName]: Exclude<ReturnType<(typeof settings)[Name]['parse']>, undefined>;
};

/** In the order in which help and README list them. */
export const settingNames = Object.keys(settings) as SettingName[];

/** `catalogDir` as the environment has it: `CATALOG_DIR`. */
export function environmentName(name: SettingName): string {
  return name.replace(/[A-Z]/g, letter => `_${letter}`).toUpperCase();
}

/** `catalogDir` as the command line has it, without the dashes: `catalog-dir`. */
export function flagName(name: SettingName): string {
  return name.replace(/[A-Z]/g, letter => `-${letter}`).toLowerCase();
}

/** Whether the flag takes a value. */
export function flagType(name: SettingName): 'boolean' | 'string' {
  return settings[name].value === '' ? 'boolean' : 'string';
}

/**
 * The settings from the command line's flags, the environment and the defaults, in this order. An empty variable is
 * as if unset.
 * @throws UsageError that names the flag or the variable and what was expected.
 */
export function readSettings(
  flags: Record<string, unknown>,
  environment: Record<string, string | undefined>,
): Settings {
  return eachSetting(name => {
    const flag = flags[flagName(name)];
    if (flag !== undefined) return parseSetting(name, String(flag), `--${flagName(name)}`);
    return parseSetting(
      name,
      environment[environmentName(name)] || settings[name].default,
      environmentName(name),
    );
  });
}

/**
 * The settings from options given in code.
 * @throws UsageError that names the option and what was expected.
 */
export function settingsFrom(options: Partial<Settings>): Settings {
  return eachSetting(name => parseSetting(name, String(options[name] ?? settings[name].default), name));
}

function eachSetting(value: (name: SettingName) => unknown): Settings {
  // Every value comes from the parser from which its type is derived.
  return Object.fromEntries(settingNames.map(name => [name, value(name)])) as Settings;
}

function parseSetting(name: SettingName, text: string, source: string): unknown {
  const value = settings[name].parse(text);
  if (value === undefined)
    throw new UsageError(`${source} is ${JSON.stringify(text)}: write ${settings[name].expected}`);
  return value;
}
