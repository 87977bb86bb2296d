import fc from 'fast-check';
import { anyCharacter } from '../any-character.ts';

const words = (...list: string[]) => fc.constantFrom(...list);
/** Mostly the first, so that much gets past the parser, and now and then anything at all. */
const mostly = (arbitrary: fc.Arbitrary<string>) =>
  fc.oneof(
    { weight: 60, arbitrary },
    { weight: 1, arbitrary: fc.string({ unit: anyCharacter, maxLength: 40 }) },
  );

const visible = fc.string({ maxLength: 40 }).map(text => text.replace(/[^!-~]|#/g, ''));
const escaped = fc.string({ maxLength: 80 }).map(encodeURIComponent);

const method = mostly(
  fc.oneof(
    { weight: 5, arbitrary: words('GET') },
    words('HEAD', 'POST', 'OPTIONS', 'PUT', 'PROPFIND', 'TRACE', 'CONNECT', 'M-SEARCH', 'get', 'BREW'),
  ),
);

const segment = fc.oneof(
  words(
    ...['api', 'news', 'recommend-config', 'price', 'images', 'launch.png', 'health', 'ready', 'overview'],
    ...['page', 'main.js', '1', '2', '..', '.'],
  ),
  words('%2e%2e', '%2f', '%00', '%5c', '%25', '%E9%A6%99', '', '*', '__proto__', 'constructor'),
  words('%', '%zz', '%ff', '%ED%A0%80'),
  visible,
  escaped,
);
const path = mostly(
  fc.oneof(
    words(
      ...['/api/news', '/api/news/1', '/api/products', '/api/news-types', '/api/recommend-config'],
      ...['/api/recommend-config/price', '/images/launch.png', '/overview'],
      ...['/overview/prices', '/overview/rows'],
    ),
    fc.array(segment, { maxLength: 5 }).map(segments => `/${segments.join('/')}`),
  ),
);

const name = fc.oneof(
  words('page', 'limit', 'keyword', 'type_id', 'product_id', 'recommend_config_id', 'duration_id'),
  words('include', 'sort', 'since', 'until', 'ids'),
  words('include_durations', '__proto__', 'constructor', 'toString', ''),
  visible,
);
const value = fc.oneof(
  fc.integer({ min: -2, max: 120 }).map(String),
  words(
    ...['', 'true', 'img,type_id', 'read', '2024-02-01', '1,2,3', '1e2', '0x10', '9007199254740992', '%00'],
    ...['%E9%A6%99', '%zz', '%ED%A0%80', '&', '=', '+', '[]'],
  ),
  visible,
  escaped,
);
/** Parameters as a query with its question mark, or nothing. */
export const query = fc
  .array(fc.tuple(name, value), { maxLength: 5 })
  .map(pairs => (pairs.length === 0 ? '' : `?${pairs.map(pair => pair.join('=')).join('&')}`));

const header = fc.oneof(
  fc.tuple(words('If-None-Match', 'If-Match', 'If-Range'), words('*', '"a"', 'W/"a", "b"', '"', ',', '')),
  fc.tuple(
    words('Range'),
    words('bytes=0-1', 'bytes=-1', 'bytes=9-', 'bytes=1-0', 'bytes=', 'x', 'bytes=0-0,1-1'),
  ),
  fc.tuple(
    words('If-Modified-Since', 'If-Unmodified-Since'),
    words('Thu, 01 Jan 2026 00:00:00 GMT', 'x', '0'),
  ),
  fc.tuple(words('Connection'), words('close', 'keep-alive', 'Upgrade', 'upgrade, close', 'x')),
  fc.tuple(words('Upgrade'), words('websocket', 'h2c')),
  fc.tuple(words('Expect'), words('100-continue', '100-Continue', '200-ok', '')),
  fc.tuple(words('Content-Length'), words('0', '3', '-1', '3x', '99999999999999999999', '')),
  fc.tuple(words('Transfer-Encoding'), words('chunked', 'gzip', 'chunked, chunked', '')),
  fc.tuple(words('Access-Control-Request-Method', 'Access-Control-Request-Headers'), words('GET', 'x', '')),
  fc.tuple(words('Origin', 'X-Forwarded-For', 'X-Forwarded-Host', 'Cookie', '__proto__', 'Host'), visible),
  fc.tuple(mostly(visible.map(text => `X-${text.replace(/[^\w]/g, '')}`)), mostly(visible)),
);

/** What clients might send of all that is a request, nearly one, or none. */
export const requestText = fc
  .record({
    method,
    target: fc.tuple(path, mostly(query)).map(parts => parts.join('')),
    version: fc.oneof(
      { weight: 40, arbitrary: words('HTTP/1.1') },
      words('HTTP/1.0', 'HTTP/2.0', 'HTTP/9.9', ''),
    ),
    host: fc.oneof({ weight: 40, arbitrary: words('Host: a\r\n') }, words('')),
    headers: fc.array(header, { maxLength: 2 }),
    body: fc.oneof({ weight: 9, arbitrary: words('') }, words('abc', '3\r\nabc\r\n0\r\n\r\n'), visible),
  })
  .map(({ method, target, version, host, headers, body }) => {
    const lines = headers.map(pair => `${pair.join(': ')}\r\n`).join('');
    return `${method} ${target} ${version}\r\n${host}${lines}\r\n${body}`;
  });
