import type { Page } from 'playwright-core';

/** What can be operated, and what is made to be scrolled by keyboard. */
const INTERACTIVE = 'a[href], button, input, select, textarea, summary, [tabindex="0"]';
/** Enough for every state; a trap of the focus ends here. */
const MOST_PRESSES = 500;
const NAME_LENGTH = 100;

/** The visible elements that can be operated, in the order of the document, each by the beginning of its HTML. */
export function interactive(page: Page): Promise<string[]> {
  const visible = page.locator(INTERACTIVE).filter({ visible: true });
  return visible.evaluateAll(
    (all, length) => all.map(({ outerHTML }) => outerHTML.slice(0, length)),
    NAME_LENGTH,
  );
}

/** The elements that Tab leads to, in its order, from the first one on until it leads there again. */
export async function tabOrder(page: Page): Promise<string[]> {
  await page.evaluate(`{
    globalThis.stopListening?.abort();
    globalThis.stopListening = new AbortController();
    globalThis.focused = [];
    const listen = ({ target }) => focused.push(target.outerHTML.slice(0, ${NAME_LENGTH}));
    document.activeElement.blur();
    document.addEventListener('focusin', listen, { signal: stopListening.signal });
  }`);
  const first = page.locator(INTERACTIVE).first();
  await first.focus();
  const isBack = () => first.evaluate(element => element.matches(':focus'));
  for (let presses = 0; presses < MOST_PRESSES; presses += 1) {
    await page.keyboard.press('Tab');
    if (await isBack()) break;
  }
  const focused = await page.evaluate<string[]>('focused');
  return focused.slice(0, -1);
}
