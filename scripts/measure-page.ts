/**
 * Measures the page in chromium, with a build of the service over a catalog directory: first each view from an empty
 * cache, then the views with a search field while somebody types. The targets: at most 1 s of scripting until a view shows
 * its content, 40 kB and a layout shift of 0.1, and no long task (one of more than 50 ms) while somebody types.
 * Run it on an idle machine: whatever else runs makes the tasks longer.
 *
 *   npx tsx scripts/measure-page.ts [CATALOG_DIR]
 *
 * CATALOG_DIR is that of the sample by default. It measures what is in dist/, so run `npm run build` before.
 */
import { resolve } from 'node:path';
import type { Browser } from 'playwright-core';
import { benchPath, startVitrine } from './bench/servers.ts';
import { startBrowser } from './browser.ts';
import { measureActs } from './page/acts.ts';
import { type Loading, measureLoading, type ViewName, viewNames } from './page/loading.ts';
import { openVisit } from './page/visit.ts';

/** How often a view is loaded. */
const ROUNDS = 5;

async function main([dir = benchPath('../../data/catalog')]: string[]): Promise<void> {
  const env = { IMAGES_DIR: benchPath('../../data/images') };
  const service = await startVitrine(resolve(dir), env);
  const browser = await startBrowser();
  try {
    const address = `http://127.0.0.1:${service.port}/`;
    await printLoading(browser, address);
    await printActs(browser, address);
  } finally {
    await browser.close();
    await service.stop();
  }
}

async function printLoading(browser: Browser, address: string): Promise<void> {
  const figures = ['script ms', 'tasks ms', 'longest ms', 'kB', 'shift'];
  console.log(line('until a view shows its content', figures));
  for (const view of viewNames) {
    const { script, tasks, longTasks, kilobytes, shift } = await quickest(browser, address, view);
    const times = [script.toFixed(0), tasks.toFixed(0), longestOf(longTasks)];
    const sizes = [kilobytes.toFixed(0), shift.toFixed(3)];
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

async function printActs(browser: Browser, address: string): Promise<void> {
  console.log(`\n${line('what a visitor does', ['long tasks', 'longest ms', 'shown after ms'])}`);
  for await (const { what, longTasks, delay } of measureActs(browser, address)) {
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
