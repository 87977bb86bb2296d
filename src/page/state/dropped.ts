import { signal } from '@preact/signals';
import { openChecker } from '../checker/open-checker.ts';
import type { CheckReport, DroppedFile } from '../checker/protocol.ts';

/** What came of the files that were dropped last. */
export type Check =
  | { state: 'reading'; percent: number }
  | { state: 'failed'; reason: string }
  | { state: 'checked'; report: CheckReport; names: string[] };

export const check = signal<Check | undefined>();
/** Whether the views show the dropped files in place of what is live. */
export const areShown = signal(false);

const checker = openChecker();

/** The answer to a query as if the dropped files were live. */
export const askDropped = checker.ask;

/** Checks files against what is served, in this browser: nothing is uploaded. */
export async function checkDropped(files: DroppedFile[]): Promise<void> {
  areShown.value = false;
  check.value = { state: 'reading', percent: 0 };
  const names = files.map(({ path }) => path);
  try {
    const report = await checker.check(files, { against: document.baseURI.replace(/#.*/, '') }, progress => {
      check.value = { state: 'reading', percent: progress.percent };
    });
    check.value = { state: 'checked', report, names };
  } catch (error) {
    check.value = { state: 'failed', reason: error instanceof Error ? error.message : String(error) };
  }
}
