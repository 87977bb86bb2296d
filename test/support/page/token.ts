import type { Page } from 'playwright-core';

/** The `previewToken` of the services whose history a test looks at. */
export const TOKEN = 'a-token-that-nobody-guesses';

/** Types the token in the view of the history. */
export async function useToken(page: Page, token = TOKEN): Promise<void> {
  await page.getByRole('link', { name: 'History', exact: true }).click();
  await page.getByLabel('Token').fill(token);
  await page.getByRole('button', { name: 'Use it' }).click();
}
