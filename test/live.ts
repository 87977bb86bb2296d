import { EventEmitter, once } from 'node:events';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { type Hints, systemHints } from '../src/catalog/hints.ts';
import { type LiveCatalog, openLiveCatalog } from '../src/catalog/live.ts';
import { openLoader } from '../src/catalog/load.ts';
import { type Settings, settingsFrom } from '../src/settings.ts';
import type { WayToSave } from './catalog/ways-to-save.ts';
import { writeFiles, writeInto } from './catalogs.ts';
import { edition, editionOf } from './editions.ts';

/** The system's own hints, and none at all, as on a network mount. */
export const watchers = {
  working: systemHints,
  deaf: () => ({ close: async () => {} }),
} satisfies Record<string, Hints>;

/**
 * Opens the live catalog of a directory of editions, as production does, and closes it after the test. Whatever it
 * takes up has to be one whole edition.
 */
export async function startLive(
  t: TestContext,
  catalogDir: string,
  options: Partial<Settings> = {},
  hints: Hints = systemHints,
) {
  const outcomes = new EventEmitter();
  const logged: string[] = [];
  let live: LiveCatalog | undefined;
  let failure: unknown;
  const hear = (_details: object, message: string) => {
    logged.push(message);
    try {
      const snapshot = live?.snapshot();
      if (snapshot) editionOf(snapshot);
    } catch (error) {
      failure = error;
    }
    outcomes.emit('outcome');
  };
  const settings = settingsFrom({ catalogDir, ...options });
  const log = { info: hear, warn: hear, error: hear };
  const opened = await openLiveCatalog(settings, settings, log, openLoader(settings), hints);
  live = opened;
  t.after(() => opened.close());

  /** Resolves to the first value of `look` that is not undefined, which is asked after every outcome. */
  const outcome = async <Value>(look: (live: LiveCatalog) => Value | undefined): Promise<Value> => {
    // Nothing of a live catalog keeps the process alive.
    const alive = setInterval(() => {}, 60_000);
    try {
      for (;;) {
        if (failure) throw failure;
        const value = look(opened);
        if (value !== undefined) return value;
        await once(outcomes, 'outcome', { signal: t.signal });
      }
    } finally {
      clearInterval(alive);
    }
  };
  /** Resolves when an edition is served. */
  const serves = (digit: number) =>
    outcome(() => {
      const snapshot = opened.snapshot();
      return snapshot && editionOf(snapshot) === digit ? true : undefined;
    });
  return { live: opened, logged, outcome, serves };
}

/** Saves one edition over another in this way, and returns how many milliseconds later it was served. */
export async function takeUpSaved(t: TestContext, way: WayToSave, hints: Hints): Promise<number> {
  const root = await writeFiles(t, {});
  const dir = join(root, 'catalog');
  const [old, next] = [edition(1), edition(2)];
  await (way.prepare ? way.prepare(root, old, next) : writeInto(dir, old));
  const { live, serves, outcome } = await startLive(t, dir, {}, hints);
  await serves(1);
  const before = live.status().attempt;
  await way.save(root, next, () => outcome(({ status }) => (status().attempt === before ? undefined : true)));
  const savedAt = performance.now();
  await serves(2);
  return Math.round(performance.now() - savedAt);
}
