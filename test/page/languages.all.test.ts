import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { de } from '../../src/page/texts/de.ts';
import { en } from '../../src/page/texts/en.ts';
import { zh } from '../../src/page/texts/zh.ts';
import { visit } from '../support/browser.ts';
import { serve, shop } from '../support/page/serve.ts';
import { skipWithout } from '../support/skipping.ts';

const skip = skipWithout('chromium');

/** Each text by its path, with what stands for the arguments of a function. */
function textsOf(value: unknown, path = ''): [path: string, text: string][] {
  if (typeof value === 'string') return [[path, value]];
  if (typeof value === 'function') return [[path, value(2, '\u{1}', '\u{2}')]];
  return Object.entries(Object(value)).flatMap(([key, inner]) => textsOf(inner, `${path}.${key}`));
}

/** Names and signs, which are the same in each language. */
const SHARED = /^(API|CPU|JSON|Markdown|Format|Feed|Version|Name|News|Text|id|.{1,3})\b|^[^\p{L}]*$/u;

test('every language has every text, each with all that it is about', () => {
  const english = textsOf(en);
  for (const [language, texts] of Object.entries({ de, zh })) {
    const translated = textsOf(texts);
    assert.deepEqual(
      translated.map(([path]) => path),
      english.map(([path]) => path),
      language,
    );
    for (const [index, [path, text]] of translated.entries()) {
      const [, original = ''] = english[index] ?? [];
      assert.notEqual(text, '', path);
      const isTold = (text: string) => ['2', '\u{1}', '\u{2}'].map(given => text.includes(given));
      assert.deepEqual(isTold(text), isTold(original), `${language}${path}: ${text}`);
      assert.ok(text !== original || SHARED.test(text), `${language}${path} is as in English: ${text}`);
    }
    if (language === 'zh') {
      const isChinese = (text: string) => /\p{Script=Han}/u.test(text);
      const others = translated.filter(([, text]) => !isChinese(text)).map(([path]) => path);
      assert.deepEqual(others, ['.comma', '.liveChanges', '.formats.markdown']);
    }
  }
});

const cases = [
  {
    locale: 'de-DE',
    lang: 'de',
    live: /^Alle Dateien sind/,
    changed: '1 Preis hinzugefügt, 1 Preis geändert.',
  },
  {
    locale: 'de-AT',
    lang: 'de',
    live: /^Alle Dateien sind/,
    changed: '1 Preis hinzugefügt, 1 Preis geändert.',
  },
  { locale: 'zh-CN', lang: 'zh-Hans', live: /^所有文件/, changed: '新增 1 个价格，更改 1 个价格。' },
  { locale: 'en-US', lang: 'en', live: /^All files/, changed: '1 price added, 1 price changed.' },
  { locale: 'fr-FR', lang: 'en', live: /^All files/, changed: '1 price added, 1 price changed.' },
];

for (const { locale, lang, live, changed } of cases) {
  test(`a browser in ${locale} gets the page in its language, or else in English`, { skip }, async t => {
    const { address, settings } = await serve(t);
    await visit(
      address,
      async ({ page }) => {
        const outcome = page.locator('.outcome h2');
        await outcome.filter({ hasText: live }).waitFor();
        assert.equal(await page.locator('html').getAttribute('lang'), lang);
        const prices = `${String(shop['prices.csv']).replace('19.99', '20.99')}109,1,13,4,5\n`;
        await writeFile(join(settings.catalogDir, 'prices.csv'), prices);
        await outcome.filter({ hasText: changed }).waitFor();
      },
      { locale },
    );
  });
}

test('numbers and times are written as the reader writes them', { skip }, async t => {
  const { address } = await serve(t);
  const price = async (locale: string) => {
    let text = '';
    await visit(
      `${address}#/prices`,
      async ({ page }) => {
        text = String(await page.locator('.matrix td', { hasText: '99' }).nth(1).textContent());
      },
      { locale },
    );
    return text;
  };
  assert.deepEqual([await price('en-GB'), await price('de-DE')], ['99,999,999.9999', '99.999.999,9999']);
});
