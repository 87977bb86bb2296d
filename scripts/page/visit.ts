import type { Browser, CDPSession, Page } from 'playwright-core';

/** A page of its own, with nothing in its cache. */
export interface Visit {
  page: Page;
  session: CDPSession;
  /** The milliseconds of each task of more than 50 ms since it was last asked for. */
  longTasks(): Promise<number[]>;
  /** How much of the view has moved by itself: the sum of all layout shifts. */
  shift(): Promise<number>;
  /** The milliseconds from what the visitor did last until the view changed last. */
  delay(): Promise<number>;
  close(): Promise<void>;
}

const WATCH = `
  const seen = (globalThis.seen = { longTasks: [], shift: 0, actedAt: 0, changedAt: 0 });
  new PerformanceObserver(list => seen.longTasks.push(...list.getEntries().map(entry => entry.duration)))
    .observe({ type: 'longtask', buffered: true });
  new PerformanceObserver(list => {
    for (const entry of list.getEntries()) if (!entry.hadRecentInput) seen.shift += entry.value;
  }).observe({ type: 'layout-shift', buffered: true });
  for (const type of ['input', 'click'])
    addEventListener(type, event => { seen.actedAt = event.timeStamp; }, true);
  new MutationObserver(() => { seen.changedAt = performance.now(); })
    .observe(document, { childList: true, characterData: true, attributes: true, subtree: true });
`;

/** Opens a page in a profile of its own that keeps what happens in it. */
export async function openVisit(browser: Browser): Promise<Visit> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 844 }, locale: 'en-GB' });
  await context.addInitScript(WATCH);
  const page = await context.newPage();
  return {
    page,
    session: await context.newCDPSession(page),
    longTasks: () => page.evaluate('seen.longTasks.splice(0)'),
    shift: () => page.evaluate('seen.shift'),
    delay: () => page.evaluate('seen.changedAt - seen.actedAt'),
    close: () => context.close(),
  };
}
