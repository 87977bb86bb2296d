import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import axe, { type AxeResults } from 'axe-core';
import { visit } from '../support/browser.ts';
import { sample } from '../support/catalogs.ts';
import { serve, shop } from '../support/page/serve.ts';
import { skipWithout } from '../support/skipping.ts';

const skip = skipWithout('chromium');

const LONG = `W${'a'.repeat(300)}`;

/** A set with all that can be shown: images, pages, and words that are too long. */
const everything = {
  ...shop,
  'products.json': [
    { id: 1, name: LONG, description: LONG },
    { id: 2, name: 'Cloud server' },
  ],
  'durations.json': (shop['durations.json'] as object[]).map(row => ({ ...row, name: LONG })),
  'news_types.json': [{ id: 1, name: LONG }],
  'news.json': Array.from({ length: 25 }, (_, index) => ({
    id: index + 1,
    type_id: 1,
    title: index === 24 ? LONG : 'Title',
    content: `<p>${index === 24 ? LONG : 'one'}</p><p>${LONG}</p>`,
    keywords: index === 24 ? LONG : 'a, b',
    img: 'launch.png',
    read: index,
    create_time: 1_700_000_000 + index,
  })),
};
/** The prices with an id that stands twice, and with a long wrong word. */
const spoiled = `${String(shop['prices.csv']).replace('105,1,12', '101,1,12').trimEnd()}\n1,1,11,1,${LONG}\n`;

/** What each view shows last. */
const views = {
  now: '.cause',
  prices: '.matrix tbody tr',
  news: 'article',
  'news?item=25': '.content p',
  'rows?catalog=news': 'tbody tr',
  history: '.commands',
  try: '.drop',
};

