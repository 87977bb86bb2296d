import assert from 'node:assert/strict';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { request } from 'undici';
import { createClient, exportedFile } from '../../src/client.ts';
import { afterTest } from '../support/after-test.ts';
import { sample, writeFiles } from '../support/catalogs.ts';
import { addressOf, filesIn, rulesFor, rulesOf, withoutCount } from '../support/exported.ts';
import { deployed, startNginx } from '../support/nginx.ts';
import { flagsOf, startProcess } from '../support/process.ts';
import { startService } from '../support/service.ts';
import { skipWithout } from '../support/skipping.ts';

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

/** The sample in a running service that has counted reads, and its export on nginx as scripts/deploy configures it. */
async function startBoth(t: TestContext) {
  const settings = { ...sample, newsUrl: 'https://example.com/news/{id}', publicUrl: 'https://example.com' };
  const now = () => Date.now() / 1000;
  const service = await startService(t, {}, settings, now);
  const live = `http://127.0.0.1:${await service.listen()}`;
  for (const id of [1, 2, 2]) await createClient(live).readNews(id);
  await service.services.reads.flush();
  const dir = join(await writeFiles(t, {}), 'export');
  const { stateDir } = service.settings;
  const { code, stderr } = await startProcess(t, ['export', dir, ...flagsOf({ ...settings, stateDir })]).exit;
  assert.deepEqual([code, stderr], [0, '']);
  const { http, server } = deployed('nginx-export.conf', [live]);
  const nginx = await startNginx({ http, server: server.replace('/srv/shop/export', dir) });
  afterTest(t, nginx.stop);
  return { ...service, live, dir, host: `http://127.0.0.1:${nginx.port}` };
}

const skip = skipWithout('nginx');

test('an export on nginx has the bodies and headers of the running service, read counts aside', {
  skip,
}, async t => {
  const { live, dir, host } = await startBoth(t);
  const files = await filesIn(dir);
  const rules = rulesOf(String(files.get('_headers')));
  const isDetail = (path: string) => /^api\/news\/\d+\.json$/.test(path);
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
    const typeOfImage = path.startsWith('images/') ? ['content-type'] : [];
    assert.deepEqual(Object.fromEntries(rule), without(headers, ['link', ...typeOfImage]), path);
    assert.deepEqual(overlapping, [], path);
    compared += 1;
  }
  assert.equal(compared, files.size - 2);
  assert.ok(compared > 300, `${compared} files`);
  assert.ok(rules.size < 100, 'Cloudflare Pages reads no more');
});

test('nginx revalidates and hides as the service does, and passes on what counts reads', {
  skip,
}, async t => {
  const { host, services } = await startBoth(t);
  const first = await get(`${host}/api/news.json`);
  const again = await get(`${host}/api/news.json`, { 'if-none-match': String(first.headers.etag) });
  assert.deepEqual([again.status, again.headers['cache-control']], [304, 'no-cache']);
  for (const path of ['_headers', '.vitrine', 'api/news/keyword=backup.json', 'api/news/12345.json'])
    assert.equal((await get(`${host}/${path}`)).status, 404, path);
  assert.equal((await get(`${host}/api/index.json`)).status, 200);
  const before = services.reads.health().counted;
  const counting = createClient(host, {
    fetch: (url, init) => fetch(/\/news\/\d+$/.test(url) ? url : exportedFile(url), init),
  });
  for (const count of [102, 103]) assert.equal((await counting.readNews(1)).read, count);
  await counting.listNews();
  assert.equal(services.reads.health().counted, before + 2);
  const { headers } = await get(`${host}/api/news/1`);
  assert.equal(headers['cache-control'], 'no-store');
  assert.equal(headers['access-control-allow-origin'], '*');
});
