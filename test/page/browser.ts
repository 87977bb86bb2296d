import assert from 'node:assert/strict';
import { after } from 'node:test';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { startBrowser } from '../../scripts/browser.ts';

let browser: Promise<Browser> | undefined;
after(async () => (await browser)?.close());

/** A page, and what it has done since it was opened. */
export interface Visit {
  page: Page;
  requests: string[];
  /** What a visitor should never meet with: errors in the console, requests to anybody else. A visit fails over them. */
  faults: string[];
}

/** Opens a page in a browser with a profile of its own, looks at it, and asserts that nothing went wrong meanwhile. */
export async function visit(
  address: string,
  look: (visit: Visit) => Promise<void>,
  options: BrowserContextOptions = {},
): Promise<void> {
  browser ??= startBrowser();
  const context = await (await browser).newContext(options);
  const page = await context.newPage();
  const { origin } = new URL(address);
  const requests: string[] = [];
  const faults: string[] = [];
  context.on('request', request => {
    const url = request.url();
    requests.push(url);
    if (new URL(url).origin !== origin && !url.startsWith('data:')) faults.push(`it asked for ${url}`);
  });
  page.on('console', message => {
    if (message.type() === 'error' || message.type() === 'warning') faults.push(message.text());
  });
  page.on('pageerror', error => faults.push(error.message));
  page.on('dialog', async dialog => {
    faults.push(`a dialog: ${dialog.message()}`);
    await dialog.dismiss();
  });
  try {
    await page.goto(address);
    await look({ page, requests, faults });
    assert.deepEqual(faults, []);
  } finally {
    await context.close();
  }
}
