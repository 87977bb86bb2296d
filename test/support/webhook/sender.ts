import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import type { CatalogStatus } from '../../../src/live/status.ts';
import type { SetReport } from '../../../src/reader/read-set.ts';
import { settingsFrom } from '../../../src/settings/read.ts';
import type { Settings } from '../../../src/settings/settings.ts';
import type { Snapshot } from '../../../src/snapshot/snapshot.ts';
import { openWebhook } from '../../../src/webhook/webhook.ts';
import { afterTest } from '../after-test.ts';
import { writeFiles } from '../catalogs.ts';
import { keepingLog } from '../reads/stores.ts';
import { until } from '../until.ts';
import { SECRET } from './receiver.ts';

export const BEGIN = 1_900_000_000;

/** As much of a set as is announced: its version, and when its news items appear (Unix seconds). */
export function setOf(version: string, ...publish_time: number[]): Snapshot {
  const never = publish_time.map(() => Number.POSITIVE_INFINITY);
  return {
    version,
    news: { publish_time, unpublish_time: never, img: [], type_id: [] },
  } as unknown as Snapshot;
}

/** A report of a set with these errors. */
export function reportOf(...messages: string[]): SetReport {
  const problems = messages.map(message => ({ file: 'prices.csv', code: 'BAD_ENCODING', message }) as const);
  return { problems, errors: problems.length, warnings: 0, files: [] } as unknown as SetReport;
}

/** A set that is served, and what differs from the usual. */
export function statusOf(snapshot: Snapshot, values: Partial<CatalogStatus> = {}): CatalogStatus {
  const served = { snapshot, report: reportOf(), since: BEGIN };
  return { ...({ held: undefined, pinned: undefined } as CatalogStatus), served, ...values };
}

/** A set that was refused for these errors. */
export function refused(...messages: string[]): Pick<CatalogStatus, 'attempt'> {
  return { attempt: { outcome: 'failed', time: BEGIN, report: reportOf(...messages) } };
}

/** A clock that the test moves, in seconds. */
function openClock() {
  let now = BEGIN;
  const sleepers = new Set<{ until: number; wake(value?: unknown): void }>();
  return {
    now: () => now,
    sleep: (ms: number, signal: AbortSignal) =>
      new Promise((wake, reject) => {
        // A sender that is closed during an attempt pauses with a signal that has been aborted already.
        if (signal.aborted) return reject(signal.reason);
        const sleeper = { until: now + ms / 1000, wake };
        sleepers.add(sleeper);
        signal.addEventListener('abort', () => {
          sleepers.delete(sleeper);
          reject(signal.reason);
        });
      }),
    /** The pauses in progress, in seconds. */
    pauses: () => Array.from(sleepers, ({ until }) => until - now),
    move(seconds: number) {
      now += seconds;
      for (const sleeper of sleepers) if (sleeper.until <= now && sleepers.delete(sleeper)) sleeper.wake();
    },
  };
}

/** What is announced of a status that the test chooses, from one process after the other. */
export async function openSender(t: TestContext, status: CatalogStatus, urls: Partial<Settings>) {
  const stateDir = await writeFiles(t, {});
  const settings = settingsFrom({ webhookSecret: SECRET, stateDir, ...urls });
  const clock = openClock();
  const state = { status };
  const { messages, ...log } = keepingLog();
  const start = async () => {
    const webhook = await openWebhook(settings, () => state.status, clock, log);
    afterTest(t, webhook.close);
    webhook.notice();
    return {
      ...webhook,
      /** Resolves once everything is taken that is to be sent by now. */
      async idle() {
        // What a moved clock wakes begins to send.
        await turn();
        await until(t, async () => (webhook.health().waiting === 0 ? true : undefined));
      },
      /** Another set than before differs in a price of product 1. */
      show(next: CatalogStatus) {
        const [from, served] = [state.status.served?.snapshot.version, next.served];
        const changes = { summary: '1 price changed', from, tags: ['product-1'] };
        const report = { ...served?.report, changes } as SetReport;
        const isOther = served && served.snapshot.version !== from;
        state.status = isOther ? { ...next, served: { ...served, report } } : next;
        webhook.notice();
      },
    };
  };
  return { start, clock, state, messages, stateDir, path: join(stateDir, 'announced.json') };
}
