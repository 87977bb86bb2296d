import { isIP } from 'node:net';

/** How the text of a setting becomes its value: undefined where it is not what is expected. */
export interface Form<Value> {
  parse(text: string): Value | undefined;
  expected: string;
}

export const text: Form<string> = { parse: value => value, expected: 'a text' };

export const mountPath: Form<string> = {
  parse: value => (/^(\/[\w.~-]+)*\/?$/.test(value) ? value.replace(/\/$/, '') : undefined),
  expected: 'a path such as /shop',
};

/** Where the site shows a news item, `{id}` standing for its id; none where it is empty. */
export const newsUrl: Form<string> = {
  parse: value => (value === '' || isNewsUrl(value) ? value : undefined),
  expected: 'an address such as https://example.com/news/{id}, with {id} once, in its path or query',
};

export const timeZone: Form<string> = {
  parse: value => (isTimeZone(value) ? value : undefined),
  expected: 'an IANA time zone such as Europe/Berlin',
};

export const boolean: Form<boolean> = {
  parse: value => booleans.get(value),
  expected: 'true, false, 1 or 0',
};

const booleans = new Map([
  ['true', true],
  ['1', true],
  ['false', false],
  ['0', false],
]);

/** Those whose pages may read the answers; an empty text is what an empty list in code becomes. */
export const origins: Form<'*' | string[]> = {
  parse(value) {
    if (value === '*') return '*';
    if (value === 'off' || value === '') return [];
    const list = split(value);
    return list.every(isOrigin) ? list : undefined;
  },
  expected: '*, origins such as https://example.com divided by commas, or off',
};

/** Addresses and networks in CIDR notation. */
export const networks: Form<string[]> = {
  parse(value) {
    const list = value === '' ? [] : split(value);
    return list.every(isNetwork) ? list : undefined;
  },
  expected: 'addresses or networks such as 10.0.0.0/8 or ::1, divided by commas',
};

/** One Redis, or several nodes of a cluster. */
export const redisUrls: Form<string[]> = {
  parse(value) {
    const list = value === '' ? [] : split(value);
    return list.every(isRedisUrl) ? list : undefined;
  },
  expected: 'an address such as redis://:password@localhost:6379/0, or rediss:// for TLS',
};

export function integer(minimum: number, maximum: number): Form<number> {
  return {
    parse: value =>
      /^\d+$/.test(value) && Number(value) >= minimum && Number(value) <= maximum ? Number(value) : undefined,
    expected: `a whole number from ${minimum} to ${maximum}`,
  };
}

export function oneOf<const Choice extends string>(...choices: Choice[]): Form<Choice> {
  return {
    parse: value => choices.find(choice => choice === value),
    expected: `one of ${choices.join(', ')}`,
  };
}

/** What spreadsheets write where they do not write Unicode. */
export const encoding = oneOf(
  'utf-8',
  ...['big5', 'euc-jp', 'euc-kr', 'gb18030', 'gbk', 'shift_jis'],
  ...['iso-8859-2', 'iso-8859-5', 'iso-8859-7', 'iso-8859-9', 'iso-8859-15'],
  ...['koi8-r', 'koi8-u', 'macintosh', 'windows-874'],
  ...['windows-1250', 'windows-1251', 'windows-1252', 'windows-1253', 'windows-1254', 'windows-1255'],
  ...['windows-1256', 'windows-1257', 'windows-1258'],
);

function split(list: string): string[] {
  return list.split(',').map(entry => entry.trim());
}

function isOrigin(value: string): boolean {
  return URL.canParse(value) && new URL(value).origin === value;
}

function isRedisUrl(value: string): boolean {
  return URL.canParse(value) && /^rediss?:$/.test(new URL(value).protocol) && new URL(value).hostname !== '';
}

/** Whether browsers are led to another path or query by another id, and to a site, without a password. */
function isNewsUrl(value: string): boolean {
  const [page, other] = [1, 2]
    .map(id => value.replace('{id}', String(id)))
    .filter(url => URL.canParse(url))
    .map(url => new URL(url));
  if (!page || !other || value.split('{id}').length !== 2) return false;
  const isOpen = /^https?:$/.test(page.protocol) && page.username === '' && page.password === '';
  return isOpen && page.pathname + page.search !== other.pathname + other.search;
}

function isNetwork(value: string): boolean {
  const [address = '', prefix, ...rest] = value.split('/');
  const bits = { 0: -1, 4: 32, 6: 128 }[isIP(address)] ?? -1;
  const isPrefix = prefix === undefined || (/^\d{1,3}$/.test(prefix) && Number(prefix) <= bits);
  return bits > 0 && isPrefix && rest.length === 0;
}

function isTimeZone(name: string): boolean {
  if (name === 'UTC') return true; // A start that does not have to ask Intl is shorter by a twentieth.
  try {
    return Boolean(new Intl.DateTimeFormat('en-US', { timeZone: name }));
  } catch {
    return false;
  }
}
