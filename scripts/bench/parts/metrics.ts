import { IncomingMessage, type RequestListener, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { Writable } from 'node:stream';
import { setImmediate as turnOfTheLoop } from 'node:timers/promises';
import Fastify from 'fastify';
import { registerFastPath } from '../../../src/http/fast-path/fast-path.ts';
import { type Metrics, openMetrics } from '../../../src/http/metrics/metrics.ts';
import { registerMetrics } from '../../../src/http/metrics/route.ts';
import { API_PREFIX } from '../../../src/http/plugins/headers.ts';
import { apiRoutes } from '../../../src/http/routes/api.ts';
import { openServices, type Services } from '../../../src/services.ts';
import { settingsFrom } from '../../../src/settings/read.ts';
import type { Settings } from '../../../src/settings/settings.ts';
import { temporaryDirectory } from '../../../test/support/replicas/programs.ts';
import { type Spread, spreadOf } from '../statistics.ts';

/** The time of an answer with and without metrics, in this process without a connection. */
export interface MetricsResult {
  what: string;
  withMicroseconds: Spread;
  withoutMicroseconds: Spread;
  /** The median difference of consecutive rounds. */
  costMicroseconds: number;
}

/** Per round. Rounds are short and many, because other processes disturb some of them. */
const REQUESTS = 200;
const PRICE = '/api/recommend-config/price';
const URL = `${PRICE}?product_id=1&recommend_config_id=1&duration_id=4`;

/** Measures the fast path and Fastify, with and without metrics in turn. */
export async function measureMetrics(catalogDir: string, rounds: number): Promise<MetricsResult[]> {
  const settings = settingsFrom({ catalogDir, stateDir: temporaryDirectory() });
  const parts = await openServices(settings, { info() {}, warn() {}, error() {} });
  const metrics = openMetrics(parts);
  const fastPath = [
    await fastPathListener(parts, settings, metrics),
    await fastPathListener(parts, settings),
  ] as const;
  const fastify = [await fastifyListener(metrics), await fastifyListener()] as const;
  const results = [
    { what: 'on the fast path', ...(await measurePair(...fastPath, rounds)) },
    { what: "on Fastify's", ...(await measurePair(...fastify, rounds)) },
  ];
  metrics.close();
  await parts.close();
  return results;
}

async function fastPathListener(
  parts: Services,
  settings: Settings,
  metrics: Pick<Metrics, 'observerOf'> = { observerOf: () => () => {} },
): Promise<RequestListener> {
  const app = Fastify();
  app.routing = ({ url }) => {
    throw new Error(`the fast path leaves ${url} to Fastify`);
  };
  registerFastPath(app, { ...settings, served: parts.catalog.snapshot, isExcess: () => false, metrics });
  app.decorate('catalog', parts.catalog);
  app.setValidatorCompiler(() => () => true);
  app.setSerializerCompiler(() => JSON.stringify);
  app.register(apiRoutes, { ...parts, prefix: API_PREFIX });
  await app.ready();
  return app.routing;
}

async function fastifyListener(metrics?: Metrics): Promise<RequestListener> {
  const app = Fastify();
  app.get(PRICE, (_request, reply) => reply.send('{}'));
  if (metrics) registerMetrics(app, metrics);
  await app.ready();
  return app.routing;
}

async function measurePair(withMetrics: RequestListener, without: RequestListener, rounds: number) {
  const pairs: { kept: number; plain: number }[] = [];
  for (let round = 0; round < rounds * 2; round += 1) {
    const kept = await ask(withMetrics);
    const plain = await withoutClock(() => ask(without));
    if (round >= rounds) pairs.push({ kept, plain }); // The first half warms up.
  }
  return {
    withMicroseconds: spreadOf(pairs.map(({ kept }) => kept)),
    withoutMicroseconds: spreadOf(pairs.map(({ plain }) => plain)),
    costMicroseconds: spreadOf(pairs.map(({ kept, plain }) => kept - plain)).median,
  };
}

/** Reading the clock belongs to the cost of metrics, but the fast path does so in any case. */
async function withoutClock(measure: () => Promise<number>): Promise<number> {
  const { now } = performance;
  performance.now = () => 0;
  const result = await measure();
  performance.now = now;
  return result;
}

/** Resolves to the time of an answer in microseconds. */
async function ask(listener: RequestListener): Promise<number> {
  const socket = new Socket();
  const begin = process.hrtime.bigint();
  for (let count = 0; count < REQUESTS; count += 1) {
    const request = new IncomingMessage(socket);
    Object.assign(request, { method: 'GET', url: URL, httpVersionMajor: 1, httpVersion: '1.1' });
    request.rawHeaders = ['host', '127.0.0.1'];
    const response = new ServerResponse(request);
    response.assignSocket(nowhere() as Socket);
    listener(request, response);
  }
  await turnOfTheLoop();
  return Number(process.hrtime.bigint() - begin) / 1000 / REQUESTS;
}

function nowhere(): Writable {
  return new Writable({ write: (_chunk, _encoding, done) => done() });
}
