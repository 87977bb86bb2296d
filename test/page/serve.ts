import { type TestContext, test as testOfNode } from 'node:test';
import type { BrowserContextOptions, Page } from 'playwright-core';
import type { Settings } from '../../src/settings/settings.ts';
import { type Files, sample, shop as shopWithoutImage, writeInto } from '../support/catalogs.ts';
import { startService } from '../support/service.ts';
import { skipWithout } from '../support/skipping.ts';
import { type Visit, visit } from './browser.ts';

/** A white dot. */
const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGP4DwABAQEAsTXRCwAAAABJRU5ErkJggg==',
  'base64',
);

/** The small set together with the image that it names. */
export const shop: Files = { ...shopWithoutImage, 'launch.png': PNG };
/** Its prices, and those that lack most rows. */
export const prices = String(shop['prices.csv']);
export const fewPrices = `${prices.split('\n').slice(0, 3).join('\n')}\n`;

export const TOKEN = 'a-token-that-nobody-guesses';

/** The service, listening, with a token; `address` is that of its page, `save` saves files into its folder. */
export async function serve(t: TestContext, files = shop, options: Partial<Settings> = {}) {
  const service = await startService(t, files, { previewToken: TOKEN, ...options });
  const { catalogDir } = service.settings;
  const save = (others: Files) => writeInto(catalogDir, others);
  return { ...service, save, address: `http://127.0.0.1:${await service.listen()}/` };
}

type Service = Awaited<ReturnType<typeof serve>>;
type Look = (visited: { t: TestContext } & Service & Visit) => Promise<void>;

/** What a test visits, if it is not the page of the small set: files, settings, what follows the address, a browser. */
interface Setting extends BrowserContextOptions {
  files?: Files;
  settings?: Partial<Settings>;
  view?: string;
}

export const ofSample: Setting = { files: {}, settings: sample };

/** A test that visits the page of a service of its own, where there is a browser. */
export function test(name: string, ...rest: [Look] | [Setting, Look]): void {
  const [{ files, settings, view = '', ...browser }, look] = rest.length === 1 ? [{}, rest[0]] : rest;
  void testOfNode(name, { skip: skipWithout('chromium') }, async t => {
    const service = await serve(t, files, settings);
    await visit(service.address + view, visited => look({ t, ...service, ...visited }), browser);
  });
}

export const goTo = (page: Page, name: string) => page.getByRole('link', { name, exact: true }).click();

export async function useToken(page: Page, token = TOKEN): Promise<void> {
  await goTo(page, 'History');
  await page.getByLabel('Token').fill(token);
  await page.getByRole('button', { name: 'Use it' }).click();
}

export const shows = (page: Page, selector: string, text: string | RegExp) =>
  page.locator(selector).filter({ hasText: text }).first().waitFor();

export const textsOf = (page: Page, selector: string) => page.locator(selector).allTextContents();

/** What became of the last save. */
export const OUTCOME = '.outcome h2';

/** Drops files onto the page, each a text by its name. */
export async function drop(page: Page, files: Record<string, string>): Promise<void> {
  await page.evaluate(`{
    const transfer = new DataTransfer();
    for (const [name, text] of Object.entries(${JSON.stringify(files)}))
      transfer.items.add(new File([text], name));
    const options = { dataTransfer: transfer, bubbles: true, cancelable: true };
    document.body.dispatchEvent(new DragEvent('drop', options));
  }`);
}
