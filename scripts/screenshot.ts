// Takes the README's picture of the page: the sample catalogs with two wrong prices. Needs chromium and a font with
// Chinese characters. Usage: npx tsx scripts/screenshot.ts [FILE] [WIDTH] [light|dark]
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createVitrine } from '../src/index.ts';
import { startBrowser } from './browser.ts';

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const [file = here('screenshot/page.png'), width = '1280', scheme = 'light'] = process.argv.slice(2);

const dir = await mkdtemp(join(tmpdir(), 'vitrine-'));
const catalogDir = join(dir, 'catalog');
await cp(here('../data/catalog'), catalogDir, { recursive: true });
const app = await createVitrine({
  catalogDir,
  imagesDir: here('../data/images'),
  stateDir: join(dir, 'state'),
  drainMs: 0,
  logLevel: 'silent',
});
const browser = await startBrowser();
try {
  const page = await browser.newPage({
    viewport: { width: Number(width), height: 1_000 },
    colorScheme: scheme === 'dark' ? 'dark' : 'light',
  });
  await page.goto(await app.listen({ port: 0 }));
  await page.locator('#news article').first().waitFor();
  await spoilPrices(join(catalogDir, 'prices.csv'));
  await page.locator('#problem-rows tr').nth(1).waitFor();
  await page.screenshot({ path: file });
} finally {
  await browser.close();
  await app.close();
  await rm(dir, { recursive: true });
}

/** Writes thousands separators into two rows, and an unknown configuration into another. */
async function spoilPrices(path: string): Promise<void> {
  const lines = (await readFile(path, 'utf8')).split('\n');
  lines[16] = String(lines[16]).replace(/[^,]+$/, '"1,928.50"');
  lines[30] = String(lines[30]).replace(/[^,]+$/, '"2,100.00"');
  lines[22] = String(lines[22]).replace(/^(\d+,\d+),\d+/, '$1,99');
  await writeFile(path, lines.join('\n'));
}
