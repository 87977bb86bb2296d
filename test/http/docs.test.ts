import assert from 'node:assert/strict';
import { cp, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import { NEWS_URL, openApiDocument } from '../../scripts/openapi-document.ts';
import { errors } from '../../src/errors.ts';
import { withComponents } from '../../src/http/docs/components.ts';
import { sample, writeFiles } from '../catalogs.ts';
import { openDocumentCheck } from '../documented.ts';
import { startService } from '../service.ts';
import { until } from '../until.ts';

interface Parameter {
  in: 'query' | 'path';
  name: string;
  description: string;
  example: string | number | boolean;
}
interface Operation {
  operationId: string;
  parameters?: Parameter[];
  responses: Record<number, { content?: Record<string, { example?: unknown }> }>;
}

/** When the examples were written: 2026-11-22. */
const WRITTEN = 1_795_305_600;

const text = await openApiDocument();
const document = JSON.parse(text);
const operations = Object.entries<{ get: Operation }>(document.paths).map(([path, { get }]) => ({
  path,
  ...get,
}));

/** Every field in a part of the document, with where it stands. */
function* fieldsOf(
  part: unknown,
  place: string,
): Generator<[place: string, schema: Record<string, unknown>]> {
  if (typeof part !== 'object' || part === null) return;
  for (const [key, value] of Object.entries(part)) {
    if (key.startsWith('example')) continue;
    if (key === 'properties') {
      for (const [name, schema] of Object.entries(value))
        yield [`${place}.${name}`, schema as Record<string, unknown>];
    }
    yield* fieldsOf(value, `${place}.${key}`);
  }
}

test('every field and parameter in the document has a meaning, and an example', () => {
  const parts = { ...document.components.schemas, paths: document.paths };
  for (const [place, schema] of fieldsOf(parts, '')) {
    const isOfFields = schema.$ref || schema.anyOf || schema.type === 'object';
    const isOfItems = schema.type === 'array';
    if (!schema.$ref && !schema.anyOf) assert.ok(schema.description, `${place} has no description`);
    assert.ok(!('kind' in schema), `${place} tells what only the reading of files knows`);
    const isError = place.includes('.Error.');
    if (!isOfFields && !isOfItems && !isError) assert.ok(schema.examples, `${place} has no example`);
  }
  for (const { path, parameters = [] } of operations) {
    for (const { name, description, example } of parameters) {
      assert.ok(description && example !== undefined, `${name} of ${path}`);
    }
  }
});

test('the document allows for no answer with a field too many or too few', () => {
  const check = openDocumentCheck(document);
  let checked = 0;
  for (const { path, responses } of operations) {
    const [contentType, { example } = {}] = Object.entries(responses[200]?.content ?? {})[0] ?? [];
    if (!isRecord(example)) continue;
    const allows = (answer: object) =>
      check({ method: 'GET', url: path, status: 200, contentType, body: JSON.stringify(answer) });
    allows(example);
    // Feeds have no envelope.
    const { data = example, ...envelope } = example;
    assert.ok(isRecord(data));
    const whole = (part: object) => ('data' in example ? { ...envelope, data: part } : part);
    const fields = Object.entries(data);
    assert.throws(() => allows(whole({ ...data, more: 1 })), path);
    assert.throws(() => allows(whole(Object.fromEntries(fields.slice(1)))), path);
    checked += 1;
  }
  assert.ok(checked > 8);
});

test('a field may have any name, be it a word of schemas', () => {
  const schema = { type: 'object', properties: { kind: { type: 'string' }, example: { type: 'string' } } };
  assert.deepEqual(withComponents({ kind: 'id', ...schema }, {}), schema);
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

for (const { path, operationId, parameters = [], responses } of operations) {
  const [{ example = undefined } = {}] = Object.values(responses[200]?.content ?? {});
  if (operationId === 'getHealth') continue;
  test(`the example of ${operationId} is what the sample catalogs answer`, async t => {
    const { dispatch } = await startService(t, {}, { ...sample, newsUrl: NEWS_URL }, () => WRITTEN);
    const query = new URLSearchParams();
    let url = path;
    for (const { in: place, name, example } of parameters) {
      if (place === 'path') url = url.replace(`{${name}}`, String(example));
      else query.set(name, String(example));
    }
    const response = await dispatch(`${url}?${query}`);
    assert.equal(response.statusCode, 200);
    if (example) assertContains(response.json(), example);
    else assert.doesNotMatch(String(response.headers['content-type']), /json/);
  });
}

test('the example of getHealth is what it says when the third line of the sample prices stands at their end too', async t => {
  const dir = await writeFiles(t, {});
  await cp(sample.catalogDir, dir, { recursive: true });
  const { ask } = await startService(t, {}, { ...sample, catalogDir: dir });
  const prices = join(dir, 'prices.csv');
  const lines = (await readFile(prices, 'utf8')).split('\n');
  await writeFile(prices, [...lines.slice(0, -1), lines[2], ''].join('\n'));
  const pending = await until(t, async () => {
    const { body } = await ask('/health');
    return body.data.last_attempt.outcome === 'pending' ? body : undefined;
  });
  const { example } = JSON.parse(text).paths['/health'].get.responses[200].content['application/json'];
  for (const { catalogs, last_attempt, reads } of [pending.data, example.data]) {
    for (const time of [catalogs.loaded, last_attempt.time, reads.last_flush ?? catalogs.loaded]) {
      assert.match(time, /^2\d{3}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
    }
    catalogs.loaded = last_attempt.time = reads.last_flush = '';
  }
  assert.deepEqual(pending, example);
});

test('every error stands in the document with an example, but those that no route of it answers with', () => {
  const examples = Object.values<{
    content: Record<string, { examples: Record<string, { value: { message: string } }> }>;
  }>(document.components.responses).flatMap(({ content }) =>
    Object.entries(content['application/json']?.examples ?? {}),
  );
  const ofNoRoute = ['ROUTE_NOT_FOUND', 'METHOD_NOT_ALLOWED'];
  assert.deepEqual(
    [...new Set(examples.map(([code]) => code))].sort(),
    Object.keys(errors)
      .filter(code => !ofNoRoute.includes(code))
      .sort(),
  );
  for (const [code, { value }] of examples) assert.doesNotMatch(value.message, /undefined|[{}]/, code);
});

test('the document is there as JSON and as YAML, and names the place where the service is mounted', async t => {
  const { dispatch } = await startService(t, undefined, { basePath: '/shop', newsUrl: NEWS_URL });
  const json = await dispatch('/shop/documentation/json');
  assert.deepEqual(json.json(), { ...document, servers: [{ url: '/shop' }] });
  const yaml = await dispatch('/shop/documentation/yaml');
  assert.match(yaml.body, /^openapi: 3\.1\.0\ninfo:\n {2}title: Vitrine\n/);
  assert.match(yaml.body, /^ {2}\/api\/news\/\{id\}:$/m);
  assert.deepEqual(document.servers, [{ url: '/' }]);
});

test('the page of the docs has all it needs beside it, and may ask nobody else', async t => {
  const { dispatch } = await startService(t, undefined, { basePath: '/shop' });
  const { statusCode, headers } = await dispatch('/shop/documentation');
  assert.deepEqual([statusCode, headers.location], [308, 'documentation/']);
  const page = await dispatch('/shop/documentation/');
  assert.match(page.body, /<title>Vitrine<\/title>/);
  const linked = Array.from(page.body.matchAll(/(?:src|href)="([^"]+)"/g), ([, url = '']) => url);
  assert.ok(linked.length > 3);
  for (const url of linked) {
    assert.match(url, /^\.\/static\/[\w.-]+$/);
    assert.equal((await dispatch(`/shop/documentation/${url}`)).statusCode, 200, url);
  }
  assert.match(String(page.headers['content-security-policy']), /^default-src 'none'; script-src 'self';/);
});

test('a file of the docs that is asked for again is not sent again, and one that is not there is an envelope', async t => {
  const { ask, dispatch } = await startService(t);
  const url = '/documentation/static/swagger-ui.css';
  const { headers } = await dispatch(url);
  const again = await dispatch({ url, headers: { 'if-none-match': String(headers.etag) } });
  assert.deepEqual([again.statusCode, again.body], [304, '']);
  const head = await dispatch({ url, method: 'HEAD' });
  assert.deepEqual([head.headers['content-length'], head.body], [headers['content-length'], '']);
  for (const missing of [
    '/documentation/static/nothing.js',
    '/documentation/static/%2e%2e%2fpackage.json',
    '/documentation/x',
  ]) {
    assert.equal((await ask(missing)).data.error, 'ROUTE_NOT_FOUND', missing);
  }
});
