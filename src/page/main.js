import { ask } from './ask.js';
import { attempt } from './away.js';
import { showConfigurations } from './configurations.js';
import { showFiles } from './files.js';
import { showLinks } from './links.js';
import { showMostRead } from './most-read.js';
import { showNews } from './news.js';
import { showOutcome } from './outcome.js';

/** How often the page looks whether the catalogs have changed, in milliseconds. */
const LOOK_MS = 2_000;
/** And how often at what may change without them: read counts, and news whose time has come. */
const LOOK_AT_ALL_MS = 10_000;

/** @type {string | undefined} */
let version;
let lookedAtAll = 0;
let isLooking = false;

async function look() {
  const health = await ask('health');
  showOutcome(health);
  showFiles(health);
  if (!health.catalogs) return;
  const isNew = health.catalogs.version !== version;
  if (!isNew && performance.now() - lookedAtAll < LOOK_AT_ALL_MS) return;
  await lookAtAll();
  version = health.catalogs.version;
  lookedAtAll = performance.now();
}

async function lookAtAll() {
  const overview = await ask('overview');
  showLinks(overview);
  showMostRead(overview);
  await Promise.all([showConfigurations(overview), showNews(overview)]);
}

/** Looks, and goes on to look as long as somebody sees the page. */
async function keepLooking() {
  if (isLooking || document.hidden) return;
  isLooking = true;
  await attempt(look);
  setTimeout(() => {
    isLooking = false;
    void keepLooking();
  }, LOOK_MS);
}

document.addEventListener('visibilitychange', () => void keepLooking());
void keepLooking();
