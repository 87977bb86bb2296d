import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { CheckReport } from '../../src/page/checker/protocol.ts';
import { visit } from '../support/browser.ts';
import { shop as everything, type Files, writeFiles } from '../support/catalogs.ts';
import { openPageChecker, type PageChecker } from '../support/page/checker.ts';
import { serve, shop } from '../support/page/serve.ts';
import { startProcess } from '../support/process.ts';
import { skipWithout, skipWithoutBuild } from '../support/skipping.ts';

const skip = skipWithout('chromium') || skipWithoutBuild();
const HEADINGS = 'id,product_id,rel_id,duration_id,price\n';
const configurations = String(everything['configurations.csv']);

type Look = (checker: PageChecker, against: string) => Promise<void>;

/** Opens the checker on a page of a service with these files. */
async function onService(t: TestContext, files: Files, look: Look): Promise<void> {
  const { address, ask } = await serve(t, files, { basePath: '/shop' });
  await visit(`${address}shop/`, async ({ page }) => look(await openPageChecker(page), `${address}shop/`));
  assert.equal((await ask('/shop/api/news/1')).data.read, 101);
}

function problemsIn({ text }: CheckReport): string[] {
  return text.split('\n').filter(line => /: (?:error|warning) /.test(line));
}

test('some files are checked together with what is served of the others', { skip }, async t => {
  const cases: [what: string, files: Files, told: string[], from: string[]][] = [
    [
      'prices that refer to rows that are served',
      { 'prices.csv': `${HEADINGS}1,1,11,4,5\n2,1,12,4,6\n3,1,13,4,7\n4,2,21,4,8\n` },
      [],
      ['products', 'configurations', 'durations', 'news_types', 'news'],
    ],
    [
      'prices that refer to a row that is hidden, and to one that does not exist',
      { 'prices.csv': `${HEADINGS}1,1,14,4,5\n2,9,12,4,6\n3,2,13,4,7\n4,2,21,4,8\n` },
      [
        'prices.csv:3:3: error UNKNOWN_REFERENCE B3, product_id 9 is not in products.json (served): write an id from there, or add a row with this id',
        'prices.csv:4:3: error WRONG_PRODUCT B4, configuration 13 belongs to product 1 at configurations.csv (served), not to product 2: correct product_id or rel_id',
        'configurations.csv (served): warning NO_PRICE configuration 11 has no price: add one, or hide the configuration',
      ],
      ['products', 'configurations', 'durations', 'news_types', 'news'],
    ],
    [
      'prices for a duration that visitors do not see, by its id and by its name',
      { 'prices.csv': `${HEADINGS}1,1,11,5,5\n2,1,12,Weekly,6\n3,1,13,4,7\n4,2,21,4,8\n` },
      [
        'prices.csv:3:8: error UNKNOWN_REFERENCE D3, duration_id "Weekly" is not a name in durations.json (served): write a name or an id from there',
      ],
      ['products', 'configurations', 'durations', 'news_types', 'news'],
    ],
    [
      'configurations without one that has a price',
      { 'configurations.csv': configurations.replace(/^13.*\n/m, '') },
      [
        'prices.csv (served): error UNKNOWN_REFERENCE rel_id 13 is not in configurations.csv: write an id from there, or add a row with this id',
      ],
      ['products', 'durations', 'prices', 'news_types', 'news'],
    ],
    [
      'a Markdown file',
      { '7-soon.md': '# Soon\n\nText\n' },
      [
        'news/7-soon.md:1:1: error MISSING_VALUE create_time is missing: write a date such as 2026-03-31 or 2026-03-31 18:00:00, in the front matter, which stands between two lines --- at the top',
      ],
      ['products', 'configurations', 'durations', 'prices', 'news_types'],
    ],
  ];
  const durations = [
    ...(shop['durations.json'] as object[]),
    { id: 5, name: 'Weekly', num: 1, unit: 'week' },
  ];
  await onService(t, { ...shop, 'durations.json': durations }, async (checker, against) => {
    for (const [what, files, told, from] of cases) {
      const report = await checker.check(files, { against });
      assert.deepEqual(problemsIn(report), told, what);
      assert.deepEqual(report.fromService, from, what);
      assert.equal(report.json.version, null, what);
      assert.doesNotMatch(report.text, /version|\(served\) +\d/, what);
    }
  });
});

