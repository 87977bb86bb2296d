import assert from 'node:assert/strict';
import axe, { type AxeResults } from 'axe-core';
import type { Page } from 'playwright-core';
import type { Files } from '../support/catalogs.ts';
import { drop, shop, test, useToken } from './serve.ts';

const ATTACK =
  '<script>pwned=1</script><img src=x onerror="pwned=2"><svg onload="pwned=3"></svg><iframe srcdoc="<script>parent.pwned=4</script>"></iframe><style>*{display:none}</style><a href="javascript:pwned=5">a</a><form action=//a.example><input autofocus onfocus="pwned=6"></form><link rel=stylesheet href=//a.example/a.css><base href=//a.example><meta http-equiv=refresh content="0;url=//a.example">';
/** What is left of it wherever a text is shortened. */
const BEGINNING = '<script>pwned=1';
/** Of a file with a news item. */
const NAME = '3-<img src=x onerror=pwned=7>.md';
const LONG = `W${'a'.repeat(300)}`;
const TEXT = `${ATTACK} ${LONG}`;

/** What catalog content must never become. */
const FORBIDDEN =
  'script, iframe, style, base, meta, link, form:not(:has(#token)), input:not([type=search], #files, #token), [onerror], [onload], [style*=":none"]';

const product = { id: 1, name: TEXT, description: TEXT };
const configuration = { id: 1, product_id: 1, name: TEXT, cpu: 1, memory: 1 };
const item = { type_id: 1, title: TEXT, keywords: TEXT, img: 'launch.png', create_time: 1_700_000_000 };
const durations = [1, 2, 3, 4].map(num => ({ id: num, name: TEXT, num, unit: 'hour' }));
const prices = durations.map(({ id }) => ({
  ...{ id, product_id: 1, rel_id: 1, duration_id: id, price: 10 },
}));

/** A set with all that can be shown, in words that are hostile and too long. */
const files: Files = {
  'launch.png': shop['launch.png'] ?? null,
  'products.json': [product, { id: 2, name: 'Cloud server' }],
  'configurations.json': [configuration],
  'durations.json': durations,
  'prices.json': prices,
  'news_types.json': [{ id: 1, name: TEXT }],
  'news.json': [
    { ...item, id: 1, read: 99, content: `<p>one</p><p>two${TEXT}</p>three`, create_time: 1_800_000_000 },
    ...Array.from({ length: 24 }, (_, index) => ({
      ...{ ...item, id: index + 11, title: 'Title', keywords: 'a, b', read: index },
      content: index === 0 ? `<p>one</p><p>${LONG}</p>` : TEXT,
    })),
    ...[0, 1, 2].map(year => ({ ...item, id: 41 + year, content: LONG, publish_time: `219${year}-01-01` })),
  ],
  [`news/${NAME}`]: `---\ncreate_time: 2024-01-05\n---\n# Title\n\n${LONG}\n`,
};
const changed = {
  'products.json': [
    { ...product, description: `${TEXT} again` },
    { id: 2, name: 'Cloud server' },
  ],
  'prices.json': prices.map(price => ({ ...price, price: 9 })),
};
/** Visitors would see no configuration of a product. */
const drastic = { 'configurations.json': [{ ...configuration, hidden: true }] };
const wrong = { 'prices.json': [...prices, { ...prices[0], id: ATTACK }, { ...prices[0], id: LONG }] };
const asTexts = (set: Record<string, object>) =>
  Object.fromEntries(Object.entries(set).map(([name, rows]) => [name, JSON.stringify(rows)]));

const withErrors = { ...asTexts(wrong), [NAME]: 'No time' };

/** A state of the page, by what leads to it from the one before. */
interface State {
  view: string;
  save?: Files;
  /** The token is used before. */
  withToken?: true;
  dropped?: Record<string, string>;
  /** Where texts of the catalogs stand. */
  places?: string[];
  /** What it shows last, if that is not the first of these places. */
  last?: string;
  /** The same view as another state, with other texts. */
  isAlike?: true;
}

const states: Record<string, State> = {
  Now: { view: 'now', places: ['.ranking .title'] },
  Prices: {
    view: 'prices',
    places: ['.matrix tbody th span', '.matrix thead th + th', '.description', '#product option'],
  },
  News: { view: 'news', places: ['article h3', '.keywords', '.facts span', '#type option + option'] },
  'an item that is hostile': {
    ...{ view: 'news?item=1', last: '.content p', isAlike: true },
    places: ['article h2', '.keywords'],
  },
  'an item': { view: 'news?item=11', last: '.content p' },
  'Rows of news': { view: 'rows?catalog=news&page=2', places: ['td small', 'td > span > span'] },
  'Rows of products': { view: 'rows?catalog=products', places: ['td:nth-child(3)'], isAlike: true },
  'Rows of prices': { view: 'rows?catalog=prices', places: ['td small'], isAlike: true },
  'History without the token': { view: 'history', last: '#token' },
  'Try without the token': { view: 'try', last: '.drop' },
  'Try changes': { view: 'try', withToken: true, dropped: asTexts(changed), places: ['.changes li'] },
  'Try errors': { view: 'try', dropped: withErrors, places: ['.cause .message'] },
  'Try a drastic change': { view: 'try', dropped: asTexts(drastic), places: ['.outcome li'] },
  'Now with changes': { view: 'now', save: changed, places: ['.changes li'] },
  'Prices with changes': { view: 'prices', last: '.matrix .changed' },
  'Rows with changes': { view: 'rows?catalog=products', places: ['.changed > small'], isAlike: true },
  'Now with a set to confirm': { view: 'now', save: drastic, places: ['.outcome li'] },
  'Prices of what is held back': { view: 'prices?at=held', last: '.instant [role=status]' },
  'History with versions': {
    ...{ view: 'history', last: '.versions tbody tr:nth-child(2)' },
    places: ['main .outcome li'],
  },
  'News with what appears next': { view: 'news', places: ['.calendar a'] },
  'Now with problems': { view: 'now', save: wrong, places: ['.cause .message'] },
};

