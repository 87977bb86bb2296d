import type { Browser } from 'playwright-core';
import { type CatalogName, catalogNames } from '../../src/contract/columns.ts';
import type { CatalogRowsPage } from '../../src/contract/page.ts';
import { type Act, searchFor, turn } from './acts.ts';
import { openVisit, type Visit } from './visit.ts';

/** How much of a value is typed into a search. */
const TYPED_LENGTH = 10;
/** The columns that people search. */
const columns: Record<CatalogName, string> = {
  products: 'name',
  configurations: 'name',
  durations: 'name',
  prices: 'price',
  news_types: 'name',
  news: 'title',
};

/** Searches the prices and the news, then searches and turns the rows of each catalog, or of one. */
export async function* measureActs(browser: Browser, address: string, only?: string): AsyncGenerator<Act> {
  for (const [view, catalog] of [
    ['prices', 'configurations'],
    ['news', 'news'],
  ] as const) {
    const text = await textIn(address, catalog);
    if (text) yield* await actIn(browser, `${address}#/${view}`, view, visit => searchFor(visit, text));
  }
  for (const catalog of catalogNames) {
    const text = await textIn(address, catalog);
    if (!text || catalog !== (only ?? catalog)) continue;
    yield* await actIn(browser, `${address}#/rows?catalog=${catalog}`, `rows of ${catalog}`, async visit => [
      ...(await searchFor(visit, text)),
      ...(await turn(visit)),
    ]);
  }
}

/** The beginning of a text of the first row; undefined without rows. */
async function textIn(address: string, catalog: CatalogName): Promise<string | undefined> {
  const response = await fetch(`${address}overview/rows?catalog=${catalog}&limit=1`);
  const { data } = (await response.json()) as { data: CatalogRowsPage };
  const value = data.list[0]?.row[columns[catalog]];
  return value === undefined ? undefined : String(value).slice(0, TYPED_LENGTH);
}

/** Does something in a view that shows its content. */
async function actIn(
  browser: Browser,
  address: string,
  place: string,
  doIn: (visit: Visit) => Promise<Act[]>,
): Promise<Act[]> {
  const visit = await openVisit(browser);
  await visit.page.goto(address);
  await visit.page.locator('.count:not(:empty)').waitFor();
  await visit.page.waitForLoadState('networkidle');
  const acts = await doIn(visit);
  await visit.close();
  return acts.map(act => ({ ...act, what: `${place}: ${act.what}` }));
}