for (const width of [1280, 390]) {
  for (const colorScheme of ['light', 'dark'] as const) {
    for (const [view, last] of Object.entries(views)) {
      test(`the view ${view} at ${width} px in ${colorScheme} colours: axe finds nothing, nothing overflows, and it takes at most four screens`, {
        skip,
      }, async t => {
        const { address, settings } = await serve(t, everything);
        const options = { viewport: { width, height: 844 }, colorScheme };
        await visit(
          `${address}#/${view}`,
          async ({ page }) => {
            await page.locator('main h2').first().waitFor();
            await writeFile(join(settings.catalogDir, 'prices.csv'), spoiled);
            await page.locator(last).first().waitFor();
            await page.evaluate(axe.source);
            const { violations, passes }: AxeResults = await page.evaluate('axe.run()');
            assert.deepEqual(
              violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html)}`),
              [],
            );
            assert.ok(passes.some(({ id }) => id === 'color-contrast'));
            assert.equal(await page.evaluate('document.documentElement.scrollWidth'), width);
            const screens: number = await page.evaluate(
              'document.documentElement.scrollHeight / innerHeight',
            );
            assert.ok(screens <= 4, `${screens} screens`);
          },
          options,
        );
      });
    }
  }
}

test('it follows the colour scheme of the system', { skip }, async t => {
  const { address } = await serve(t);
  const brightness = 'getComputedStyle(document.body).backgroundColor.match(/\\d+/g).map(Number)';
  for (const [colorScheme, isDark] of [
    ['dark', true],
    ['light', false],
  ] as const) {
    await visit(
      address,
      async ({ page }) => {
        const colours: number[] = await page.evaluate(brightness);
        assert.ok(
          colours.every(colour => colour < 128 === isDark),
          String(colours),
        );
      },
      { colorScheme },
    );
  }
});

/** The name of what has the focus, as far as this page names things. */
const FOCUSED =
  'document.activeElement.labels?.[0]?.textContent ?? document.activeElement.ariaLabel ?? document.activeElement.textContent.trim()';

test('everything works by keyboard, in reading order', { skip }, async t => {
  const { address, ask } = await serve(t, {}, sample);
  const { total } = (await ask('/overview/news')).data.pagination;
  await visit(address, async ({ page }) => {
    await page.locator('.ranking li').nth(9).waitFor();
    const focused = () => page.evaluate<string>(FOCUSED);
    const tab = async () => {
      await page.keyboard.press('Tab');
      return focused();
    };
    assert.equal(await tab(), 'Skip to the content');
    assert.equal(await page.evaluate('getComputedStyle(document.activeElement).outlineStyle'), 'solid');
    assert.deepEqual([await tab(), await tab(), await tab()], ['Now', 'Prices', 'News']);
    await page.keyboard.press('Enter');
    await page.getByRole('status').getByText(`${total} items`).waitFor();
    await page.keyboard.press('/');
    assert.equal(await focused(), 'Search');
    await page.keyboard.type('meridian opens');
    await page.keyboard.press('Enter');
    await page.getByRole('status').getByText('1 item', { exact: true }).waitFor();
    assert.equal(await tab(), 'Category');
    assert.equal(await tab(), 'Meridian Cloud opens in Frankfurt and Singapore');
    await page.keyboard.press('Enter');
    await page.locator('.content').waitFor();
    await page.goBack();

    await page.getByRole('status').getByText('1 item', { exact: true }).waitFor();
    await page.keyboard.press('/');
    await page.keyboard.press('Delete');
    const next = page.getByRole('button', { name: 'Next' });
    await next.focus();
    await page.keyboard.press('Enter');
    await page.getByText('Page 2 of').waitFor();
    for (let turned = 2; (await next.getAttribute('aria-disabled')) !== 'true'; turned += 1) {
      await page.keyboard.press('Enter');
      await page.getByText(`Page ${turned + 1} of`).waitFor();
    }
    assert.equal(await focused(), 'Next');
  });
});

test('keys lead to the views and from row to row, and ? lists them', { skip }, async t => {
  const { address } = await serve(t, {}, sample);
  await visit(address, async ({ page }) => {
    await page.locator('.ranking li').nth(9).waitFor();
    for (const [key, heading] of [
      ['w', 'News'],
      ['p', 'Prices'],
      ['n', 'Most read'],
    ] as const) {
      await page.keyboard.press('g');
      await page.keyboard.press(key);
      await page.getByRole('heading', { name: heading }).waitFor();
    }
    const focused = () => page.evaluate<string>('document.activeElement.textContent');
    await page.keyboard.press('j');
    assert.match(await focused(), /^products\.json/);
    await page.keyboard.press('j');
    await page.keyboard.press('j');
    await page.keyboard.press('k');
    assert.match(await focused(), /^configurations\.csv/);
    await page.keyboard.press('?');
    await page.getByRole('dialog', { name: 'Keys' }).getByText('next row').waitFor();
    await page.keyboard.press('Escape');
    assert.equal(await page.getByRole('dialog').count(), 0);
  });
});

test('screen readers get landmarks, one main heading, and tables and figures in words', {
  skip,
}, async t => {
  const { address } = await serve(t, everything);
  await visit(address, async ({ page }) => {
    await page.locator('.ranking li').nth(9).waitFor();
    for (const landmark of ['banner', 'main', 'contentinfo'] as const) {
      assert.equal(await page.getByRole(landmark).count(), 1, landmark);
    }
    for (const name of ['Now', 'Prices', 'News']) {
      await page.getByRole('link', { name, exact: true }).click();
      await page.locator('main h2').first().waitFor();
      const headings = await page
        .locator(':is(h1, h2, h3):visible')
        .evaluateAll(all => all.map(({ tagName }) => tagName));
      assert.equal(headings.filter(name => name === 'H1').length, 1);
      const isStep = (name: string, place: number) =>
        Number(name[1]) <= Number(headings[place - 1]?.[1] ?? 0) + 1;
      assert.ok(headings.every(isStep), String(headings));
      assert.equal(await page.title(), `${name} · Vitrine`);
    }
    await page.getByRole('search').waitFor();
    await page.goBack();
    await page.goBack();
    assert.equal(await page.getByRole('table', { name: 'Files that are live' }).count(), 1);
    const first = page.getByRole('region', { name: 'Most read' }).getByRole('listitem').first();
    assert.match(String(await first.textContent()), /24 reads/);
    assert.equal(await page.locator('html').getAttribute('lang'), 'en');
  });
});
