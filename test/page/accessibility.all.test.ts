import assert from 'node:assert/strict';
import { test } from 'node:test';
import axe, { type AxeResults } from 'axe-core';
import type { Page } from 'playwright-core';
import { visit } from '../support/browser.ts';
import { changed, drastic, longWords, spoiled } from '../support/page/long-words.ts';
import { serve } from '../support/page/serve.ts';
import { reach, type State } from '../support/page/states.ts';
import { interactive, tabOrder } from '../support/page/tab-order.ts';
import { TOKEN } from '../support/page/token.ts';
import { skipWithout } from '../support/skipping.ts';

const skip = skipWithout('chromium');

/** The states of the page, each with what it shows last. */
const states: Record<string, State & { last: string }> = {
  'Now with problems': { view: 'now', saved: [spoiled], last: '.cause' },
  'Now with changes': { view: 'now', saved: [changed, drastic], last: '.as-is' },
  'Now with a set to confirm': { view: 'now', saved: [drastic], withToken: true, last: '.outcome button' },
  Prices: { view: 'prices', last: '.matrix tbody tr' },
  'Prices of what is held back': {
    ...{ view: 'prices?at=held', saved: [drastic], withToken: true },
    last: '.instant [role=status]',
  },
  News: { view: 'news', last: 'article' },
  'News with what appears next': { view: 'news', withToken: true, last: '.calendar li' },
  'an item': { view: 'news?item=25', last: '.content p' },
  Rows: { view: 'rows?catalog=news', last: 'tbody tr' },
  'Rows as of another time': {
    ...{ view: 'rows?catalog=news&page=2&at=2195-01-01T00:00', withToken: true },
    last: '[data-state=hidden]',
  },
  History: { view: 'history', last: '.commands' },
  'History with versions': {
    ...{ view: 'history', saved: [changed, drastic], withToken: true },
    last: '.versions tbody tr:nth-child(2)',
  },
  Try: { view: 'try', last: '.drop' },
  'Try with files that have errors': { view: 'try', dropped: spoiled, withToken: true, last: '.cause' },
  'Try with files that would go live': {
    ...{ view: 'try', dropped: changed, withToken: true },
    last: '.changes tbody tr',
  },
  'Try with files that would be held back': {
    ...{ view: 'try', dropped: drastic, withToken: true },
    last: '.outcome .as-is',
  },
};

for (const [name, { last, ...state }] of Object.entries(states)) {
  test(`${name}: axe finds nothing, nothing overflows, it takes at most four screens, and Tab reaches all of it`, {
    skip,
  }, async t => {
    const { address, settings } = await serve(t, longWords, { previewToken: TOKEN });
    await visit(address, async ({ page }) => {
      await reach(page, settings.catalogDir, state);
      await page.locator(last).first().waitFor();
      await page.locator('details').evaluateAll(all => all.map(one => one.setAttribute('open', '')));
      await page.evaluate(axe.source);
      // No style depends on both.
      for (const [width, colorScheme] of [
        [1280, 'dark'],
        [390, 'light'],
      ] as const) {
        await page.setViewportSize({ width, height: 844 });
        await page.emulateMedia({ colorScheme });
        await assertFits(page, width);
        assert.deepEqual(await tabOrder(page), await interactive(page), `${width} px`);
        await assertAccessible(page, `${width} px, ${colorScheme}`);
      }
    });
  });
}

async function assertFits(page: Page, width: number): Promise<void> {
  assert.equal(await page.evaluate('document.documentElement.scrollWidth'), width);
  const screens: number = await page.evaluate('document.documentElement.scrollHeight / innerHeight');
  assert.ok(screens <= 4, `${screens} screens at ${width} px`);
}

async function assertAccessible(page: Page, where: string): Promise<void> {
  const { violations, passes }: AxeResults = await page.evaluate('axe.run()');
  assert.deepEqual(
    violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html)}`),
    [],
    where,
  );
  assert.ok(passes.some(({ id }) => id === 'color-contrast'));
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

test('screen readers get landmarks, one main heading, and tables and figures in words', {
  skip,
}, async t => {
  const { address } = await serve(t, longWords);
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
  });
});
