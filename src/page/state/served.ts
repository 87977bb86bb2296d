import { batch, signal } from '@preact/signals';
import type { Health } from '../../contract/health.ts';
import type { Overview } from '../../contract/overview.ts';
import { ask, attempt, revision } from './ask.ts';
import { preview } from './token.ts';

/** The interval between polls for changed catalogs, in milliseconds. */
const POLL_MS = 2_000;
/** The interval between refreshes of read counts and published news, in milliseconds. */
const REFRESH_MS = 10_000;

/** The health of the service; undefined until its first answer. */
export const health = signal<Health | undefined>();
export const overview = signal<Overview | undefined>();
export const firstChanges = { page: '1', limit: '10' };

let version: string | undefined;
let refreshedAt = 0;
let isPolling = false;

/** What arrives together is shown together, so that nothing moves. */
async function poll(): Promise<void> {
  const answer = await ask('health');
  const { catalogs } = answer;
  const isNew = catalogs?.version !== version;
  if (!catalogs || (!isNew && performance.now() - refreshedAt < REFRESH_MS)) {
    health.value = answer;
    return;
  }
  const [answered] = await Promise.all([ask('overview'), ask('changes', firstChanges)]);
  version = catalogs.version;
  batch(() => {
    health.value = answer;
    refresh(answered);
  });
}

function refresh(answer: Overview): void {
  overview.value = answer;
  refreshedAt = performance.now();
  revision.value += 1;
}

/** Polls while the page is visible. */
async function keepPolling(): Promise<void> {
  if (isPolling || document.hidden) return;
  isPolling = true;
  await attempt(poll);
  setTimeout(() => {
    isPolling = false;
    void keepPolling();
  }, POLL_MS);
}

export function followService(): void {
  document.addEventListener('visibilitychange', () => void keepPolling());
  void keepPolling();
  // In another preview, every answer differs.
  preview.subscribe(() => {
    if (revision.peek() > 0) void attempt(async () => refresh(await ask('overview')));
  });
}
