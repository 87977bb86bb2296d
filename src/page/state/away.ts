import { signal } from '@preact/signals';
import { Refusal } from './ask.ts';
import { refused } from './token.ts';

/** Why the page shows an earlier state, and since when; undefined if it does not. */
export const away = signal<{ since: Date; refusal: string | undefined } | undefined>();

/** Runs a task that queries the service. If it fails, the page says so until a task succeeds. */
export async function attempt(task: () => Promise<void>): Promise<void> {
  try {
    await task();
    away.value = undefined;
  } catch (error) {
    if (error instanceof Refusal && refused.value) return;
    const refusal = error instanceof Refusal ? error.message : undefined;
    if (away.value?.refusal === refusal && away.value) return;
    away.value = { since: away.value?.since ?? new Date(), refusal };
  }
}