test('the changes are those that check --against prints', { skip }, async t => {
  const files = { ...shop, 'prices.csv': String(shop['prices.csv']).replace('19.99', '24.99') };
  const dir = await writeFiles(t, files);
  await onService(t, shop, async (checker, against) => {
    const { stdout } = await startProcess(t, ['check', dir, '--images-dir', dir, '--against', against]).exit;
    const { text, against: changes } = await checker.check(files, { against });
    assert.equal(changes?.summary, '1 price changed');
    const title = /^http.*\) → .*: (?=1 price)/m.exec(stdout)?.[0];
    assert.equal(stdout, `${text}\n\n${title}${changes.summary}\n${changes.lines}`);
    const json = await startProcess(t, ['check', dir, '--images-dir', dir, '--against', against, '--json'])
      .exit;
    const { url: _url, ...others } = JSON.parse(json.stdout).against;
    const { lines: _lines, ...same } = changes;
    assert.deepEqual(same, others);

    const some = await checker.check(
      {
        'prices.csv': files['prices.csv'],
        'news/2.md': '---\ncreate_time: 2024-02-01\n---\n# Other\n\nText\n',
      },
      { against },
    );
    assert.equal(some.against?.summary, '1 price changed, 1 news item changed');
  });
});

test('the views get of a checked set what the service would answer', { skip }, async t => {
  const { address, ask } = await serve(t);
  await visit(address, async ({ page }) => {
    const checker = await openPageChecker(page);
    assert.equal(await checker.ask('overview'), 'there are no files without errors to ask about');
    await checker.check(shop);
    for (const [path, query] of [
      ['overview', {}],
      ['overview/news', {}],
      ['overview/news', { keyword: 'SERVERS', limit: 2 }],
      ['overview/news', { type_id: 1, page: 2, limit: 1 }],
      ['api/recommend-config', { product_id: 1, include_durations: true }],
    ] as const) {
      const search = new URLSearchParams(JSON.parse(JSON.stringify(query)));
      const { data } = await ask(`/${path}?${search}`);
      assert.deepEqual(await checker.ask(path, query), data, `${path} ${search}`);
    }
    assert.match(String(await checker.ask('overview/news', { limit: 1000 })), /limit must be a whole number/);
    assert.match(String(await checker.ask('health')), /nothing that can be asked/);
    await checker.check({ 'products.json': '[' });
    assert.equal(await checker.ask('overview'), 'there are no files without errors to ask about');
  });
});

test('files are checked alone while nothing is served, and not at all if the service cannot be asked', {
  skip,
}, async t => {
  const { address } = await serve(t, {});
  await visit(address, async ({ page, faults }) => {
    const checker = await openPageChecker(page);
    // The page asks for catalogs, and gets none.
    faults.length = 0;
    const { ok, fromService, against } = await checker.check(shop, { against: address });
    assert.deepEqual([ok, fromService, against], [true, [], undefined]);
    await assert.rejects(
      checker.check(shop, { against: `${address}nowhere/` }),
      /cannot compare with http:.*\/nowhere\//,
    );
    faults.length = 0;
  });
});

test('a page can end a check, and begin another one', { skip }, async t => {
  const { address } = await serve(t);
  await visit(address, async ({ page }) => {
    await openPageChecker(page);
    const ended = `(async () => {
      const ended = checker.check([]).catch(({ message }) => message);
      checker.close();
      return [await ended, (await checker.check([])).text];
    })()`;
    assert.deepEqual(await page.evaluate(ended), [
      'the check was ended',
      'the files: error MISSING_FILE the directory has no catalog files: add one, such as products.csv or news.json\nrefused: 1 error, 0 warnings in 0 files with 0 rows',
    ]);
  });
});
