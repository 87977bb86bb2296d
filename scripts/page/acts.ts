import type { Browser } from 'playwright-core';
import { type CatalogName, catalogNames } from '../../src/contract/columns.ts';
import type { CatalogRowsPage } from '../../src/contract/page.ts';
import { openVisit } from './visit.ts';

/** How much of a value is typed into a search. */
const TYPED_LENGTH = 10;
/** As people type. */
const KEY_MS = 60;
/** What the page does with an answer is over by then. */
const SETTLE_MS = 250;
/** The columns that people search. */
const columns: Record<CatalogName, string> = {
  products: 'name',
  configurations: 'name',
  durations: 'name',
  prices: 'price',
  news_types: 'name',
  news: 'title',
};

/** What a visitor does, and the work of the page meanwhile. */
export interface Act {
  what: string;
  longTasks: number[];
  /** From the last key until the page has shown the answer. */
  delay: number;
}

/** Searches the prices, the news, and the rows of each catalog. */
export async function* measureActs(browser: Browser, address: string): AsyncGenerator<Act> {
  const rows = catalogNames.map(catalog => [`rows?catalog=${catalog}`, catalog] as const);
  for (const [view, catalog] of [['prices', 'configurations'], ['news', 'news'], ...rows] as const) {
    const text = await textIn(address, catalog);
    if (text) yield* search(browser, `${address}#/${view}`, view, text);
  }
}

/** The beginning of a text of the first row; undefined without rows. */
async function textIn(address: string, catalog: CatalogName): Promise<string | undefined> {
  const response = await fetch(`${address}overview/rows?catalog=${catalog}&limit=1`);
  const { data } = (await response.json()) as { data: CatalogRowsPage };
  const value = data.list[0]?.row[columns[catalog]];
  return value === undefined ? undefined : String(value).slice(0, TYPED_LENGTH);
}

/** Types a search key by key into a view that shows its content, and deletes it again. */
async function* search(browser: Browser, url: string, view: string, text: string): AsyncGenerator<Act> {
  const { page, longTasks, delay, close } = await openVisit(browser);
  await page.goto(url);
  await page.locator('.count:not(:empty)').waitFor();
  await page.waitForLoadState('networkidle');
  const field = page.locator('#keyword');
  await field.focus();
  for (const [what, keyword] of [
    [`type “${text}”`, text],
    ['delete it', null],
  ] as const) {
    await longTasks();
    const answered = page.waitForResponse(response => {
      const { pathname, searchParams } = new URL(response.url());
      return /^\/(?:overview|api)\//.test(pathname) && searchParams.get('keyword') === keyword;
    });
    if (keyword === null) for (const _ of text) await field.press('Backspace', { delay: KEY_MS });
    else await field.pressSequentially(text, { delay: KEY_MS });
    await (await answered).finished();
    await page.waitForTimeout(SETTLE_MS);
    yield { what: `${view}: ${what}`, longTasks: await longTasks(), delay: await delay() };
  }
  await close();
}
