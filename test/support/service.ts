import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { type IncomingMessage, request, type Server } from 'node:http';
import { join } from 'node:path';
import { duplexPair } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import type { TestContext } from 'node:test';
import * as zlib from 'node:zlib';
import { pino } from 'pino';
import { isStale } from '../../scripts/stale.mjs';
import { buildApp } from '../../src/app.ts';
import { openServices } from '../../src/services.ts';
import { settingsFrom } from '../../src/settings/read.ts';
import type { Settings } from '../../src/settings/settings.ts';
import { afterTest } from './after-test.ts';
import { type Files, shop, writeFiles, writeInto } from './catalogs.ts';
import { openDocumentCheck } from './documented.ts';
import './reader-pool.ts';
import { until } from './until.ts';

/** By content coding. Node.js 20 has no zstd. */
const decoders: Record<string, typeof zlib.gunzipSync> = {
  br: zlib.brotliDecompressSync,
  gzip: zlib.gunzipSync,
  zstd: Reflect.get(zlib, 'zstdDecompressSync'),
};

/** A request to a server that need not listen. */
export interface TestRequest {
  url: string;
  method?: string;
  headers?: Record<string, string>;
  payload?: string | Uint8Array;
  /** The address that it comes from. */
  remoteAddress?: string;
}

/** Sends a request over a connection of its own, which the client would keep open, and returns the response, its body decoded. */
async function requestOver(
  server: Server,
  { url, method = 'GET', headers, payload, remoteAddress = '127.0.0.1' }: TestRequest,
) {
  const [client, connection] = duplexPair();
  server.emit('connection', Object.assign(connection, { remoteAddress }));
  const sent = request({
    path: url,
    method,
    headers: { connection: 'keep-alive', ...headers },
    createConnection: () => client,
  });
  sent.end(payload);
  const [response]: IncomingMessage[] = await once(sent, 'response');
  if (!response) throw new Error('no response');
  const rawPayload = await buffer(response);
  client.destroy();
  connection.destroy(); // It does not see the end of the other side.
  const coding = response.headers['content-encoding'];
  const decode = coding === undefined ? Buffer.from : decoders[coding];
  if (!decode) throw new Error(`unexpected content coding ${coding}`);
  const body = rawPayload.length > 0 ? decode(rawPayload).toString() : '';
  return {
    statusCode: response.statusCode ?? 0,
    headers: response.headers,
    rawHeaders: response.rawHeaders,
    rawPayload,
    body,
    json: () => JSON.parse(body),
  };
}

/** 2026-01-01 00:00:00 UTC, the time of the tests unless they say another. */
export const NOW = 1_767_225_600;

export const previewToken = 'a-token.of_24~chars+/==';

/** What lets a client see previews, either of them. */
export const bearer = { authorization: `Bearer ${previewToken}` };
export const cookie = `vitrine_preview=${previewToken}`;

/** The document is the same for every set and every setting. */
let documented: Promise<ReturnType<typeof openDocumentCheck>> | undefined;

function documentCheck() {
  documented ??= documentText().then(text => openDocumentCheck(JSON.parse(text)));
  return documented;
}

/** From the build if that is up to date: it takes most of a second to generate. */
async function documentText(): Promise<string> {
  if (!isStale()) return readFile(new URL('../../dist/docs/openapi.json', import.meta.url), 'utf8');
  const { openApiDocument } = await import('../../scripts/openapi/docs.ts');
  return openApiDocument();
}

/** The service that production runs, over files of the test's own; it is closed after the test. */
export async function startService(
  t: TestContext,
  files: Files = shop,
  options: Partial<Settings> = {},
  now = () => NOW,
  log = pino({ level: 'silent' }),
) {
  const catalogDir = await writeFiles(t, files);
  const settings = settingsFrom({
    catalogDir,
    imagesDir: catalogDir,
    stateDir: join(catalogDir, 'state'),
    reloadQuietMs: 10,
    drainMs: 0,
    ...options,
  });
  const services = await openServices(settings, log);
  const built = buildApp({ ...services, now }, settings, log);
  afterTest(t, () => built.close());

  // As if it listened where its settings say, until it does.
  const address = built.server.address.bind(built.server);
  built.server.address = () => address() ?? { address: settings.host, family: 'IPv4', port: 0 };
  let routed = 0;
  built.addHook('onSend', async () => {
    routed += 1;
  });
  /** Has the server answer a request that comes over a connection, and asserts that the answer is as documented. */
  const dispatch = async (request: string | TestRequest) => {
    await built.ready();
    const asked = typeof request === 'string' ? { url: request } : request;
    const response = await requestOver(built.server, asked);
    const { url, method = 'GET' } = asked;
    const { basePath } = settings;
    if (url.startsWith(basePath)) {
      const { statusCode: status, headers, body } = response;
      const answer = { status, contentType: headers['content-type']?.toString(), body };
      (await documentCheck())({ method, url: url.slice(basePath.length), ...answer });
    }
    return response;
  };
  /** Asks, and asserts of the answer what holds of every answer: that it is the envelope. */
  const ask = async (url: string, options: Omit<TestRequest, 'url'> = {}) => {
    const response = await dispatch({ url, ...options });
    const body = response.body === '' ? undefined : response.json();
    if (body !== undefined) {
      assert.deepEqual(Object.keys(body), ['success', 'code', 'message', 'data']);
      assert.equal(body.code, response.statusCode);
      assert.equal(body.success, response.statusCode === 200);
      assert.equal(response.headers['content-type'], 'application/json; charset=utf-8');
    }
    const { statusCode: status, headers, body: text } = response;
    return { status, headers, text, body, data: body?.data };
  };
  /** Listens on a free port of the loopback, and returns it. */
  const listen = async (): Promise<number> =>
    Number(new URL(await built.listen({ port: 0, host: '127.0.0.1' })).port);
  /** Saves files, and waits until they are loaded. */
  const save = async (edited: Files) => {
    const { status } = services.catalog;
    const before = status().attempt;
    await writeInto(settings.catalogDir, edited);
    await until(t, async () => {
      const { attempt, served } = status();
      return attempt !== before && attempt?.outcome === 'loaded' && served;
    });
  };
  /** How many requests Fastify had to do with. */
  const routedRequests = () => routed;
  return { app: built, services, ask, dispatch, listen, save, routedRequests, settings };
}
