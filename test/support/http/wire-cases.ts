import type { ErrorCode } from '../../../src/errors.ts';

/**
 * What is sent, what is answered in turn, and what becomes of the connection: it is kept, or closed as the last answer
 * says, or cut where the body of an answered request turns out to be none.
 */
export type Case = [
  what: string,
  bytes: string | Buffer,
  answers: ('ok' | ErrorCode)[],
  after: 'keeps' | 'closes' | 'cuts',
];

const NEWS = 'GET /api/news HTTP/1.1\r\nHost: a\r\n\r\n';
/** A request with some headers. */
const get = (headers: string, target = '/api/news', version = 'HTTP/1.1') =>
  `GET ${target} ${version}\r\n${headers}\r\n`;
/** A request with a body. */
const post = (headers: string, body: string, target = '/api/news') =>
  `POST ${target} HTTP/1.1\r\nHost: a\r\n${headers}\r\n${body}`;
/** A request with another request line. */
const line = (requestLine: string) => `${requestLine}\r\nHost: a\r\n\r\n`;

/** What clients and those who are none might send. */
export const cases: Case[] = [
  ['a plain request', NEWS, ['ok'], 'keeps'],
  ['two requests at once', NEWS + NEWS, ['ok', 'ok'], 'keeps'],
  ['a request after blank lines', `\r\n\r\n${NEWS}`, ['ok'], 'keeps'],
  ['HTTP/1.0', get('Host: a\r\n', '/api/news', 'HTTP/1.0'), ['ok'], 'closes'],
  ['HTTP/1.0 without a Host', get('', '/api/news', 'HTTP/1.0'), ['ok'], 'closes'],
  ['a whole address as target', line('GET http://a/api/news HTTP/1.1'), ['ok'], 'keeps'],
  ['an address with a fragment', line('GET /api/news#top HTTP/1.1'), ['ok'], 'keeps'],
  ['Connection: close', get('Host: a\r\nConnection: close\r\n'), ['ok'], 'closes'],
  [
    'an upgrade to what is not spoken',
    get('Host: a\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n'),
    ['ok'],
    'keeps',
  ],
  ['Expect: 100-continue', get('Host: a\r\nExpect: 100-continue\r\n'), ['ok'], 'closes'],

  // Paths and parameters
  ['an unknown path', line('GET /nothing HTTP/1.1'), ['ROUTE_NOT_FOUND'], 'keeps'],
  ['a path above the root', line('GET /../../etc/passwd HTTP/1.1'), ['ROUTE_NOT_FOUND'], 'keeps'],
  ['a path without a slash', line('GET api/news HTTP/1.1'), ['BAD_REQUEST'], 'closes'],
  ['a blank in the path', line('GET /api/ news HTTP/1.1'), ['BAD_REQUEST'], 'closes'],
  ['a bad escape in the path', line('GET /api/news/%zz HTTP/1.1'), ['BAD_REQUEST'], 'closes'],
  ['half an escape in the path', line('GET /api/news/% HTTP/1.1'), ['BAD_REQUEST'], 'closes'],
  ['an escape in the path that is no UTF-8', line('GET /api/news/%ff HTTP/1.1'), ['BAD_REQUEST'], 'closes'],
  ['a bad escape in the query', line('GET /api/news?keyword=%zz HTTP/1.1'), ['BAD_REQUEST'], 'keeps'],
  [
    'an escape in the query that is no UTF-8',
    line('GET /api/news?keyword=%b1%b1 HTTP/1.1'),
    ['BAD_REQUEST'],
    'keeps',
  ],
  ['NUL, escaped', line('GET /api/news/%00 HTTP/1.1'), ['INVALID_PARAMETER'], 'keeps'],
  [
    'an id of 5,000 digits',
    line(`GET /api/news/${'1'.repeat(5000)} HTTP/1.1`),
    ['INVALID_PARAMETER'],
    'keeps',
  ],
  [
    'a keyword of 5,000 characters',
    line(`GET /api/news?keyword=${'a'.repeat(5000)} HTTP/1.1`),
    ['INVALID_PARAMETER'],
    'keeps',
  ],
  ['5,000 parameters', line(`GET /api/news?${'a&'.repeat(5000)} HTTP/1.1`), ['ok'], 'keeps'],
  ['a parameter named __proto__', line('GET /api/news?__proto__=1&constructor=2 HTTP/1.1'), ['ok'], 'keeps'],
  ['raw UTF-8 in the path', Buffer.from(line('GET /香港 HTTP/1.1')), ['BAD_REQUEST'], 'closes'],
  [
    'raw UTF-8 in the query',
    Buffer.from(line('GET /api/news?keyword=香港 HTTP/1.1')),
    ['BAD_REQUEST'],
    'closes',
  ],
  ['a raw NUL in the path', line('GET /api\0 HTTP/1.1'), ['BAD_REQUEST'], 'closes'],
  ['an address of 20,000 bytes', line(`GET /${'a'.repeat(20_000)} HTTP/1.1`), ['URI_TOO_LONG'], 'closes'],
  [
    'a query of 200,000 bytes',
    line(`GET /api/news?${'a'.repeat(200_000)} HTTP/1.1`),
    ['URI_TOO_LONG'],
    'closes',
  ],

  // Methods and bodies
  ['an unknown method', line('BREW /api/news HTTP/1.1'), ['METHOD_NOT_ALLOWED'], 'closes'],
  ['a method in small letters', line('get /api/news HTTP/1.1'), ['METHOD_NOT_ALLOWED'], 'closes'],
  ['a method that begins like another', line('GETS /api/news HTTP/1.1'), ['METHOD_NOT_ALLOWED'], 'closes'],
  [
    'an unknown method after a request',
    `${NEWS}${line('BREW /api/news HTTP/1.1')}`,
    ['ok', 'METHOD_NOT_ALLOWED'],
    'closes',
  ],
  ['a method of WebDAV', line('PROPFIND /api/news HTTP/1.1'), ['METHOD_NOT_ALLOWED'], 'keeps'],
  ['TRACE', line('TRACE /api/news HTTP/1.1'), ['METHOD_NOT_ALLOWED'], 'keeps'],
  ['OPTIONS without a preflight', line('OPTIONS /api/news HTTP/1.1'), ['METHOD_NOT_ALLOWED'], 'keeps'],
  ['OPTIONS of everything', line('OPTIONS * HTTP/1.1'), ['METHOD_NOT_ALLOWED'], 'keeps'],
  ['OPTIONS of an unknown path', line('OPTIONS /nothing HTTP/1.1'), ['ROUTE_NOT_FOUND'], 'keeps'],
  ['POST to a whole address', post('', '', 'http://a/api/news'), ['METHOD_NOT_ALLOWED'], 'keeps'],
  ['POST to an address with a fragment', post('', '', '/api/news#top'), ['METHOD_NOT_ALLOWED'], 'keeps'],
  ['CONNECT', line('CONNECT a:443 HTTP/1.1'), ['METHOD_NOT_ALLOWED'], 'closes'],
  ['CONNECT after a request', NEWS + line('CONNECT a:443 HTTP/1.1'), ['ok', 'METHOD_NOT_ALLOWED'], 'closes'],
  [
    'CONNECT after two requests',
    `${NEWS}${NEWS}${line('CONNECT a:443 HTTP/1.1')}`,
    ['ok', 'ok', 'METHOD_NOT_ALLOWED'],
    'closes',
  ],
  [
    'CONNECT after a request that closes',
    `${get('Host: a\r\nConnection: close\r\n')}${line('CONNECT a:443 HTTP/1.1')}`,
    ['ok'],
    'closes',
  ],
  ['CONNECT without a port', line('CONNECT /api/news HTTP/1.1'), ['METHOD_NOT_ALLOWED'], 'closes'],
  [
    'POST with a good body',
    post('Content-Type: application/json\r\nContent-Length: 2\r\n', '{}'),
    ['METHOD_NOT_ALLOWED'],
    'keeps',
  ],
  [
    'POST with a bad body',
    post('Content-Type: application/json\r\nContent-Length: 4\r\n', '{bad'),
    ['METHOD_NOT_ALLOWED'],
    'keeps',
  ],
  [
    'POST with an empty body',
    post('Content-Type: application/json\r\nContent-Length: 0\r\n', ''),
    ['METHOD_NOT_ALLOWED'],
    'keeps',
  ],
  ['POST with an undeclared body', post('', ''), ['METHOD_NOT_ALLOWED'], 'keeps'],
  [
    'POST with a body of unknown type',
    post('Content-Type: what/ever\r\nContent-Length: 2\r\n', 'hi'),
    ['METHOD_NOT_ALLOWED'],
    'keeps',
  ],
  [
    'POST to an unknown path with a bad body',
    post('Content-Type: application/json\r\nContent-Length: 4\r\n', '{bad', '/nothing'),
    ['ROUTE_NOT_FOUND'],
    'keeps',
  ],
  [
    'POST in chunks',
    post('Transfer-Encoding: chunked\r\n', '2\r\nhi\r\n0\r\n\r\n'),
    ['METHOD_NOT_ALLOWED'],
    'keeps',
  ],
  [
    'POST of a million bytes',
    post('Content-Length: 1000000\r\n', 'a'.repeat(1_000_000)),
    ['METHOD_NOT_ALLOWED'],
    'keeps',
  ],
  [
    'POST that waits for 100 Continue',
    post('Content-Length: 2\r\nExpect: 100-continue\r\n', 'hi'),
    ['METHOD_NOT_ALLOWED'],
    'closes',
  ],
  [
    'POST in bad chunks',
    post('Transfer-Encoding: chunked\r\n', 'zz\r\nhi\r\n0\r\n\r\n'),
    ['METHOD_NOT_ALLOWED'],
    'cuts',
  ],
  [
    'POST in an unknown transfer encoding',
    post('Transfer-Encoding: gzip\r\n', ''),
    ['METHOD_NOT_ALLOWED'],
    'cuts',
  ],
  ['GET with a body', get('Host: a\r\nContent-Length: 4\r\n').concat('{bad'), ['ok'], 'keeps'],
  [
    'DELETE with a body',
    line('DELETE /api/news/1 HTTP/1.1').replace('\r\n\r\n', '\r\nContent-Length: 2\r\n\r\nhi'),
    ['METHOD_NOT_ALLOWED'],
    'keeps',
  ],

  // Headers
  ['no Host', get(''), ['BAD_REQUEST'], 'keeps'],
  ['two Hosts', get('Host: a\r\nHost: b\r\n'), ['BAD_REQUEST'], 'keeps'],
  ['the same Host twice', get('Host: a\r\nhost: a\r\n'), ['BAD_REQUEST'], 'keeps'],
  ['a Host that is no name', get('Host: a b\r\n'), ['BAD_REQUEST'], 'keeps'],
  ['a Host with a path', get('Host: a/b\r\n'), ['BAD_REQUEST'], 'keeps'],
  ['a Host of IPv6', get('Host: [::1]:3000\r\n'), ['ok'], 'keeps'],
  ['an unknown expectation', get('Host: a\r\nExpect: 200-ok\r\n'), ['EXPECTATION_FAILED'], 'keeps'],
  ['two lengths', post('Content-Length: 2\r\nContent-Length: 3\r\n', 'hi'), ['BAD_REQUEST'], 'closes'],
  [
    'a length and chunks',
    post('Content-Length: 2\r\nTransfer-Encoding: chunked\r\n', '0\r\n\r\n'),
    ['BAD_REQUEST'],
    'closes',
  ],
  ['a length that is no number', post('Content-Length: 2x\r\n', 'hi'), ['BAD_REQUEST'], 'closes'],
  ['a negative length', post('Content-Length: -2\r\n', 'hi'), ['BAD_REQUEST'], 'closes'],
  [
    'a header of 20,000 bytes',
    get(`Host: a\r\nX: ${'a'.repeat(20_000)}\r\n`),
    ['HEADERS_TOO_LARGE'],
    'closes',
  ],
  [
    'a header of 1,000,000 bytes',
    get(`Host: a\r\nX: ${'a'.repeat(1_000_000)}\r\n`),
    ['HEADERS_TOO_LARGE'],
    'closes',
  ],
  ['5,000 headers', get(`Host: a\r\n${'X: a\r\n'.repeat(5000)}`), ['ok'], 'keeps'],
  [
    'a second Host after 5,000 headers',
    get(`Host: a\r\n${'X: a\r\n'.repeat(5000)}Host: b\r\n`),
    ['BAD_REQUEST'],
    'keeps',
  ],
  ['a header without a colon', get('Host: a\r\nX\r\n'), ['BAD_REQUEST'], 'closes'],
  ['a blank before the colon', get('Host: a\r\nX : a\r\n'), ['BAD_REQUEST'], 'closes'],
  ['a header that is folded', get('Host: a\r\nX: a\r\n b\r\n'), ['BAD_REQUEST'], 'closes'],
  ['NUL in a header', get('Host: a\r\nX: a\0b\r\n'), ['BAD_REQUEST'], 'closes'],
  ['__proto__ as a header', get('Host: a\r\n__proto__: a\r\n'), ['ok'], 'keeps'],
  ['two If-None-Match', get('Host: a\r\nIf-None-Match: "a"\r\nIf-None-Match: "b"\r\n'), ['ok'], 'keeps'],

  // What is no HTTP/1.1
  ['lines that end with LF', 'GET /api/news HTTP/1.1\nHost: a\n\n', ['BAD_REQUEST'], 'closes'],
  ['HTTP/0.9', 'GET /api/news\r\n\r\n', ['VERSION_NOT_SUPPORTED'], 'closes'],
  ['HTTP/0.9, said so', line('GET /api/news HTTP/0.9'), ['VERSION_NOT_SUPPORTED'], 'closes'],
  ['HTTP/1.2', line('GET /api/news HTTP/1.2'), ['VERSION_NOT_SUPPORTED'], 'closes'],
  ['HTTP/2.0', line('GET /api/news HTTP/2.0'), ['VERSION_NOT_SUPPORTED'], 'closes'],
  ['HTTP/3.0', line('GET /api/news HTTP/3.0'), ['VERSION_NOT_SUPPORTED'], 'closes'],
  ['the preface of HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', ['VERSION_NOT_SUPPORTED'], 'closes'],
  ['its method in HTTP/1.0', line('PRI /api/news HTTP/1.0'), ['BAD_REQUEST'], 'closes'],
  ['its method in HTTP/1.1', line('PRI * HTTP/1.1'), ['BAD_REQUEST'], 'closes'],
  ['its method in HTTP/0.9', 'PRI *M\r\n\r\n', ['VERSION_NOT_SUPPORTED'], 'closes'],
  ['its method after a request', `${NEWS}PRI *M\r\n\r\n`, ['ok', 'VERSION_NOT_SUPPORTED'], 'closes'],
  ['a tab after the method', 'GET\t/api/news HTTP/1.1\r\nHost: a\r\n\r\n', ['BAD_REQUEST'], 'closes'],
  ['a greeting of TLS', Buffer.from('16030100c8010000c403032b\r\n', 'hex'), ['BAD_REQUEST'], 'closes'],
  ['a greeting of SSH', 'SSH-2.0-OpenSSH_9.2\r\n', ['BAD_REQUEST'], 'closes'],
  ['rubbish after a request', `${NEWS}rubbish\r\n\r\n`, ['ok', 'BAD_REQUEST'], 'closes'],
  ['a request after rubbish', `rubbish\r\n\r\n${NEWS}`, ['BAD_REQUEST'], 'closes'],
  ['rubbish after two requests', `${NEWS}${NEWS}rubbish\r\n\r\n`, ['ok', 'ok', 'BAD_REQUEST'], 'closes'],
];
