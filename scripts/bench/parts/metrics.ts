import { IncomingMessage, type RequestListener, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { Writable } from 'node:stream';
import { setImmediate as turnOfTheLoop } from 'node:timers/promises';
import Fastify from 'fastify';
import { apiEndpoints } from '../../../src/http/api.ts';
import { openFastPath } from '../../../src/http/fast-path.ts';
import { type Metrics, openMetrics } from '../../../src/http/metrics/metrics.ts';
import { registerMetrics } from '../../../src/http/metrics/routes.ts';
import { openParts, type Parts } from '../../../src/parts.ts';
import { type Settings, settingsFrom } from '../../../src/settings.ts';
import { temporaryDirectory } from '../../replicas/programs.ts';
import { type Spread, spreadOf } from '../statistics.ts';

/** How long an answer takes where metrics are kept of it, and where none are; both in this process, without a connection. */
export interface MetricsResult {
  what: string;
  withMicroseconds: Spread;
  withoutMicroseconds: Spread;
  /** By how much they differ, in rounds that follow each other: the median. */
  costMicroseconds: number;
}

/** How many requests a round has. Rounds are short, and many, since others compute at times. */
const REQUESTS = 200;
const PRICE = '/api/recommend-config/price';
const URL = `${PRICE}?product_id=1&recommend_config_id=1&duration_id=4`;

/** Asks in turn with metrics and without, on the fast path and on Fastify's. */
export async function measureMetrics(catalogDir: string, rounds: number): Promise<MetricsResult[]> {
  const settings = settingsFrom({ catalogDir, stateDir: temporaryDirectory() });
  const parts = await openParts(settings, { info() {}, warn() {}, error() {} });
  const metrics = openMetrics(parts);
  const fastPath = [fastPathListener(parts, settings, metrics), fastPathListener(parts, settings)] as const;
  const fastify = [await fastifyListener(metrics), await fastifyListener()] as const;
  const results = [
    { what: 'on the fast path', ...(await measurePair(...fastPath, rounds)) },
    { what: "on Fastify's", ...(await measurePair(...fastify, rounds)) },
  ];
  metrics.close();
  await parts.catalog.close();
  await parts.reads.close();
  return results;
}

function fastPathListener(parts: Parts, settings: Settings, metrics?: Metrics): RequestListener {
  const observers = metrics ?? { observerOf: () => () => {} };
  const { snapshot } = parts.catalog;
  const fastPath = openFastPath(apiEndpoints(parts), snapshot, settings, () => false, observers);
  return fastPath.before(({ url }) => {
    throw new Error(`the fast path leaves ${url} to Fastify`);
  });
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

/** To look at the clock is a part of the cost, which the fast path has in any case. */
async function withoutClock(measure: () => Promise<number>): Promise<number> {
  const { now } = performance;
  performance.now = () => 0;
  const result = await measure();
  performance.now = now;
  return result;
}

/** Resolves to how long an answer took, in microseconds. */
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
