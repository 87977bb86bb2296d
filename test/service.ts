import assert from 'node:assert/strict';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import type { TSchema } from '@sinclair/typebox';
import { Value } from '@sinclair/typebox/value';
import type { FastifyInstance } from 'fastify';
import inject, { type InjectOptions } from 'light-my-request';
import { pino } from 'pino';
import { buildApp } from '../src/app.ts';
import { ErrorEnvelope } from '../src/http/envelope.ts';
import { openParts } from '../src/parts.ts';
import { type Settings, settingsFrom } from '../src/settings.ts';
import { type Files, shop, writeFiles } from './catalogs.ts';

/** 2026-01-01 00:00:00 UTC, the time of the tests unless they say another. */
export const NOW = 1_767_225_600;

/** The service that production runs, over files of the test's own; it is closed after the test. */
export async function startService(
  t: TestContext,
  files: Files = shop,
  options: Partial<Settings> = {},
  now = () => NOW,
) {
  let app: FastifyInstance | undefined;
  const catalogDir = await writeFiles(t, files, () => app?.close());
  const settings = settingsFrom({
    catalogDir,
    imagesDir: catalogDir,
    stateDir: join(catalogDir, 'state'),
    reloadQuietMs: 10,
    drainMs: 0,
    ...options,
  });
  const log = pino({ level: 'silent' });
  const parts = await openParts(settings, log);
  const built = buildApp({ ...parts, now }, settings, log);
  app = built;

  const answers = new Map<string, TSchema>();
  built.addHook('onRoute', ({ url, schema }) => {
    const response = schema?.response as Record<number, TSchema> | undefined;
    if (response?.[200]) answers.set(url, response[200]);
  });

  let routed = 0;
  built.addHook('onSend', async () => {
    routed += 1;
  });
  const listener = (request: object, response: object) =>
    void built.server.emit('request', request, response);
  /** Has the server answer a request as if it had come over a connection. */
  const dispatch = async (request: string | InjectOptions) => {
    await built.ready();
    return inject(listener, request);
  };
  /** Asks, and asserts of the answer what holds of every answer: the envelope, and on success the route's schema. */
  const ask = async (url: string, options: InjectOptions = {}) => {
    const response = await dispatch({ url, ...options });
    const body = response.body === '' ? undefined : response.json();
    if (body !== undefined) {
      assert.deepEqual(Object.keys(body), ['success', 'code', 'message', 'data']);
      assert.equal(body.code, response.statusCode);
      assert.equal(body.success, response.statusCode === 200);
      assert.equal(response.headers['content-type'], 'application/json; charset=utf-8');
      const route = url.replace(/\?.*/, '').replace(/\/\d+$/, '/:id');
      const schema = response.statusCode === 200 ? answers.get(route) : ErrorEnvelope;
      assert.ok(schema, `no schema for ${route}`);
      assert.deepEqual(
        [...Value.Errors(schema, body)].map(error => `${error.path} ${error.message}`),
        [],
      );
    }
    return {
      status: response.statusCode,
      headers: response.headers,
      text: response.body,
      body,
      data: body?.data,
    };
  };
  /** Listens on a free port of the loopback, and returns it. */
  const listen = async (): Promise<number> =>
    Number(new URL(await built.listen({ port: 0, host: '127.0.0.1' })).port);
  /** How many requests Fastify had to do with. */
  const routedRequests = () => routed;
  return { app: built, ask, dispatch, listen, routedRequests, settings };
}
