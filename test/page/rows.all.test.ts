import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { visit } from '../support/browser.ts';
import { serve, shop } from '../support/page/serve.ts';
import { skipWithout } from '../support/skipping.ts';

const skip = skipWithout('chromium');

test('each catalog is a table with the place of each row, its names, and what changed', { skip }, async t => {
  const { address, settings } = await serve(t);
  await visit(`${address}#/rows?catalog=prices`, async ({ page }) => {
    const rows = page.locator('tbody tr');
    await rows.nth(6).waitFor();
    assert.equal(await rows.nth(3).textContent(), 'row 5 in prices.csv1041Cloud server11Small4Monthly19.991');
    await page.getByLabel('Text in the row').fill('small month');
    await page.getByRole('status').getByText('1 row', { exact: true }).waitFor();
    await page.getByLabel('Text in the row').fill('');
    await page.getByRole('status').getByText('7 rows').waitFor();

    const changed = String(shop['prices.csv']).replace('19.99', '21.99');
    await writeFile(join(settings.catalogDir, 'prices.csv'), changed);
    await page.getByLabel('Show').selectOption('changed by the last version');
    await page.locator('.changed', { hasText: '21.99before 19.99' }).waitFor();
    assert.equal(await rows.count(), 1);
    assert.match(page.url(), /#\/rows\?catalog=prices&only=changed$/);
    await page.goBack();
    await rows.nth(6).waitFor();
    await page.getByRole('link', { name: 'This view as JSON' }).click();
    assert.match(await page.locator('body').innerText(), /^{"success":true/);
  });
});
