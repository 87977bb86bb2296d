import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import axe, { type AxeResults } from 'axe-core';
import type { Page } from 'playwright-core';
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

/** Resolves when the page shows the set and the problems of a change that is refused. */
async function showEverything(page: Page, catalogDir: string): Promise<void> {
  await page.locator('#news article').nth(9).waitFor();
  await writeFile(join(catalogDir, 'prices.csv'), spoiled);
  await page.locator('#problem-rows').getByText('DUPLICATE_ID').waitFor();
  await page.locator('#problem-rows').getByText(LONG.slice(0, 20)).waitFor();
  await page.locator('summary').first().click();
}

for (const width of [1280, 360]) {
  for (const colorScheme of ['light', 'dark'] as const) {
    test(`at ${width} px in ${colorScheme} colours, axe finds no violation and nothing overflows`, {
      skip,
    }, async t => {
      const { address, settings } = await serve(t, everything);
      await visit(
        address,
        async ({ page }) => {
          await showEverything(page, settings.catalogDir);
          await page.evaluate(axe.source);
          const { violations, passes }: AxeResults = await page.evaluate('axe.run()');
          assert.deepEqual(
            violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html)}`),
            [],
          );
          assert.ok(passes.some(({ id }) => id === 'color-contrast'));
          assert.equal(await page.evaluate('document.documentElement.scrollWidth'), width);
        },
        { viewport: { width, height: 800 }, colorScheme },
      );
    });
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

const FOCUSED =
  'document.activeElement.labels?.[0]?.textContent ?? document.activeElement.textContent.trim()';

test('everything works by keyboard, in reading order', { skip }, async t => {
  const { address } = await serve(t, {}, sample);
  await visit(address, async ({ page }) => {
    await page.locator('#news article').nth(9).waitFor();
    const tab = async (): Promise<string> => {
      await page.keyboard.press('Tab');
      return page.evaluate(FOCUSED);
    };
    assert.equal(await tab(), 'Skip to the content');
    const outline = await page.evaluate('getComputedStyle(document.activeElement).outlineStyle');
    assert.equal(outline, 'solid');
    await page.keyboard.press('Enter');
    assert.deepEqual([await tab(), await tab(), await tab()], ['Product', 'Search', 'Category']);
    assert.match(await tab(), /^Read more: /);
    await page.keyboard.press('Enter');
    assert.equal(await page.locator('details[open] p').first().isVisible(), true);

    await page.keyboard.press('Shift+Tab');
    await page.keyboard.press('Shift+Tab');
    assert.equal(await page.evaluate(FOCUSED), 'Search');
    await page.keyboard.type('meridian opens');
    await page.keyboard.press('Enter');
    await page
      .locator('#news-count')
      .filter({ hasText: /^1 item$/ })
      .waitFor();
    await page.keyboard.press('ControlOrMeta+A');
    await page.keyboard.press('Delete');
    await page.locator('#news-pages').waitFor();

    await page.keyboard.press('Shift+Tab');
    await page.keyboard.type('GPU');
    await page.locator('#product-description').filter({ hasText: 'accelerators' }).waitFor();

    const next = page.getByRole('button', { name: 'Next' });
    await next.focus();
    await page.keyboard.press('Enter');
    await page.getByText('Page 2 of').waitFor();
    for (let turned = 2; (await next.getAttribute('aria-disabled')) !== 'true'; turned += 1) {
      await page.keyboard.press('Enter');
      await page.getByText(`Page ${turned + 1} of`).waitFor();
    }
    assert.equal(await page.evaluate(FOCUSED), 'Next');
  });
});

test('screen readers get landmarks, one main heading, and tables and figures in words', {
  skip,
}, async t => {
  const { address } = await serve(t, everything);
  await visit(address, async ({ page }) => {
    await page.locator('#news article').nth(9).waitFor();
    for (const landmark of ['banner', 'main', 'contentinfo', 'search'] as const) {
      assert.equal(await page.getByRole(landmark).count(), 1, landmark);
    }
    const headings = await page
      .locator(':is(h1, h2, h3):visible')
      .evaluateAll(all => all.map(({ tagName }) => tagName));
    assert.equal(headings.filter(name => name === 'H1').length, 1);
    assert.ok(headings.every((name, place) => Number(name[1]) <= Number(headings[place - 1]?.[1] ?? 0) + 1));
    assert.equal(await page.getByRole('table', { name: 'Served files' }).count(), 1);
    const first = page.getByRole('region', { name: 'Most read' }).getByRole('listitem').first();
    assert.match(String(await first.textContent()), /24 reads/);
    assert.equal(await page.locator('html').getAttribute('lang'), 'en');
  });
});
