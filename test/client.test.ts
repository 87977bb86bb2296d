import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { createClient, VitrineError } from '../src/client.ts';
import { errors } from '../src/errors.ts';
import { shop, writeFiles } from './catalogs.ts';
import { flagsOf, startProcess } from './process.ts';

/** A client of a process that serves the shop below /shop. */
async function startClient(t: TestContext) {
  const dir = await writeFiles(t, shop);
  const options = {
    catalogDir: dir,
    imagesDir: dir,
    stateDir: join(dir, 'state'),
    port: 0,
    basePath: '/shop',
  };
  const { listening } = startProcess(t, flagsOf(options));
  return createClient(`${await listening()}/shop/`);
}

test('the client asks each query and gives what is in the envelope', async t => {
  const client = await startClient(t);
  const configurations = await client.listConfigurations({
    product_id: 1,
    limit: 1,
    include_durations: true,
  });
  assert.deepEqual(configurations.pagination, { current_page: 1, total: 3 });
  assert.deepEqual(
    configurations.list.map(({ name, memory, durations }) => [
      name,
      memory,
      durations?.map(({ price }) => price),
    ]),
    [['Tiny', 512, [9.9]]],
  );
  const price = await client.getPrice({ product_id: 1, recommend_config_id: 11, duration_id: 4 });
  assert.deepEqual([price.id, price.price], [104, 19.99]);
  const { list } = await client.listNews();
  assert.deepEqual(
    list.map(({ id }) => id),
    [4, 3, 2, 1],
  );
  assert.deepEqual([(await client.readNews(1)).read, (await client.readNews(1)).read], [101, 102]);
});

test('the client sends whatever text it is given, and leaves out what is undefined', async t => {
  const client = await startClient(t);
  const titlesOf = async (keyword: string | undefined) =>
    (await client.listNews({ keyword, type_id: undefined, limit: 2 })).list.map(({ title }) => title);
  assert.deepEqual(await titlesOf('Tonight & tomorrow'), ['Servers restart']);
  assert.deepEqual(await titlesOf('高性能'), ['高性能计算已上线']);
  for (const text of ['Tonight&x', 'Tonight#x', 'Tonight+x', 'Tonight%20', 'Tonight=x']) {
    assert.deepEqual(await titlesOf(text), [], text);
  }
  assert.equal((await titlesOf(undefined)).length, 2);
});

test('an error of the service is a VitrineError with its code, its status and what is wrong', async t => {
  const client = await startClient(t);
  await assert.rejects(client.readNews(99), error => {
    assert.ok(error instanceof VitrineError && error instanceof Error);
    const { code, status, message, details } = error;
    assert.deepEqual(
      [code, status, message, details],
      ['NEWS_NOT_FOUND', 404, 'id 99: there is no such news', []],
    );
    return true;
  });
  await assert.rejects(client.listNews({ limit: 1000 }), {
    name: 'VitrineError',
    code: 'INVALID_PARAMETER',
    status: errors.INVALID_PARAMETER.status,
    details: [{ parameter: 'limit', message: 'must be a whole number from 1 to 100' }],
  });
});

test('an answer of somebody else is a VitrineError too, and no answer the error of fetch', async t => {
  const answers = ['<h1>502</h1>', '"text"', '{"success":"yes","data":{}}', '{"success":true}', 'null', ''];
  const server = createServer((_request, response) => response.writeHead(502).end(answers.shift()));
  t.after(() => server.close());
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const client = createClient(address);
  while (answers.length > 0) {
    await assert.rejects(client.readNews(1), {
      code: 'NO_ENVELOPE',
      status: 502,
      message: `${address}/api/news/1 answered 502 without an envelope`,
    });
  }
  await assert.rejects(client.listNews({}, { signal: AbortSignal.abort() }), { name: 'AbortError' });
  server.close();
  server.closeAllConnections();
  await assert.rejects(client.listNews(), TypeError);
});
