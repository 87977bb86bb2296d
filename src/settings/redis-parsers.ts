import type { SettingParser } from './parsers.ts';

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
