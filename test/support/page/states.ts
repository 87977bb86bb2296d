import type { Page } from 'playwright-core';
import { type Files, writeInto } from '../catalogs.ts';
import { drop } from './drop.ts';
import { useToken } from './token.ts';

/** A state of the page, by what somebody does to see it. */
export interface State {
  /** The view, with its choices: what the address has after `#/`. */
  view: string;
  /** What is saved before, one after the other. */
  saved?: readonly Files[];
  /** Whether the token is used before. */
  withToken?: true;
  /** What is dropped before; its check needs the token. */
  dropped?: Record<string, string>;
}

/** Gets the page of a service to a state, from the view that it shows first. */
export async function reach(
  page: Page,
  catalogDir: string,
  { view, saved = [], withToken, dropped }: State,
): Promise<void> {
  for (const files of saved) await save(page, catalogDir, files);
  if (withToken) await useToken(page);
  if (dropped) await drop(page, dropped);
  await page.evaluate(`location.hash = ${JSON.stringify(`#/${view}`)}`);
}

/** Saves files, and waits until the page says what became of them. */
async function save(page: Page, catalogDir: string, files: Files): Promise<void> {
  const outcome = page.locator('.outcome:not([data-outcome=loading]) h2');
  const before = await outcome.innerText();
  await writeInto(catalogDir, files);
  await outcome.filter({ hasNotText: before }).waitFor();
}
