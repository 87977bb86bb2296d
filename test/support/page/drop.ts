import type { Page } from 'playwright-core';

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
