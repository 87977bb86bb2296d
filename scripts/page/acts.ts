import type { Response } from 'playwright-core';
import type { Visit } from './visit.ts';

/** As people type. */
const KEY_MS = 60;
/** What the page does with an answer is over by then. */
const SETTLE_MS = 250;

/** What a visitor does, and the work of the page meanwhile. */
export interface Act {
  what: string;
  longTasks: number[];
  /** From the last key or click until the page has shown the answer. */
  delay: number;
}

/** Types a search key by key, and deletes it again. */
export async function searchFor(visit: Visit, text: string): Promise<Act[]> {
  const field = visit.page.locator('#keyword');
  await field.focus();
  return [
    await act(visit, `type “${text}”`, { keyword: text }, () =>
      field.pressSequentially(text, { delay: KEY_MS }),
    ),
    await act(visit, 'delete it', { keyword: null }, async () => {
      for (const _ of text) await field.press('Backspace', { delay: KEY_MS });
    }),
  ];
}

/** Turns to the next page and back. */
export async function turn(visit: Visit): Promise<Act[]> {
  const { page } = visit;
  if ((await page.locator('.pages').count()) === 0) return [];
  return [
    await act(visit, 'next page', { page: '2' }, () => page.getByRole('button', { name: 'Next' }).click()),
    await act(visit, 'page before', { page: '1' }, () =>
      page.getByRole('button', { name: 'Previous' }).click(),
    ),
  ];
}

async function act(
  { page, longTasks, delay }: Visit,
  what: string,
  asked: Record<string, string | null>,
  doIt: () => Promise<void>,
): Promise<Act> {
  await longTasks();
  const [answer] = await Promise.all([page.waitForResponse(response => answers(response, asked)), doIt()]);
  await answer.finished();
  await page.waitForTimeout(SETTLE_MS);
  return { what, longTasks: await longTasks(), delay: await delay() };
}

/** Whether it answers a view that asked with these parameters; null stands for without. */
function answers(response: Response, asked: Record<string, string | null>): boolean {
  const { pathname, searchParams } = new URL(response.url());
  const isAsked = Object.entries(asked).every(([name, value]) => searchParams.get(name) === value);
  return pathname.startsWith('/overview/') && isAsked;
}
