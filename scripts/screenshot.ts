// Takes the manual's pictures of the page: the sample catalogs after a change of prices, then with two wrong ones. Needs
// chromium, pngquant and a font with Chinese characters. Usage: npx tsx scripts/screenshot.ts [DIR] [WIDTH] [light|dark]
import { execFileSync } from 'node:child_process';
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createVitrine } from '../src/index.ts';
import { startBrowser } from './browser.ts';

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const [out = here('screenshot'), width = '1280', scheme = 'light'] = process.argv.slice(2);
const TOKEN = 'only-for-these-pictures';

const dir = await mkdtemp(join(tmpdir(), 'vitrine-'));
const catalogDir = join(dir, 'catalog');
await cp(here('../data/catalog'), catalogDir, { recursive: true });
const app = await createVitrine({
  catalogDir,
  imagesDir: here('../data/images'),
  stateDir: join(dir, 'state'),
  previewToken: TOKEN,
  drainMs: 0,
  logLevel: 'silent',
});
const browser = await startBrowser();
try {
  const page = await browser.newPage({
    viewport: { width: Number(width), height: 860 },
    colorScheme: scheme === 'dark' ? 'dark' : 'light',
    locale: 'en-GB',
  });
  const address = await app.listen({ port: 0 });
  const take = async (name: string, hash: string, last: string) => {
    await page.goto(`${address}/#/${hash}`);
    await page.locator(last).first().waitFor();
    await page.waitForLoadState('networkidle');
    const path = join(out, `${name}.png`);
    await page.screenshot({ path });
    execFileSync('pngquant', ['--force', '--output', path, '64', path]);
  };
  await page.goto(`${address}/`);
  await page.locator('.outcome h2', { hasText: 'All files' }).waitFor();
  const prices = join(catalogDir, 'prices.csv');
  await edit(prices, [3, 12, 21], line => line.replace(/[\d.]+$/, price => (Number(price) * 0.9).toFixed(2)));
  await page.locator('.outcome h2', { hasText: 'prices changed' }).waitFor();
  await take('prices', 'prices', '.matrix .changed');
  await take('news', 'news', 'article img');
  await take('rows', 'rows?catalog=prices', '.rows .changed');
  await page.goto(`${address}/#/history`);
  await page.getByLabel('Token').fill(TOKEN);
  await page.getByRole('button', { name: 'Use it' }).click();
  await take('history', 'history', '.versions tbody tr:nth-child(2)');
  await page.getByRole('button', { name: 'Forget the token' }).click();
  await edit(prices, [16, 30], line => line.replace(/[^,]+$/, '"1,928.50"'));
  await edit(prices, [22], line => line.replace(/^(\d+,\d+),\d+/, '$1,99'));
  await take('page', 'now', '.cause:nth-child(2)');
} finally {
  await browser.close();
  await app.close();
  await rm(dir, { recursive: true });
}

/** Changes some lines of a file. */
async function edit(
  path: string,
  places: readonly number[],
  change: (line: string) => string,
): Promise<void> {
  const lines = (await readFile(path, 'utf8')).split('\n');
  for (const place of places) lines[place] = change(String(lines[place]));
  await writeFile(path, lines.join('\n'));
}
