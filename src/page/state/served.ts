import { signal } from '@preact/signals';
import type { Changes } from '../../contract/changes.ts';
import type { Health } from '../../contract/health.ts';
import type { Overview } from '../../contract/page.ts';
import { ask } from './ask.ts';
import { attempt } from './away.ts';
import { preview } from './preview.ts';

/** How often the page polls for changed catalogs, in milliseconds. */
const POLL_MS = 2_000;
/** How often it fetches what changes without them: read counts, and news that gets published. */
const REFRESH_MS = 10_000;

/** What the service says of itself; undefined until its first answer. */
export const health = signal<Health | undefined>();
export const overview = signal<Overview | undefined>();
/** What the served set changed, as far as the first page of the list; undefined without a set. */
export const changes = signal<Changes | undefined>();
/** Rises whenever views have to query again. */
export const revision = signal(0);

let version: string | undefined;
let refreshedAt = 0;
let isPolling = false;

async function poll(): Promise<void> {
  const answer = await ask('health');
  health.value = answer;
  if (!answer.catalogs) return;
  const isNew = answer.catalogs.version !== version;
  if (!isNew && performance.now() - refreshedAt < REFRESH_MS) return;
  if (isNew) changes.value = await ask('changes');
  version = answer.catalogs.version;
  await refresh();
}

async function refresh(): Promise<void> {
  overview.value = await ask('overview');
  refreshedAt = performance.now();
  revision.value += 1;
}

/** Polls as long as the page is visible. */
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
  // Another preview is another answer to everything.
  preview.subscribe(() => {
    if (revision.peek() > 0) void attempt(refresh);
  });
}
