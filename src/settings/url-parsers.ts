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
