import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { pino } from 'pino';
import { between, seededRandom, shuffled } from '../../scripts/bench/catalog.ts';
import { exportSet } from '../../src/export/export-set.ts';
import { rfc3339 } from '../../src/time-zone.ts';
import { filesIn } from '../export/site.ts';
import { writeInto } from '../support/catalogs.ts';
import { bearer, previewToken, startService } from '../support/service.ts';

const random = seededRandom(1);
const INSTANTS = 50;
const YEAR = 31_536_000;
const MAX_AGE = 3600;
/** In the middle of the dates of prices. */
const MIDDLE = Date.parse('2099-06-01') / 1000;

/** `date` is in Unix seconds; 0 for always. */
type Row = Record<'id' | 'product_id' | 'rel_id' | 'duration_id' | 'price' | 'date', number> & {
  hidden: boolean;
};

const CONFIGURATIONS = [11, 12, 21];
const DURATIONS = [1, 2, 3];
const ownerOf = (rel_id: number) => Math.floor(rel_id / 10);
const combinations = CONFIGURATIONS.flatMap(rel => DURATIONS.map(duration => [rel, duration] as const));

/** Up to five prices of each combination, with different dates, in random order. Each id and price is there once. */
function drawRows(): Row[] {
  const rows = combinations.flatMap(([rel_id, duration_id]) => {
    const dates = [0, ...Array.from({ length: 4 }, () => MIDDLE + between(random, -1e7, 1e7))];
    const drawn = dates.filter(() => random() < 0.5);
    return drawn.map(date => ({
      ...{ id: between(random, 1e8, 9e8), product_id: ownerOf(rel_id), rel_id, duration_id },
      ...{ price: between(random, 1e7, 9e7) / 1000, date, hidden: random() < 0.15 },
    }));
  });
  return shuffled(rows, random);
}

/** Its own field, which has its id. */
const codeOf = ({ id }: Pick<Row, 'id'>) => ({ code: `C${id}` });

const filesOf = (rows: readonly Row[]) => ({
  'products.json': [1, 2].map(id => ({ id, name: `P${id}` })),
  'configurations.json': CONFIGURATIONS.map(id => ({
    ...{ id, product_id: ownerOf(id), name: `N${id}`, cpu: 1, memory: 1 },
  })),
  'durations.json': DURATIONS.map(id => ({ id, name: `D${id}`, num: id, unit: 'month' })),
  'prices.json': rows.map(({ date, ...row }) => ({ ...row, valid_from: date, extra: codeOf(row) })),
});

/** What the manual says, by a plain scan of all rows. */
function modelOf(rows: readonly Row[], now: number) {
  const of = (rel_id: number, duration_id?: number) =>
    rows.filter(row => row.rel_id === rel_id && [undefined, row.duration_id].includes(duration_id));
  const next = (some: readonly Row[]) => Math.min(...some.flatMap(({ date }) => (date > now ? date : [])));
  const price = (rel_id: number, duration_id: number) => {
    const come = of(rel_id, duration_id).filter(({ date }) => date <= now);
    const last = come.find(row => come.every(({ date }) => date <= row.date));
    return last?.hidden ? undefined : last;
  };
  const cell = (rel_id: number, duration_id: number, hasNext: boolean) => {
    const all = of(rel_id, duration_id);
    const coming = hasNext ? all.find(({ date }) => date === next(all)) : undefined;
    const value = coming && { price: coming.hidden ? null : coming.price, time: coming.date };
    const now = price(rel_id, duration_id)?.price ?? null;
    return now === null && !value ? undefined : { price: now, ...(value && { next: value }) };
  };
  return {
    ...{ price, cell, inForce: rows.filter(row => price(row.rel_id, row.duration_id) === row) },
    until: (rel_ids: readonly number[], duration_id?: number) =>
      Math.min(...rel_ids.map(id => next(of(id, duration_id)))),
    /** Fails if a text has something of a row that is still to come. */
    check(text: string, what: string) {
      for (const { id, price, date } of rows.filter(({ date }) => date > now))
        for (const secret of [id, price, date, rfc3339(date).slice(0, 10)])
          assert.ok(!text.includes(String(secret)), `${what} shows ${secret} at ${now}`);
    },
  };
}

const LIST = '/api/recommend-config?product_id=1&include_durations=true&include=extra';
const OTHERS =
  '/changes?limit=100 /overview /overview/rows?catalog=prices&limit=100 /overview/rows?catalog=configurations /health /metrics /api/products /overview/prices?product_id=2';

const options = { previewToken, cacheMaxAge: MAX_AGE, holdBack: 'off' as const };

