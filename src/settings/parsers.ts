import { isIP } from 'node:net';
import { totalmem } from 'node:os';

/** Turns the text of a setting into its value. */
export interface SettingParser<Value> {
  /** Returns undefined if the text is not what is `expected`. */
  parse(text: string): Value | undefined;
  /** Completes the message `PORT: expected …`. */
  expected: string;
  /** The text must not appear in messages. */
  isSecret?: true;
  /** What an option in code may be instead of a text: a list of texts, or a file URL. */
  takes?: 'list' | 'path';
  /** Stands for the value in the help; empty for a flag that takes none. */
  placeholder: string;
}

function parserOf<Value>(
  placeholder: string,
  expected: string,
  parse: (text: string) => Value | undefined,
  more: Pick<SettingParser<Value>, 'isSecret' | 'takes'> = {},
): SettingParser<Value> {
  return { placeholder, expected, parse, ...more };
}

export function textParser(
  placeholder: string,
  isValid: (text: string) => boolean = () => true,
  expected = 'text',
  more: Pick<SettingParser<string>, 'isSecret' | 'takes'> = {},
): SettingParser<string> {
  return parserOf(placeholder, expected, value => (isValid(value) ? value : undefined), more);
}

export const directory = textParser('DIR', path => /^[^\0]+$/.test(path), 'a path', { takes: 'path' });

/** A secret; empty for none. */
function secretOf(placeholder: string, isValid: (text: string) => boolean, expected: string) {
  return textParser(placeholder, value => value === '' || isValid(value), expected, { isSecret: true });
}

/** A secret that is valid in any HTTP header; empty for none. */
export const token = secretOf(
  'TOKEN',
  value => /^[\w.~+/=-]{16,256}$/.test(value),
  '16 to 256 letters, digits or - . _ ~ + / =',
);

export function wholeNumber(placeholder: string, minimum: number, maximum: number): SettingParser<number> {
  return parserOf(placeholder, `a whole number from ${minimum} to ${maximum}`, value => {
    const number = /^\d+$/.test(value) ? Number(value) : Number.NaN;
    return number >= minimum && number <= maximum ? number : undefined;
  });
}

export function choiceOf<const Choice extends string>(
  placeholder: string,
  ...choices: Choice[]
): SettingParser<Choice> {
  const expected = `${choices.slice(0, -1).join(', ')} or ${choices.at(-1)}`;
  return parserOf(placeholder, expected, value => choices.find(choice => choice === value));
}

/** A boolean in lower case, for settings and queries. */
export const boolean = parserOf('', 'true, false, 1 or 0', value =>
  /^(?:true|1)$/.test(value) ? true : /^(?:false|0)$/.test(value) ? false : undefined,
);

/** A path without a trailing slash; empty for the root. */
export const mountPath = parserOf('PATH', 'a path such as /shop', value =>
  /^(\/[\w.~-]+)*\/?$/.test(value) ? value.replace(/\/$/, '') : undefined,
);

export const timeZone = textParser('ZONE', isTimeZone, 'an IANA time zone such as Europe/Berlin');

function isTimeZone(name: string): boolean {
  if (name === 'UTC') return true; // Loading Intl's time zones takes a twentieth of the startup time.
  try {
    return Boolean(new Intl.DateTimeFormat('en-US', { timeZone: name }));
  } catch {
    return false;
  }
}

const megabytes = wholeNumber('MB', 64, 1_048_576);

/** In MB. `auto` is half of the memory of the container or machine, since the served set stays in the other half. */
export const loadMemory = parserOf('MB', `auto or ${megabytes.expected}`, value => {
  if (value !== 'auto') return megabytes.parse(value);
  const bytes = Math.min(process.constrainedMemory() || totalmem(), totalmem());
  return Math.min(1536, Math.floor(bytes / 2 ** 21));
});

/** Encodings of CSV files, by the names of the Encoding Standard that `TextDecoder` knows. */
export const encodings = [
  'utf-8',
  ...['big5', 'euc-jp', 'euc-kr', 'gb18030', 'gbk', 'shift_jis'],
  ...['iso-8859-2', 'iso-8859-5', 'iso-8859-7', 'iso-8859-9', 'iso-8859-15'],
  ...['koi8-r', 'koi8-u', 'macintosh', 'windows-874'],
  ...['windows-1250', 'windows-1251', 'windows-1252', 'windows-1253', 'windows-1254'],
  ...['windows-1255', 'windows-1256', 'windows-1257', 'windows-1258'],
];

export const encoding = choiceOf('ENCODING', ...encodings);

/** The URL of a news item's page on the site, with `{id}` for the id; empty for none. */
export const newsUrl = textParser(
  'URL',
  value => value === '' || isNewsUrl(value),
  'a URL such as https://example.com/news/{id}, with {id} once in its path or query',
);

/** Whether different ids give different pages. */
function isNewsUrl(value: string): boolean {
  const [page, other] = [1, 2].map(id => webUrl(value.replace('{id}', String(id))));
  if (!page || !other || value.split('{id}').length !== 2) return false;
  return page.pathname + page.search !== other.pathname + other.search;
}