test('each view shows content as text, and all people can use it', { files }, async ({
  page,
  faults,
  save,
  t,
}) => {
  // A visit fails if anything leaves the origin.
  await page.evaluate(axe.source);
  for (const [name, state] of Object.entries(states)) {
    await t.test(name, async () => {
      await reach(page, state, save);
      for (const place of state.places ?? [])
        await page.locator(place).filter({ hasText: BEGINNING }).first().waitFor({ state: 'attached' });
      assert.equal(await page.evaluate('typeof pwned'), 'undefined');
      assert.equal(await page.locator('main').locator(FORBIDDEN).count(), 0);
      // The browser says what the policy keeps from running while content is cleaned, and that there is no image `x`.
      if (name === 'an item that is hostile')
        for (const fault of faults.splice(0)) assert.match(fault, /Content Security Policy|status of 404/);
      if (name === 'Rows of news') await page.locator('th code', { hasText: NAME }).waitFor();
      if (state.dropped?.[NAME]) await page.locator('.cause .places', { hasText: NAME }).first().waitFor();
      if (!state.isAlike) await assertUsable(page);
    });
  }
});

async function reach(
  page: Page,
  { view, save, withToken, dropped, places = [], last = places[0] ?? 'main' }: State,
  write: (files: Files) => Promise<void>,
) {
  if (save) {
    await page.evaluate(`location.hash = '#/now'`);
    const outcome = page.locator(`.outcome:not([data-outcome=loading]) h2`);
    const before = await outcome.innerText();
    await write(save);
    await outcome.filter({ hasNotText: before }).waitFor();
  }
  if (withToken) await useToken(page);
  // So that nothing of the view before is taken for this one.
  await page.evaluate(`location.hash = '#/history'`);
  await page.locator('#history').waitFor();
  if (dropped) await drop(page, dropped);
  await page.evaluate(`location.hash = ${JSON.stringify(`#/${view}`)}`);
  await page.locator(last).first().waitFor();
  await page.locator('details').evaluateAll(all => all.map(one => one.setAttribute('open', '')));
}

async function assertUsable(page: Page): Promise<void> {
  for (const width of [1280, 390]) {
    await page.setViewportSize({ width, height: 844 });
    assert.equal(await page.evaluate('document.documentElement.scrollWidth'), width);
    const screens: number = await page.evaluate('document.documentElement.scrollHeight / innerHeight');
    assert.ok(screens <= 4, `${screens} screens at ${width} px`);
    // It is that of the document at any width.
    if (width === 390) assert.deepEqual(await tabOrder(page), await interactive(page));
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      const paper: number[] = await page.evaluate(
        'getComputedStyle(document.body).backgroundColor.match(/\\d+/g).map(Number)',
      );
      assert.ok(paper.every(colour => colour < 128 === (colorScheme === 'dark')));
      // Only colours differ between the schemes.
      const rules = colorScheme === 'light' ? '' : '{ runOnly: ["color-contrast"] }';
      const { violations, passes }: AxeResults = await page.evaluate(`axe.run(${rules})`);
      const found = violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html)}`);
      assert.deepEqual(found, [], `${width} px, ${colorScheme}`);
      assert.ok(passes.some(({ id }) => id === 'color-contrast'));
    }
  }
}

/** What can be operated, and what is made to be scrolled by keyboard. */
const INTERACTIVE = 'a[href], button, input, select, textarea, summary, [tabindex="0"]';
/** Enough for every state; a trap of the focus ends here. */
const MOST_PRESSES = 500;
const HTML_LENGTH = 100;

/** The visible elements that can be operated, in the order of the document, each by the beginning of its HTML. */
function interactive(page: Page): Promise<string[]> {
  const visible = page.locator(INTERACTIVE).filter({ visible: true });
  return visible.evaluateAll(
    (all, length) => all.map(({ outerHTML }) => outerHTML.slice(0, length)),
    HTML_LENGTH,
  );
}

/** The elements that Tab leads to, in its order, from the first one on until it leads there again. */
async function tabOrder(page: Page): Promise<string[]> {
  await page.evaluate(`{
    globalThis.stopListening?.abort();
    globalThis.stopListening = new AbortController();
    globalThis.focused = [];
    const listen = ({ target }) => focused.push(target.outerHTML.slice(0, ${HTML_LENGTH}));
    document.activeElement.blur();
    document.addEventListener('focusin', listen, { signal: stopListening.signal });
  }`);
  const first = page.locator(INTERACTIVE).first();
  await first.focus();
  const isBack = () => first.evaluate(element => element.matches(':focus'));
  for (let presses = 0; presses < MOST_PRESSES; presses += 1) {
    await page.keyboard.press('Tab');
    if (await isBack()) break;
  }
  const focused = await page.evaluate<string[]>('focused');
  return focused.slice(0, -1);
}
