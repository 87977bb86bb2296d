import assert from 'node:assert/strict';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { request } from 'undici';
import { createClient, exportedFile } from '../../src/client.ts';
import { sample, writeFiles } from '../support/catalogs.ts';
import { flagsOf, startProcess } from '../support/process.ts';
import { deployed, startNginx } from '../support/proxies.ts';
import { startService } from '../support/service.ts';
import { skipWithout } from '../support/skipping.ts';
import { addressOf, filesIn, rulesFor, rulesOf, withoutCount } from './site.ts';

/** Headers of one answer, one connection or one host; a short list of news could be long, for all that `Vary` knows. */
const OWN = 'accept-ranges connection content-length date etag keep-alive last-modified vary'.split(' ');
/** The `Link` to a next page has a query; nginx does not know the version. */
const NOT_STATIC = ['link', 'catalog-version'];

type Headers = Record<string, string | string[] | undefined>;

function without(headers: Headers, names: readonly string[]): Headers {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !names.includes(name)));
}

async function get(address: string, headers: Record<string, string> = {}) {
  const { statusCode: status, headers: received, body } = await request(address, { headers });
  return { status, headers: received, body: Buffer.from(await body.arrayBuffer()) };
}

/**
 * The sample in a running service that has counted reads, and its export on nginx as scripts/deploy configures it: with the
 * base path before the paths in it.
 */
async function startBoth(t: TestContext, basePath: string) {
  const publicUrl = 'https://example.com';
  const settings = { ...sample, newsUrl: 'https://example.com/news/{id}', publicUrl, basePath };
  const now = () => Date.now() / 1000;
  const service = await startService(t, {}, settings, now);
  const live = `http://127.0.0.1:${await service.listen()}`;
  for (const id of [1, 2, 2]) await createClient(live + basePath).readNews(id);
  await service.services.reads.flush();
  const dir = join(await writeFiles(t, {}), 'export');
  const { stateDir } = service.settings;
  const { code, stderr } = await startProcess(t, ['export', dir, ...flagsOf({ ...settings, stateDir })]).exit;
  assert.deepEqual([code, stderr], [0, '']);
  const { http, server } = deployed('nginx-export.conf', [live]);
  const below = (text: string) => text.replace(/~ ?\^/g, `$&${basePath}`);
  const nginx = await startNginx(t, {
    http: below(http),
    server: below(server).replace('/srv/shop/export', dir),
  });
  return { ...service, live, dir, host: `http://127.0.0.1:${nginx.port}` };
}

for (const basePath of ['', '/shop'])
  test(`an export on nginx has the bodies and headers of the service, hides what it hides, and passes on what counts reads, at ${basePath}/`, {
    skip: skipWithout('nginx'),
  }, async t => {
    const { live, dir, host, services } = await startBoth(t, basePath);
    const files = await filesIn(dir);
    const rules = rulesOf(String(files.get('_headers')));
    const isDetail = (path: string) => /\bapi\/news\/\d+\.json$/.test(path);
    // Details last, since asking the service for them changes the counts in its lists.
    const paths = [...files.keys()].sort((one, other) => Number(isDetail(one)) - Number(isDetail(other)));
    let compared = 0;
    for (const path of paths) {
      const address = addressOf(path);
      if (address === undefined) continue;
      const [expected, found] = [await get(live + address), await get(`${host}/${path}`)];
      assert.deepEqual([expected.status, found.status], [200, 200], path);
      const [body, other] = isDetail(path)
        ? [withoutCount(expected.body), withoutCount(found.body)]
        : [expected.body, found.body];
      assert.deepEqual(other, body, path);
      // The live detail is never stored, since a request for it counts.
      const headers = without(expected.headers, OWN);
      if (isDetail(path)) headers['cache-control'] = 'no-cache';
      assert.deepEqual(without(found.headers, [...OWN, 'server']), without(headers, NOT_STATIC), path);
      const [rule = new Map(), ...overlapping] = rulesFor(rules, `/${path}`);
      const typeOfImage = /\bimages\//.test(path) ? ['content-type'] : [];
      assert.deepEqual(Object.fromEntries(rule), without(headers, ['link', ...typeOfImage]), path);
      assert.deepEqual(overlapping, [], path);
      compared += 1;
    }
    assert.equal(compared, files.size - 2);
    assert.ok(compared > 300, `${compared} files`);
    assert.ok(rules.size < 100, 'Cloudflare Pages reads no more');

    const api = `${host}${basePath}/api`;
    const first = await get(`${api}/news.json`);
    const again = await get(`${api}/news.json`, { 'if-none-match': String(first.headers.etag) });
    assert.deepEqual([again.status, again.headers['cache-control']], [304, 'no-cache']);
    for (const hidden of [`${host}/_headers`, `${host}/.vitrine`, `${api}/news/12345.json`])
      assert.equal((await get(hidden)).status, 404, hidden);
    assert.equal((await get(`${api}/news/keyword=backup.json`)).status, 404);
    assert.equal((await get(`${api}/index.json`)).status, 200);
    const before = services.reads.health().counted;
    const counting = createClient(host + basePath, {
      fetch: (url, init) => fetch(/\/news\/\d+$/.test(url) ? url : exportedFile(url), init),
    });
    // Once before the export, and once to compare.
    for (const count of [103, 104]) assert.equal((await counting.readNews(1)).read, count);
    await counting.listNews();
    assert.equal(services.reads.health().counted, before + 2);
    const { headers } = await get(`${api}/news/1`);
    assert.equal(headers['cache-control'], 'no-store');
    assert.equal(headers['access-control-allow-origin'], '*');
  });