/** The public URL of the service, without a trailing slash; empty if unknown. */
export const publicUrl = parserOf('URL', 'a URL such as https://example.com/shop, without a query', value => {
  if (value === '') return '';
  return /[?#]/.test(value) ? undefined : webUrl(value)?.href.replace(/\/$/, '');
});

/** A receiver of webhooks; empty for none. A secret, since its path may be one. */
export const webhookUrl = secretOf(
  'URL',
  value => webUrl(value)?.hash === '',
  'a URL such as https://example.com/purge, without user and password',
);

/** Parses an HTTP URL without user and password; undefined for any other text. */
function webUrl(text: string): URL | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  return url && /^https?:$/.test(url.protocol) && loginOf(url) === '' ? url : undefined;
}

function loginOf({ username, password }: URL): string {
  return username || password ? `${username}:${password}` : '';
}

export const webhookSecret = secretOf(
  'SECRET',
  isWebhookSecret,
  'whsec_ and the Base64 of 24 to 64 bytes, as from: echo "whsec_$(openssl rand -base64 32)"',
);

function isWebhookSecret(value: string): boolean {
  const [, base64 = ''] =
    /^whsec_((?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?)$/.exec(value) ?? [];
  const { length } = Buffer.from(base64, 'base64');
  return length >= 24 && length <= 64;
}

/** Origins that CORS allows: `*` for all, an empty list for none. */
export const origins = parserOf<'*' | string[]>(
  'ORIGINS',
  '*, off or comma-separated origins such as https://example.com',
  value => {
    if (value === '*') return '*';
    return value === 'off'
      ? []
      : parseList(value, entry => URL.canParse(entry) && new URL(entry).origin === entry);
  },
  { takes: 'list' },
);

export const networks = parserOf(
  'ADDRESSES',
  'comma-separated addresses or networks such as 10.0.0.0/8 or ::1',
  value => parseList(value, isNetwork),
  { takes: 'list' },
);

function isNetwork(value: string): boolean {
  const [address = '', prefix, ...rest] = value.split('/');
  const bits = { 0: -1, 4: 32, 6: 128 }[isIP(address)] ?? -1;
  const isPrefix = prefix === undefined || (/^\d{1,3}$/.test(prefix) && Number(prefix) <= bits);
  return bits > 0 && isPrefix && rest.length === 0;
}

function parseList(text: string, isEntry: (entry: string) => boolean): string[] | undefined {
  const entries = splitList(text);
  return entries.every(isEntry) ? entries : undefined;
}

function splitList(text: string): string[] {
  return text === '' ? [] : text.split(',').map(entry => entry.trim());
}

export const redisPrefix = textParser(
  'TEXT',
  value => /^[\w.:-]{1,40}$/.test(value),
  '1 to 40 letters, digits or _ - . :',
);

/**
 * The URL of a Redis server, or those of cluster nodes or Sentinels; the last Sentinel has the name of the primary. An empty
 * list for none. A secret as a whole, since any part of a malformed URL may belong to a password.
 */
export const redisUrls = parserOf(
  'URL',
  'redis://user:password@localhost:6379/0 (rediss:// for TLS), nodes of one cluster, or redis+sentinel://HOST:26379,HOST:26379/NAME, with one login, and % escapes for special characters',
  text => {
    // Hosts after a Sentinel need no scheme.
    const [scheme = ''] = /^rediss?\+sentinel:\/\//.exec(text) ?? [];
    const urls = splitList(text).map(url => (url === '' || url.includes('://') ? url : scheme + url));
    return urls.every(isRedisUrl) && areOfOneRedis(urls.map(url => new URL(url))) ? urls : undefined;
  },
  { isSecret: true, takes: 'list' },
);

function isRedisUrl(text: string): boolean {
  if (!URL.canParse(text) || !/^rediss?(\+sentinel)?:\/\//.test(text)) return false;
  const { hostname, username, password, pathname } = new URL(text);
  try {
    for (const part of [username, password, pathname]) decodeURIComponent(part);
    return hostname !== '';
  } catch {
    return false;
  }
}

function areOfOneRedis(urls: URL[]): boolean {
  const schemes = new Set(urls.map(({ protocol }) => protocol));
  const logins = new Set(urls.map(loginOf).filter(Boolean));
  if (schemes.size > 1 || logins.size > 1 || urls.some(({ hash }) => hash)) return false;
  const isBare = ({ pathname, search }: URL) => /^\/?$/.test(pathname) && search === '';
  const last = urls.at(-1);
  if (!last || !urls.slice(0, -1).every(isBare)) return !last;
  if (!last.protocol.includes('+sentinel'))
    return urls.length > 1 ? isBare(last) : /^\/?\d*$/.test(last.pathname) && last.search === '';
  const isKnown = (name: string) => name === 'sentinelUsername' || name === 'sentinelPassword';
  return [...last.searchParams.keys()].every(isKnown) && /^\/[^/]+(\/\d+)?$/.test(last.pathname);
}
