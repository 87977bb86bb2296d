import assert from 'node:assert/strict';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { openImagesWatch } from '../../src/live/watch.ts';
import type { ImageListing } from '../../src/set/system-directory.ts';
import { shopWith, writeFiles } from '../support/catalogs.ts';
import { startService } from '../support/service.ts';
import { until } from '../support/until.ts';

const COMPOSED = 'caf\u00e9.png';
const DECOMPOSED = 'cafe\u0301.png';

const news = (img: string) => ({
  'news.json': [{ id: 1, title: 'A', content: 'B', create_time: '2024-01-05', img }],
});

test('the warning of a missing image goes away when the image arrives', async t => {
  const imagesDir = await writeFiles(t, {});
  const { ask } = await startService(t, shopWith(news('late.png')), { imagesDir });
  const healthWith = (warnings: number) =>
    until(t, async () => {
      const { data } = await ask('/health');
      return data.last_attempt.warnings === warnings ? data : undefined;
    });
  const before = await healthWith(1);
  await writeFile(join(imagesDir, 'late.png'), '');
  const { catalogs, last_attempt } = await healthWith(0);
  assert.equal(last_attempt.outcome, 'unchanged');
  assert.deepEqual(catalogs, before.catalogs);
  assert.equal((await ask('/images/late.png')).status, 200);
});

test('an image is found under its name in another Unicode form', async t => {
  for (const [written, named] of [
    [COMPOSED, DECOMPOSED],
    [DECOMPOSED, COMPOSED],
  ] as const) {
    const imagesDir = await writeFiles(t, { [written]: 'image' });
    const { app, ask } = await startService(t, shopWith(news(named)), { imagesDir });
    assert.equal((await ask('/health')).data.last_attempt.warnings, 0);
    const { statusCode, body } = await app.inject(`/images/${encodeURIComponent(named)}`);
    assert.deepEqual([statusCode, body], [200, 'image']);
    await rm(join(imagesDir, written));
    assert.equal((await ask(`/images/${encodeURIComponent(named)}`)).status, 404);
  }
});

test('the images directory is looked at once at a time, and not waited for', async () => {
  const looks: { lastState: string | undefined; answer: (listing: ImageListing | undefined) => void }[] = [];
  const watch = openImagesWatch(
    '/nowhere',
    (_dir, lastState) => new Promise(answer => looks.push({ lastState, answer })),
  );
  for (let poll = 0; poll < 5; poll += 1) assert.equal(watch.hasOneOf(['late.png']), false);
  assert.deepEqual(
    looks.map(({ lastState }) => lastState),
    [undefined],
  );
  looks[0]?.answer({ state: 'first', names: new Set(['other.png']) });
  await turn();
  assert.equal(watch.hasOneOf(['late.png']), false);
  assert.equal(looks[1]?.lastState, 'first');
  looks[1]?.answer({ state: 'second', names: new Set(['other.png', 'late.png']) });
  await turn();
  assert.equal(watch.hasOneOf(['late.png']), true);
  looks[2]?.answer(undefined);
  await turn();
  assert.equal(watch.hasOneOf(['late.png']), true, 'nothing has changed');
  assert.equal(watch.hasOneOf(['later.png']), false);
});
