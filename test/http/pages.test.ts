import assert from 'node:assert/strict';
import fs, { readdirSync, readFileSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { test } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import { withComponents } from '../../scripts/openapi/components.ts';
import { NEWS_URL, openApiDocument, PUBLIC_URL } from '../../scripts/openapi/docs.ts';
import { errors } from '../../src/errors.ts';
import { pageFiles } from '../../src/http/pages.ts';
import { sample, shop } from '../support/catalogs.ts';
import { openDocumentCheck } from '../support/documented.ts';
import { startService } from '../support/service.ts';
import { skipWithoutBuild } from '../support/skipping.ts';
import { countWork } from '../support/work.ts';

/** What is served are the files of the last build. */
const skip = skipWithoutBuild();

const FOLDER = new URL('../../dist/page/', import.meta.url);
const types: Record<string, string> = {
  html: 'text/html; charset=utf-8',
  css: 'text/css; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  svg: 'image/svg+xml',
};
const addresses = [
  { name: 'index.html', url: '/' },
  ...['http://a', 'http://a/', 'http://a?from=/mail'].map(url => ({ name: 'index.html', url })),
  { name: 'icon.svg', url: '/favicon.ico' },
  ...pageFiles.map(name => ({ name, url: `/page/${name}` })),
];

// The first test, since a process reads each file once.
test('after a failed read, the next request reads the file again', { skip }, async t => {
  const { ask, dispatch } = await startService(t);
  const url = '/documentation/static/swagger-ui.css';
  await ask('/health/live');
  const failure = Object.assign(new Error('too many open files'), { code: 'EMFILE' });
  const fail = t.mock.method(fs.promises, 'readFile', () => Promise.reject(failure));
  syncBuiltinESMExports();
  try {
    assert.equal((await ask(url)).data.error, 'INTERNAL_ERROR');
  } finally {
    fail.mock.restore();
    syncBuiltinESMExports();
  }
  assert.equal((await dispatch(url)).statusCode, 200);
});

test('each file of the page is served with its type and a strict policy', { skip }, async t => {
  const { dispatch } = await startService(t);
  assert.deepEqual([...new Set(addresses.map(({ name }) => name))].sort(), readdirSync(FOLDER).sort());
  for (const { name, url } of addresses) {
    const { statusCode, headers, body } = await dispatch(url);
    assert.deepEqual([statusCode, body], [200, readFileSync(new URL(name, FOLDER), 'utf8')], url);
    assert.equal(headers['content-type'], types[name.split('.').at(-1) ?? '']);
    const policy = String(headers['content-security-policy']);
    assert.match(policy, /^default-src 'none'; script-src 'self'; style-src 'self'; /);
    assert.doesNotMatch(policy, /unsafe|https?:|\*/);
    assert.equal(headers['cache-control'], 'no-cache');
  }
});

test('every redirect is relative, so it works below a prefix and behind a proxy', { skip }, async t => {
  for (const basePath of ['', '/my/shop']) {
    const { dispatch } = await startService(t, shop, { basePath });
    for (const url of ['/documentation', '/%64ocumentation?from=mail', '/docs?from=mail', '', '?from=mail']) {
      const target = /oc/.test(url) ? '/documentation/' : '/';
      if (basePath === '' && target === '/') continue;
      const { statusCode, headers } = await dispatch(basePath + url);
      assert.deepEqual([statusCode, headers['cache-control']], [308, 'no-cache'], url);
      assert.match(String(headers.location), /^\.\/[^/]+\/$/, url);
      // The same address behind a proxy that adds a path of its own.
      const seen = new URL(String(headers.location), `http://proxy.test/elsewhere${basePath}${url}`);
      assert.equal(decodeURI(seen.pathname), `/elsewhere${basePath}${target}`, url);
      assert.equal((await dispatch(seen.pathname.slice('/elsewhere'.length))).statusCode, 200, url);
    }
  }
});

test('crawlers are kept from the API and the operator routes, below any mount point', async t => {
  const paths = ['/api/', '/changes', '/overview', '/health', '/metrics'];
  const publicUrl = 'https://shown.test/my/shop';
  for (const [options, root] of [
    [{}, ''],
    [{ basePath: '/shop' }, '/shop'],
    [{ basePath: '/shop', publicUrl }, '/my/shop'],
  ] as const) {
    const { dispatch, settings } = await startService(t, {}, options);
    const { headers, body } = await dispatch(`${settings.basePath}/robots.txt`);
    assert.equal(body, `User-agent: *\n${paths.map(path => `Disallow: ${root}${path}\n`).join('')}`);
    assert.equal(headers['content-type'], 'text/plain; charset=utf-8');
  }
});

interface Operation {
  operationId: string;
  description: string;
  parameters?: { in: string; name: string; description: string; example: unknown }[];
  responses: Record<number, { content?: Record<string, { example?: unknown }> }>;
}

/** When the examples were written: 2026-11-22. */
const WRITTEN = 1_795_305_600;

const text = await openApiDocument();
const document = JSON.parse(text);
const operations = Object.entries<Record<string, Operation>>(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([name, operation]) => ({ path, method: name.toUpperCase(), ...operation })),
);

/** Every field in a part of the document, with where it stands. */
function* fieldsOf(part: unknown, place: string): Generator<[place: string, schema: object]> {
  if (typeof part !== 'object' || part === null) return;
  for (const [key, value] of Object.entries(part)) {
    if (key.startsWith('example')) continue;
    if (key === 'properties')
      for (const [name, schema] of Object.entries(value)) yield [`${place}.${name}`, schema as object];
    yield* fieldsOf(value, `${place}.${key}`);
  }
}

