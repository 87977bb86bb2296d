import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { type Visit, visit } from '../support/browser.ts';
import { shopWith } from '../support/catalogs.ts';
import { serve } from '../support/page/serve.ts';
import { reach, type State } from '../support/page/states.ts';
import { TOKEN } from '../support/page/token.ts';
import { skipWithout } from '../support/skipping.ts';

const skip = skipWithout('chromium');

const ATTACK =
  '<script>pwned=1</script><img src=x onerror="pwned=2"><svg onload="pwned=3"></svg><iframe srcdoc="<script>parent.pwned=4</script>"></iframe><style>*{display:none}</style><a href="javascript:pwned=5">a</a><form action=//a.example><input autofocus onfocus="pwned=6"></form><link rel=stylesheet href=//a.example/a.css><base href=//a.example><meta http-equiv=refresh content="0;url=//a.example">';

/** What is left of it wherever a text is shortened. */
const BEGINNING = '<script>pwned=1';
/** Of a file with a news item. */
const NAME = '3-<img src=x onerror=pwned=7>.md';

const item = { type_id: 1, title: ATTACK, keywords: ATTACK, create_time: 1_700_000_001 };
const catalogs = {
  'products.json': [{ id: 1, name: ATTACK, description: ATTACK }],
  'configurations.json': [{ id: 1, product_id: 1, name: ATTACK, cpu: 1, memory: 1 }],
  'durations.json': [{ id: 1, name: ATTACK, num: 1, unit: 'hour' }],
  'prices.json': [{ id: 1, product_id: 1, rel_id: 1, duration_id: 1, price: 1 }],
  'news_types.json': [{ id: 1, name: ATTACK }],
  'news.json': [
    { ...item, id: 1, read: 1, content: `<p>one</p><p>two${ATTACK}</p>three` },
    { ...item, id: 2, content: 'later', publish_time: '2199-01-01' },
  ],
};
const markdown = '---\ncreate_time: 2024-01-05\n---\n# Title\n\nText\n';
const files = shopWith({ ...catalogs, [`news/${NAME}`]: markdown });

const wrongId = [{ id: ATTACK, product_id: 1, rel_id: 1, duration_id: 1, price: 1 }];
/** Other texts, and no configuration of the product any more, so that it is held back. */
const drastic = {
  'products.json': [{ id: 1, name: ATTACK, description: `${ATTACK} again` }],
  'configurations.json': [{ ...catalogs['configurations.json'][0], hidden: true }],
};
/** A change that goes live. */
const changed = { 'products.json': drastic['products.json'] };

const dropped = { 'products.json': JSON.stringify(changed['products.json']) };
const withErrors = { 'prices.json': JSON.stringify(wrongId), [NAME]: 'No time' };

/** What catalog content must never become. */
const FORBIDDEN =
  'script, iframe, style, base, meta, link, form:not(:has(#token)), input:not([type=search], #files, #token), [onerror], [onload], [style*=":none"]';

/** The states of the page that show texts of the catalogs, each with the places of such texts. */
const states: Record<string, State & { places: string[] }> = {
  Now: { view: 'now', places: ['.ranking .title'] },
  'Now with problems': { view: 'now', saved: [{ 'prices.json': wrongId }], places: ['.cause .message'] },
  'Now with what is held back': { view: 'now', saved: [drastic], places: ['.outcome .as-is'] },
  Prices: {
    view: 'prices',
    places: ['.matrix tbody th span', '.matrix thead th + th', '.description', '#product option'],
  },
  News: {
    view: 'news',
    places: ['article h3', '.keywords', '.facts span', '#type option + option'],
  },
  'News with what appears next': { view: 'news', withToken: true, places: ['.calendar a'] },
  'Rows of products': { view: 'rows?catalog=products', places: ['td:nth-child(3)', 'td:nth-child(4)'] },
  'Rows of configurations': { view: 'rows?catalog=configurations', places: ['td small', 'td > span > span'] },
  'Rows of durations': { view: 'rows?catalog=durations', places: ['td'] },
  'Rows of prices': { view: 'rows?catalog=prices', places: ['td small'] },
  'Rows of categories': { view: 'rows?catalog=news_types', places: ['td'] },
  'Rows of news': { view: 'rows?catalog=news', places: ['td small', 'td > span > span'] },
  'Rows with what changed': {
    ...{ view: 'rows?catalog=products', saved: [changed] },
    places: ['.changed > span', '.changed > small'],
  },
  'Now with what changed': { view: 'now', saved: [changed], places: ['.changes li'] },
  'History with versions': {
    ...{ view: 'history', saved: [drastic], withToken: true },
    places: ['main .outcome li'],
  },
  'Try with files that have errors': {
    ...{ view: 'try', dropped: withErrors, withToken: true },
    places: ['.cause .message'],
  },
  'Try with files that would go live': {
    ...{ view: 'try', dropped, withToken: true },
    places: ['.changes li'],
  },
};

for (const [name, { places, ...state }] of Object.entries(states)) {
  test(`${name}: catalog content is text; none of it runs, loads anything or imitates the page`, {
    skip,
  }, async t => {
    await visitState(t, state, async ({ page }) => {
      for (const place of places)
        await page.locator(place).filter({ hasText: BEGINNING }).first().waitFor({ state: 'attached' });
    });
  });
}

test('the names of files are text', { skip }, async t => {
  await visitState(t, { view: 'rows?catalog=news' }, ({ page }) =>
    page.locator('th code', { hasText: NAME }).waitFor(),
  );
  await visitState(t, { view: 'try', dropped: withErrors, withToken: true }, async ({ page }) => {
    await page.locator('.outcome p', { hasText: NAME }).waitFor();
    await page.locator('.cause .places code', { hasText: NAME }).first().waitFor();
  });
});

test('the content of a news item is shown without what runs, loads from elsewhere or imitates the page', {
  skip,
}, async t => {
  await visitState(t, { view: 'news?item=1' }, async ({ page, faults }) => {
    await page.locator('.content p', { hasText: 'one' }).waitFor();
    const links = await page
      .locator('.content a')
      .evaluateAll(all => all.map(link => link.getAttribute('href')));
    assert.ok(
      links.every(link => link === null),
      String(links),
    );
    // The browser tells what the policy keeps from running while the content is cleaned, and of the image `x`.
    for (const fault of faults.splice(0)) assert.match(fault, /Content Security Policy|status of 404/);
  });
});

/** Looks at a state of the page of a service, and asserts that no content is more than text in it. */
async function visitState(t: TestContext, state: State, look: (visit: Visit) => Promise<void>) {
  const { address, settings } = await serve(t, files, { previewToken: TOKEN });
  // A visit fails if anything leaves the origin.
  await visit(address, async visited => {
    const { page } = visited;
    await reach(page, settings.catalogDir, state);
    await look(visited);
    assert.equal(await page.evaluate('typeof pwned'), 'undefined');
    assert.equal(await page.locator('main').locator(FORBIDDEN).count(), 0);
  });
}
