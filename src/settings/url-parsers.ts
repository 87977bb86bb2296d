import { isIP } from 'node:net';
import type { SettingParser } from './parsers.ts';

/** The page of a news item on the site, with `{id}` for its id; empty for none. */
export const newsUrl: SettingParser<string> = {
  parse: value => (value === '' || isNewsUrl(value) ? value : undefined),
  expected: 'a URL such as https://example.com/news/{id}, with {id} once in its path or query',
  placeholder: 'URL',
};

/** The URL of the service for its clients, without a slash at its end; empty if unknown. */
export const publicUrl: SettingParser<string> = {
  parse: value => (value === '' || isPublicUrl(value) ? withoutSlash(value) : undefined),
  expected: 'a URL such as https://example.com/shop, without a query',
  placeholder: 'URL',
};

/** Origins that CORS allows: `*` for all, an empty list for none. */
export const origins: SettingParser<'*' | string[]> = {
  parse(value) {
    if (value === '*') return '*';
    return value === 'off' ? [] : parseList(value, isOrigin);
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

function parseList(text: string, isEntry: (entry: string) => boolean): string[] | undefined {
  const entries = text === '' ? [] : text.split(',').map(entry => entry.trim());
  return entries.every(isEntry) ? entries : undefined;
}

function isOrigin(value: string): boolean {
  return URL.canParse(value) && new URL(value).origin === value;
}

function isNetwork(value: string): boolean {
  const [address = '', prefix, ...rest] = value.split('/');
  const bits = { 0: -1, 4: 32, 6: 128 }[isIP(address)] ?? -1;
  const isPrefix = prefix === undefined || (/^\d{1,3}$/.test(prefix) && Number(prefix) <= bits);
  return bits > 0 && isPrefix && rest.length === 0;
}

function isPublicUrl(value: string): boolean {
  return URL.canParse(value) && isWebPage(new URL(value)) && !/[?#]/.test(value);
}

function withoutSlash(url: string): string {
  return url && new URL(url).href.replace(/\/$/, '');
}

/** Whether different ids give different pages of one site. */
function isNewsUrl(value: string): boolean {
  const [page, other] = [1, 2]
    .map(id => value.replace('{id}', String(id)))
    .filter(url => URL.canParse(url))
    .map(url => new URL(url));
  if (!page || !other || value.split('{id}').length !== 2) return false;
  return isWebPage(page) && page.pathname + page.search !== other.pathname + other.search;
}

/** Whether browsers open it, and it holds no password. */
function isWebPage({ protocol, username, password }: URL): boolean {
  return /^https?:$/.test(protocol) && username === '' && password === '';
}

/**
 * URLs of one Redis, of nodes of a cluster, or of Sentinels, of which the last has the name of the primary; an empty list
 * for none.
 */
export const redisUrls: SettingParser<string[]> = {
  parse: text => {
    const urls = splitUrls(text);
    return faultOf(urls) ? undefined : urls;
  },
  expected:
    'a URL such as redis://user:password@localhost:6379/0 (rediss:// for TLS) with % escapes for special characters',
  explain: text => faultOf(splitUrls(text)) ?? '',
  placeholder: 'URL',
};

export const redisPrefix: SettingParser<string> = {
  parse: value => (/^[\w.:-]{1,40}$/.test(value) ? value : undefined),
  expected: '1 to 40 letters, digits or _ - . :',
  placeholder: 'TEXT',
};

const SENTINELS = 'redis+sentinel://HOST:26379,HOST:26379/NAME';

/** Splits a list. Hosts after a Sentinel need no scheme. */
function splitUrls(text: string): string[] {
  const [scheme = ''] = /^rediss?\+sentinel:\/\//.exec(text) ?? [];
  const entries = text === '' ? [] : text.split(',').map(entry => entry.trim());
  return entries.map(entry => (entry === '' || entry.includes('://') ? entry : scheme + entry));
}

/** What is wrong with the URLs; undefined if nothing is. It quotes nothing, since any part may belong to a password. */
function faultOf(texts: string[]): string | undefined {
  if (!texts.every(isRedisUrl)) return `expected ${redisUrls.expected}`;
  const urls = texts.map(text => new URL(text));
  const last = urls.at(-1);
  if (!last) return undefined;
  const schemes = new Set(urls.map(({ protocol }) => protocol));
  if (schemes.size > 1) return 'expected URLs that all start with the same scheme';
  if (new Set(urls.map(loginOf).filter(Boolean)).size > 1)
    return 'expected one login, which holds for all URLs';
  return last.protocol.includes('+sentinel') ? faultOfSentinels(urls, last) : faultOfNodes(urls);
}

function faultOfNodes(urls: URL[]): string | undefined {
  if (urls.some(({ search, hash }) => search || hash))
    return `expected no ? or # in the URL; to find Redis through Sentinel, write ${SENTINELS}`;
  if (urls.length > 1 && !urls.every(hasNoPath)) return 'expected no path, since a cluster has no databases';
  if (urls.every(({ pathname }) => /^\/?\d*$/.test(pathname))) return undefined;
  return 'expected the number of a database as the path, such as redis://localhost/0';
}

function faultOfSentinels(urls: URL[], last: URL): string | undefined {
  const isKnown = (name: string) => name === 'sentinelUsername' || name === 'sentinelPassword';
  if (urls.some(({ hash }) => hash) || ![...last.searchParams.keys()].every(isKnown))
    return 'expected no # and, after ?, only sentinelUsername and sentinelPassword';
  const isOnlyLast = urls.every(url => url === last || (hasNoPath(url) && !url.search));
  if (isOnlyLast && /^\/[^/]+(\/\d+)?$/.test(last.pathname)) return undefined;
  return `expected the name of the primary after the last Sentinel: ${SENTINELS}`;
}

function isRedisUrl(text: string): boolean {
  if (!URL.canParse(text) || !/^rediss?(\+sentinel)?:\/\//.test(text)) return false;
  const { hostname, username, password, pathname } = new URL(text);
  return hostname !== '' && [username, password, pathname].every(isDecodable);
}

function isDecodable(text: string): boolean {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
}

function hasNoPath({ pathname }: URL): boolean {
  return pathname === '' || pathname === '/';
}

function loginOf({ username, password }: URL): string {
  return username || password ? `${username}:${password}` : '';
}

/** Where webhooks go; empty for none. No message repeats it, since its path can be a secret. */
export const webhookUrl: SettingParser<string> = {
  parse: value => (value === '' || isWebhookUrl(value) ? value : undefined),
  expected: 'a URL such as https://example.com/purge, without user and password',
  explain: () => `expected ${webhookUrl.expected}`,
  placeholder: 'URL',
};

/** A secret of Standard Webhooks; empty for none. No message repeats it. */
export const webhookSecret: SettingParser<string> = {
  parse: value => (value === '' || isSecret(value) ? value : undefined),
  expected: 'whsec_ and the Base64 of 24 to 64 bytes, as from: echo "whsec_$(openssl rand -base64 32)"',
  explain: () => `expected ${webhookSecret.expected}`,
  placeholder: 'SECRET',
};

function isWebhookUrl(value: string): boolean {
  if (!URL.canParse(value)) return false;
  const { protocol, username, password, hash } = new URL(value);
  return /^https?:$/.test(protocol) && username === '' && password === '' && hash === '';
}

function isSecret(value: string): boolean {
  const [, base64 = ''] =
    /^whsec_((?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?)$/.exec(value) ?? [];
  const { length } = Buffer.from(base64, 'base64');
  return length >= 24 && length <= 64;
}