test('the document has the endpoints of a site, and a meaning of every operation, field and parameter', () => {
  const parts = { ...document.components.schemas, paths: document.paths };
  for (const [place, schema] of fieldsOf(parts, '')) {
    assert.ok(
      '$ref' in schema || 'anyOf' in schema || 'description' in schema,
      `${place} has no description`,
    );
    assert.ok(!('cellType' in schema), `${place} shows a keyword of the service`);
  }
  for (const { path, description, parameters = [] } of operations) {
    assert.doesNotMatch(path, /^\/(overview|history|check)/, 'what the page asks for, or needs a token');
    assert.match(description, /^[A-Z].+\.$/, path);
    for (const { name, description, example } of parameters)
      assert.ok(description && example !== undefined, `${name} of ${path}`);
  }
  // A field may have any name, even a keyword of schemas.
  const schema = { type: 'object', properties: { cellType: { type: 'string' } } };
  assert.deepEqual(withComponents({ cellType: 'id', ...schema }, {}), schema);
});

test('the document allows no response with a missing or an additional field', () => {
  const check = openDocumentCheck(document);
  for (const { path: url, method, responses } of operations) {
    const { example } = responses[200]?.content?.['application/json'] ?? {};
    if (!isRecord(example) || !isRecord(example.data)) continue;
    const { data } = example;
    const allows = (data: object) => {
      const body = JSON.stringify({ ...example, data });
      check({ method, url, status: 200, contentType: 'application/json', body });
    };
    allows(data);
    assert.throws(() => allows({ ...data, more: 1 }), url);
    assert.throws(() => allows(Object.fromEntries(Object.entries(data).slice(1))), url);
  }
});

/** Asserts that an answer is as the example says, which may have some items of a list alone. */
function assertContains(answer: unknown, example: unknown): void {
  if (Array.isArray(answer) && Array.isArray(example)) {
    const isExample = (item: unknown) => example.some(one => isDeepStrictEqual(one, item));
    assert.deepEqual(answer.filter(isExample), example);
  } else if (isRecord(answer) && isRecord(example)) {
    assert.deepEqual(Object.keys(answer).sort(), Object.keys(example).sort());
    for (const [name, value] of Object.entries(example)) assertContains(answer[name], value);
  } else assert.deepEqual(answer, example);
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

test('each example is the response of the sample catalogs', async t => {
  const settings = { ...sample, newsUrl: NEWS_URL, publicUrl: PUBLIC_URL };
  const { dispatch } = await startService(t, {}, settings, () => WRITTEN);
  // A read changes what the others show.
  const isRead = ({ operationId }: Operation) => Number(operationId === 'readNews');
  const readLast = operations.toSorted((one, other) => isRead(one) - isRead(other));
  for (const { path, operationId, parameters = [], responses } of readLast) {
    if (['getHealth', 'listChanges'].includes(operationId)) continue;
    const [{ example = undefined } = {}] = Object.values(responses[200]?.content ?? {});
    const query = new URLSearchParams();
    let url = path;
    for (const { in: place, name, example } of parameters) {
      if (place === 'path') url = url.replace(`{${name}}`, String(example));
      // It goes with few others.
      else if (name !== 'around') query.set(name, String(example));
    }
    const response = await dispatch(`${url}?${query}`);
    assert.equal(response.statusCode, 200, operationId);
    if (example) assertContains(response.json(), example);
    else assert.doesNotMatch(String(response.headers['content-type']), /json/);
  }
});

/** A wrong method, and those of routes with a token, which the document does not have. */
const undocumented =
  'METHOD_NOT_ALLOWED NOTHING_HELD NOT_HELD STILL_PINNED VERSION_NOT_FOUND VERSION_DAMAGED HISTORY_UNAVAILABLE FORM_TOO_LARGE CHECK_BUSY';

test('every other error is in the document with an example', () => {
  type Responses = { content: Record<string, { examples: Record<string, { value: { message: string } }> }> };
  const examples = Object.values<Responses>(document.components.responses).flatMap(({ content }) =>
    Object.entries(content['application/json']?.examples ?? {}),
  );
  const codes = Object.keys(errors).filter(code => !undocumented.split(' ').includes(code));
  assert.deepEqual([...new Set(examples.map(([code]) => code))].sort(), codes.sort());
  for (const [code, { value }] of examples) assert.doesNotMatch(value.message, /undefined|[{}]/, code);
});

test('the document is served as JSON, YAML and a page, and works behind any proxy', { skip }, async t => {
  const { dispatch } = await startService(t);
  const page = await dispatch('/documentation/');
  assert.match(page.body, /<title>Vitrine<\/title>/);
  assert.match(String(page.headers['content-security-policy']), /^default-src 'none'; script-src 'self';/);
  // As little as for a page that is known already: nothing is generated.
  const { stringified: ofPage } = await countWork(() => dispatch('/documentation/'));
  const { result: json, stringified } = await countWork(() => dispatch('/documentation/json'));
  assert.equal(stringified, ofPage);
  assert.deepEqual([json.body, json.headers['content-type']], [text, 'application/json; charset=utf-8']);
  const yaml = await dispatch('/documentation/yaml');
  assert.match(yaml.body, /^openapi: 3\.1\.0\ninfo:\n {2}title: Vitrine\n.*^ {2}\/api\/news\/\{id\}:$/ms);
  assert.equal(yaml.headers['content-type'], 'application/yaml');
  const [{ url }] = document.servers;
  for (const mount of ['http://127.0.0.1:3000/', 'https://example.com/my/shop/'])
    assert.equal(new URL(url, `${mount}documentation/json`).href, mount);
});
