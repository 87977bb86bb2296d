import { isIP } from 'node:net';
import { type SettingParser, secretOf, textOf } from './parsers.ts';

/** The page of a news item on the site, with `{id}` for its id; empty for none. */
export const newsUrl = textOf(
  'URL',
  value => value === '' || isNewsUrl(value),
  'a URL such as https://example.com/news/{id}, with {id} once in its path or query',
);

/** Whether different ids give different pages of one site. */
function isNewsUrl(value: string): boolean {
  const [page, other] = [1, 2].map(id => webUrl(value.replace('{id}', String(id))));
  if (!page || !other || value.split('{id}').length !== 2) return false;
  return page.pathname + page.search !== other.pathname + other.search;
}

/** The URL of the service for its clients, without a slash at its end; empty if unknown. */
export const publicUrl: SettingParser<string> = {
  parse(value) {
    if (value === '') return '';
    return /[?#]/.test(value) ? undefined : webUrl(value)?.href.replace(/\/$/, '');
  },
  expected: 'a URL such as https://example.com/shop, without a query',
  placeholder: 'URL',
};

/** Where webhooks go; empty for none. Its path can be a secret. */
export const webhookUrl = secretOf(
  'URL',
  value => webUrl(value)?.hash === '',
  'a URL such as https://example.com/purge, without user and password',
);

/** A URL that browsers open, without a password; undefined for any other text. */
function webUrl(text: string): URL | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  return url && /^https?:$/.test(url.protocol) && loginOf(url) === '' ? url : undefined;
}

function loginOf({ username, password }: URL): string {
  return username || password ? `${username}:${password}` : '';
}

/** A secret of Standard Webhooks; empty for none. */
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
export const origins: SettingParser<'*' | string[]> = {
  parse(value) {
    if (value === '*') return '*';
    return value === 'off'
      ? []
      : parseList(value, entry => URL.canParse(entry) && new URL(entry).origin === entry);
  },
  expected: '*, off or comma-separated origins such as https://example.com',
  placeholder: 'ORIGINS',
};

/** Addresses, and networks in CIDR notation. */
export const networks: SettingParser<string[]> = {
  parse: value => parseList(value, isNetwork),
  expected: 'comma-separated addresses or networks such as 10.0.0.0/8 or ::1',
  placeholder: 'ADDRESSES',
};

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

export const redisPrefix = textOf(
  'TEXT',
  value => /^[\w.:-]{1,40}$/.test(value),
  '1 to 40 letters, digits or _ - . :',
);

/**
 * URLs of one Redis, of nodes of a cluster, or of Sentinels, of which the last has the name of the primary; an empty list
 * for none. Any part may belong to a password.
 */
export const redisUrls: SettingParser<string[]> = {
  parse: text => {
    // Hosts after a Sentinel need no scheme.
    const [scheme = ''] = /^rediss?\+sentinel:\/\//.exec(text) ?? [];
    const urls = splitList(text).map(url => (url === '' || url.includes('://') ? url : scheme + url));
    return urls.every(isRedisUrl) && areOfOneRedis(urls.map(url => new URL(url))) ? urls : undefined;
  },
  expected:
    'redis://user:password@localhost:6379/0 (rediss:// for TLS), nodes of one cluster, or redis+sentinel://HOST:26379,HOST:26379/NAME, with one login, and % escapes for special characters',
  isSecret: true,
  placeholder: 'URL',
};

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
