import type { ErrorCode } from '../../src/errors.ts';

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
const get = (headers: string, target = '/api/news', version = 'HTTP/1.1') =>
  `GET ${target} ${version}\r\n${headers}\r\n`;
const post = (headers: string, body: string, target = '/api/news') =>
  `POST ${target} HTTP/1.1\r\nHost: a\r\n${headers}\r\n${body}`;
const line = (request: string, version = 'HTTP/1.1') => `${request} ${version}\r\nHost: a\r\n\r\n`;

/** Cases with the same answers, after which the same becomes of the connection. */
const group = (after: Case[3], answers: string, sent: Record<string, string | Buffer>): Case[] =>
  Object.entries(sent).map(([what, bytes]) => [what, bytes, answers.split(' ') as Case[2], after]);

export const cases: Case[] = [
  ...group('keeps', 'ok', {
    'a plain request': NEWS,
    'a whole address as target': line('GET http://a/api/news'),
    'an upgrade to what is not spoken': get('Host: a\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n'),
    'GET with a body': get('Host: a\r\nContent-Length: 4\r\n').concat('{bad'),
    '5,000 headers': get(`Host: a\r\n${'X: a\r\n'.repeat(5000)}`),
    '__proto__ as a header': get('Host: a\r\n__proto__: a\r\n'),
  }),
  ['two requests at once', NEWS + NEWS, ['ok', 'ok'], 'keeps'],
  ...group('closes', 'ok', {
    'HTTP/1.0': get('Host: a\r\n', '/api/news', 'HTTP/1.0'),
    'Connection: close': get('Host: a\r\nConnection: close\r\n'),
    'Expect: 100-continue': get('Host: a\r\nExpect: 100-continue\r\n'),
    'CONNECT after a request that closes': `${get('Host: a\r\nConnection: close\r\n')}${line('CONNECT a:443')}`,
  }),
  ...group('closes', 'BAD_REQUEST', {
    'a path without a slash': line('GET api/news'),
    'a bad escape in the path': line('GET /api/news/%zz'),
    'raw UTF-8 in the query': Buffer.from(line('GET /api/news?keyword=香港')),
    'a length and chunks': post('Content-Length: 2\r\nTransfer-Encoding: chunked\r\n', '0\r\n\r\n'),
    'a greeting of TLS': Buffer.from('16030100c8010000c403032b\r\n', 'hex'),
    'a request after rubbish': `rubbish\r\n\r\n${NEWS}`,
  }),
  ...group('keeps', 'BAD_REQUEST', {
    'an asterisk as a path': line('GET *'),
    'a bad escape in the query': line('GET /api/news?keyword=%zz'),
    'no Host': get(''),
    'two Hosts': get('Host: a\r\nHost: b\r\n'),
    'a Host that is no name': get('Host: a b\r\n'),
    'a second Host after 5,000 headers': get(`Host: a\r\n${'X: a\r\n'.repeat(5000)}Host: b\r\n`),
  }),
  ['NUL, escaped', line('GET /api/news/%00'), ['INVALID_PARAMETER'], 'keeps'],
  ['an address of 20,000 bytes', line(`GET /${'a'.repeat(20_000)}`), ['URI_TOO_LONG'], 'closes'],
  ...group('closes', 'METHOD_NOT_ALLOWED', {
    'an unknown method': line('BREW /api/news'),
    CONNECT: line('CONNECT a:443'),
    'POST that waits for 100 Continue': post('Content-Length: 2\r\nExpect: 100-continue\r\n', 'hi'),
  }),
  ...group('closes', 'ok METHOD_NOT_ALLOWED', {
    'an unknown method after a request': `${NEWS}${line('BREW /api/news')}`,
    'CONNECT after a request': NEWS + line('CONNECT a:443'),
  }),
  ...group('keeps', 'METHOD_NOT_ALLOWED', {
    TRACE: line('TRACE /api/news'),
    'OPTIONS of everything': line('OPTIONS *'),
    'POST with a bad body': post('Content-Type: application/json\r\nContent-Length: 4\r\n', '{bad'),
    'POST in chunks': post('Transfer-Encoding: chunked\r\n', '2\r\nhi\r\n0\r\n\r\n'),
    'POST of a million bytes': post('Content-Length: 1000000\r\n', 'a'.repeat(1_000_000)),
    'DELETE with a body': line('DELETE /api/news/1').replace('\r\n\r\n', '\r\nContent-Length: 2\r\n\r\nhi'),
  }),
  ...group('cuts', 'METHOD_NOT_ALLOWED', {
    'POST in bad chunks': post('Transfer-Encoding: chunked\r\n', 'zz\r\nhi\r\n0\r\n\r\n'),
    'POST in an unknown transfer encoding': post('Transfer-Encoding: gzip\r\n', ''),
  }),
  ['an unknown expectation', get('Host: a\r\nExpect: 200-ok\r\n'), ['EXPECTATION_FAILED'], 'keeps'],
  ...group('closes', 'HEADERS_TOO_LARGE', {
    'a header of 1,000,000 bytes': get(`Host: a\r\nX: ${'a'.repeat(1_000_000)}\r\n`),
  }),
  ...group('closes', 'VERSION_NOT_SUPPORTED', {
    'HTTP/0.9': 'GET /api/news\r\n\r\n',
    'HTTP/2.0': line('GET /api/news', 'HTTP/2.0'),
    'the preface of HTTP/2': 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
  }),
  ['its method after a request', `${NEWS}PRI *M\r\n\r\n`, ['ok', 'VERSION_NOT_SUPPORTED'], 'closes'],
  ['rubbish after a request', `${NEWS}rubbish\r\n\r\n`, ['ok', 'BAD_REQUEST'], 'closes'],
];