test(`prices from dates are those of a plain scan at ${INSTANTS} instants, and those to come are not public`, async t => {
  const rows = drawRows();
  let now = MIDDLE;
  const { dispatch } = await startService(t, filesOf(rows), options, () => now);
  const tags = new Map<string, { etag: string; body: string }>();
  /** Asks live and in a preview, and with the tag of the answer before. */
  const ask = async (url: string, until: number, { check }: ReturnType<typeof modelOf>) => {
    const { body, statusCode, headers } = await dispatch(url);
    check(JSON.stringify([body, headers]), url);
    const instant = now;
    now += YEAR;
    const preview = await dispatch({ url: `/preview/${instant}${url}`, headers: bearer });
    now = instant;
    assert.deepEqual([preview.statusCode, preview.body], [statusCode, body], url);
    if (statusCode !== 200) return undefined;
    const control = `public, max-age=0, s-maxage=${Math.min(MAX_AGE, until - now)}, stale-while-revalidate=0`;
    assert.equal(headers['cache-control'], control, `${url} at ${now}`);
    const { etag, body: before } = tags.get(url) ?? { etag: '"none"' };
    const again = await dispatch({ url, headers: { 'if-none-match': etag } });
    assert.equal(again.statusCode, before === body ? 304 : 200, url);
    tags.set(url, { etag: String(headers.etag), body });
    return JSON.parse(body).data;
  };
  // The clock also goes back, and leaps a year.
  const dates = shuffled(rows, random).flatMap(({ date }) => (date > 0 ? [date - 1, date, date + 1] : []));
  for (now of [now - YEAR, now + YEAR, ...dates, ...dates, ...dates].slice(0, INSTANTS)) {
    const model = modelOf(rows, now);
    for (const [rel, duration] of combinations) {
      const url = `/api/recommend-config/price?product_id=${ownerOf(rel)}&recommend_config_id=${rel}&duration_id=${duration}&include=extra`;
      const { date: _, hidden: __, ...record } = model.price(rel, duration) ?? { date: 0, hidden: false };
      const data = await ask(url, model.until([rel], duration), model);
      const expected = 'id' in record ? { ...record, rel_type: 1, extra: codeOf(record) } : {};
      assert.deepEqual(data ?? {}, expected, `${url} at ${now}`);
    }
    const { list } = await ask(LIST, model.until([11, 12]), model);
    for (const { id, durations } of list) {
      const prices = DURATIONS.flatMap(duration => model.price(id, duration) ?? []);
      const shown = durations.map(({ price, extra }: { price: number; extra: object }) => [price, extra]);
      const expected = prices.map(row => [row.price, codeOf(row)]);
      assert.deepEqual(shown, expected);
    }
    for (const preview of ['', `/preview/${now}`]) {
      const url = `${preview}/overview/prices?product_id=1`;
      const matrix = (await dispatch({ url, headers: bearer })).body;
      if (preview === '') model.check(matrix, url);
      for (const { id, prices } of JSON.parse(matrix).data.list)
        for (const duration of DURATIONS)
          assert.deepEqual(prices[duration], model.cell(id, duration, preview !== ''), `${url} at ${now}`);
    }
  }
});

test('after a change, nothing shows prices that are to come, nor does an export, which says when it is stale', async t => {
  const rows = drawRows();
  const { dispatch, save, services, settings } = await startService(
    t,
    filesOf(drawRows()),
    options,
    () => MIDDLE,
  );
  await save(filesOf(rows));
  const { check, inForce, until, price } = modelOf(rows, MIDDLE);
  for (const url of OTHERS.split(' ')) check((await dispatch(url)).body, url);
  const shown = (await dispatch('/overview/rows?catalog=prices&limit=100')).json().data.list;
  const expected = inForce.map(({ id }) => id).join();
  assert.equal(shown.map(({ row }: { row: Row }) => row.id).join(), expected);
  assert.match((await dispatch('/metrics')).body, new RegExp(`"prices"} ${inForce.length}\n`));
  const health = (headers = {}) => dispatch({ url: '/health', headers }).then(({ body }) => body);
  assert.doesNotMatch(await health(), /FAR_DATE|SAME_PRICE|NO_PRICE_YET/);
  assert.match(await health(bearer), /FAR_DATE/);
  const own = (await dispatch({ url: '/preview/2030-01-01/changes?limit=100', headers: bearer })).body;
  for (const { date } of rows.filter(({ date }) => date > 0)) assert.ok(own.includes(`"valid_from":${date}`));
  const dir = join(settings.catalogDir, 'site');
  await writeInto(dir, {});
  const { served } = services.catalog.status();
  const exported = { ...(served ?? assert.fail()), counts: new Map(), instant: MIDDLE };
  const all = { singlePrices: true, onProgress() {}, signal: new AbortController().signal };
  const { until: stale } = await exportSet(exported, dir, settings, pino({ level: 'silent' }), all);
  assert.equal(stale, until(CONFIGURATIONS));
  const files = await filesIn(dir);
  for (const [path, content] of files) if (path !== 'api/index.json') check(content.toString(), path);
  for (const [rel, duration] of combinations) {
    const path = `api/recommend-config/price/product_id=${ownerOf(rel)}/recommend_config_id=${rel}/duration_id=${duration}.json`;
    const data = JSON.parse(files.get(path)?.toString() ?? '{"data":{}}').data;
    assert.equal(data.price, price(rel, duration)?.price, path);
  }
});
