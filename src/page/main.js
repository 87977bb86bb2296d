import { ask } from './ask.js';
import { attempt } from './away.js';
import { showConfigurations } from './sections/configurations.js';
import { showFiles } from './sections/files.js';
import { showLinks } from './sections/links.js';
import { showMostRead } from './sections/most-read.js';
import { showNews } from './sections/news.js';
import { showOutcome } from './sections/outcome.js';
import { showReasons } from './sections/reasons.js';

/** How often the page polls for changed catalogs, in milliseconds. */
const POLL_MS = 2_000;
/** How often it fetches what changes without them: read counts, and news that gets published. */
const REFRESH_MS = 10_000;

/** @type {string | undefined} */
let version;
let refreshedAt = 0;
let isPolling = false;

async function poll() {
  const health = await ask('health');
  showOutcome(health);
  showReasons(health);
  showFiles(health);
  if (!health.catalogs) return;
  const isNew = health.catalogs.version !== version;
  if (!isNew && performance.now() - refreshedAt < REFRESH_MS) return;
  await refresh();
  version = health.catalogs.version;
  refreshedAt = performance.now();
}

async function refresh() {
  const overview = await ask('overview');
  showLinks(overview);
  showMostRead(overview);
  await Promise.all([showConfigurations(overview), showNews(overview)]);
}

/** Polls as long as the page is visible. */
async function keepPolling() {
  if (isPolling || document.hidden) return;
  isPolling = true;
  await attempt(poll);
  setTimeout(() => {
    isPolling = false;
    void keepPolling();
  }, POLL_MS);
}

document.addEventListener('visibilitychange', () => void keepPolling());
void keepPolling();
