import assert from 'node:assert/strict';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { test } from 'node:test';
import { pino } from 'pino';
import { createVitrine } from '../../src/index.ts';
import { readSettings } from '../../src/settings/read.ts';
import { afterTest } from '../support/after-test.ts';
import { writeFiles } from '../support/catalogs.ts';
import { newsUrl } from '../support/http/feeds.ts';
import { bearer, files, instants, previewToken, requests } from '../support/http/previews.ts';

const [, DURING] = instants;

test('no line of the log has the token, whatever happens', async t => {
  const dir = await writeFiles(t, files);
  let lines = '';
  const stream = new Writable({
    write(chunk, _encoding, done) {
      lines += chunk;
      done();
    },
  });
  const logger = pino({ level: 'trace' }, stream);
  const app = await createVitrine({
    ...{ catalogDir: dir, imagesDir: dir, stateDir: join(dir, 'state'), newsUrl, previewToken, logger },
    ...{ logLevel: 'trace', signals: false, drainMs: 0 },
  });
  let closed = false;
  afterTest(t, () => (closed ? undefined : app.close()));
  app.get('/broken', () => {
    throw new Error('broken');
  });
  const cookie = `vitrine_preview=${previewToken}`;
  for (const headers of [bearer, { cookie }, { authorization: `Bearer ${previewToken}x` }]) {
    for (const { url, ...request } of requests) {
      await app.inject({
        ...request,
        url: `/preview/${DURING}${url}`,
        headers: { ...request.headers, ...headers },
      });
    }
    await app.inject({ url: '/broken', headers });
    await app.inject({ url: '/preview/tomorrow/api/news', headers });
  }
  await app.close();
  closed = true;
  assert.match(lines, /\/preview\/\d+\/api\/news/);
  assert.match(lines, /a request failed/);
  assert.ok(!lines.includes(previewToken.slice(0, 10)));
});

test('a token that is too short is refused without repeating it', () => {
  for (const token of [
    'hunter2',
    'with spaces in between',
    'x'.repeat(257),
    'fifteen-letters',
    'ümlaut-of-24-characters',
  ]) {
    assert.throws(
      () => readSettings({}, { PREVIEW_TOKEN: token }),
      { message: 'PREVIEW_TOKEN: expected 16 to 256 letters, digits or - . _ ~ + / =' },
      token,
    );
  }
  assert.equal(readSettings({}, { PREVIEW_TOKEN: '' }).previewToken, '');
  assert.equal(readSettings({ 'preview-token': previewToken }, {}).previewToken, previewToken);
});
