/**
 * Measures the page in chromium, with a build of the service over a catalog directory: first each view from an empty
 * cache, then what visitors do in the views with a search field. The targets: at most 1 s of scripting until a view shows
 * its content, 40 kB and a layout shift of 0.1, at most 4 screens, and no long task (one of more than 50 ms) while somebody
 * types or turns pages.
 * Run it on an idle machine: whatever else runs makes the tasks longer.
 *
 *   npx tsx scripts/measure-page.ts [CATALOG_DIR] [CATALOG]
 *
 * CATALOG_DIR is that of the sample by default. CATALOG, such as prices, is the only one whose rows are searched; by
 * default these are all that have rows. It measures what is in dist/, so run `npm run build` before.
 */
import { resolve } from 'node:path';
import type { Browser } from 'playwright-core';
import { benchPath, startVitrine } from './bench/servers.ts';
import { startBrowser } from './browser.ts';
import { type Loading, measureLoading, type ViewName, viewNames, viewports } from './page/loading.ts';
import { measureActs } from './page/tour.ts';
import { openVisit } from './page/visit.ts';

/** How often a view is loaded. */
const ROUNDS = 5;

async function main([dir = benchPath('../../data/catalog'), catalog]: string[]): Promise<void> {
  const env = { IMAGES_DIR: benchPath('../../data/images') };
  const service = await startVitrine(resolve(dir), env);
  const browser = await startBrowser();
  try {
    const address = `http://127.0.0.1:${service.port}/`;
    await printLoading(browser, address);
    await printActs(browser, address, catalog);
  } finally {
    await browser.close();
    await service.stop();
  }
}

async function printLoading(browser: Browser, address: string): Promise<void> {
  const heights = viewports.map(({ width, height }) => `${width}x${height} screens`);
  console.log(
    line('until a view shows its content', [
      'script ms',
      'tasks ms',
      'longest ms',
      'kB',
      'shift',
      ...heights,
    ]),
  );
  for (const view of viewNames) {
    const { script, tasks, longTasks, kilobytes, shift, screens } = await quickest(browser, address, view);
    const times = [script.toFixed(0), tasks.toFixed(0), longestOf(longTasks)];
    const sizes = [kilobytes.toFixed(0), shift.toFixed(3), ...screens.map(count => count.toFixed(1))];
    console.log(line(view, [...times, ...sizes]));
  }
}

/** The quickest of several loads: what else runs on the machine only adds to the times. */
async function quickest(browser: Browser, address: string, view: ViewName): Promise<Loading> {
  const loadings: Loading[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const visit = await openVisit(browser);
    loadings.push(await measureLoading(visit, address, view));
    await visit.close();
  }
  return loadings.reduce((best, loading) => (loading.tasks < best.tasks ? loading : best));
}

async function printActs(browser: Browser, address: string, catalog?: string): Promise<void> {
  console.log(`\n${line('what a visitor does', ['long tasks', 'longest ms', 'shown after ms'])}`);
  for await (const { what, longTasks, delay } of measureActs(browser, address, catalog)) {
    console.log(line(what, [String(longTasks.length), longestOf(longTasks), delay.toFixed(0)]));
  }
}

/** The browser does not say how long tasks are that are not long. */
function longestOf(longTasks: readonly number[]): string {
  return longTasks.length === 0 ? 'up to 50' : Math.max(...longTasks).toFixed(0);
}

/** A line of a table. */
function line(what: string, figures: readonly string[]): string {
  return [what.padEnd(44), ...figures.map(figure => figure.padStart(19))].join('');
}

await main(process.argv.slice(2));
