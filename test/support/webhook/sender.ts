import { join } from 'node:path';
import type { TestContext } from 'node:test';
import type { CatalogStatus } from '../../../src/live/status.ts';
import type { SetReport } from '../../../src/reader/read-set.ts';
import type { Snapshot } from '../../../src/snapshot/snapshot.ts';
import { openWebhook, type WebhookOptions } from '../../../src/webhook/webhook.ts';
import { afterTest } from '../after-test.ts';
import { type Files, shop, writeFiles } from '../catalogs.ts';
import { startService } from '../service.ts';
import { type Received, SECRET } from './receiver.ts';

export const BEGIN = 1_900_000_000;
const item = (id: number, values: object) => ({
  ...{ id, title: 't', content: 'text', create_time: 1_700_000_000, type_id: 1 },
  ...values,
});
export const scheduled: Files = {
  ...shop,
  'news.json': [item(1, { publish_time: BEGIN + 10 }), item(2, { unpublish_time: BEGIN + 20, type_id: 2 })],
};
const withPrice = (price: string): Files => ({
  ...scheduled,
  'prices.csv': String(scheduled['prices.csv']).replace('19.99', price),
});

export const cheaper = withPrice('1');
/** Without scheduled changes. */
export const unscheduled = ['1', '2', '3'].map(price => ({
  ...shop,
  'prices.csv': String(shop['prices.csv']).replace('19.99', price),
}));

const snapshots = new Map<Files, Promise<Snapshot>>();

/** The snapshot of these files, which is made once. */
export function snapshotOf(t: TestContext, files: Files): Promise<Snapshot> {
  const made =
    snapshots.get(files) ??
    startService(t, files).then(({ services }) => services.catalog.snapshot() as Snapshot);
  snapshots.set(files, made);
  return made;
}

/** A report of a set with these errors. */
export function reportOf(...messages: string[]): SetReport {
  const problems = messages.map(message => ({ file: 'prices.csv', code: 'BAD_ENCODING', message }) as const);
  return { problems, errors: problems.length, warnings: 0, files: [] } as unknown as SetReport;
}

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
        // A sender that is closed during a try pauses with a signal that has been aborted already.
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
export async function openSender(
  t: TestContext,
  status: CatalogStatus,
  urls: Partial<Pick<WebhookOptions, 'chatUrl' | 'webhookUrl'>>,
) {
  const stateDir = await writeFiles(t, {});
  const clock = openClock();
  const state = { status };
  const logged: string[] = [];
  const record = (message: string) => void logged.push(message);
  const log = { info: record, warn: record, error: record };
  const start = async () => {
    const options = { chatUrl: '', webhookUrl: '', webhookSecret: SECRET, stateDir, clock, ...urls };
    const webhook = await openWebhook({ ...options, status: () => state.status }, log);
    afterTest(t, webhook.close);
    webhook.notice();
    return {
      ...webhook,
      /** Another set than before differs in a price of product 1. */
      show(next: CatalogStatus) {
        const [from, to] = [state.status.served?.snapshot.version, next.served?.snapshot.version];
        const { served } = next;
        const changes = { summary: '1 price changed', from, tags: ['product-1'] };
        state.status =
          served && from !== to
            ? { ...next, served: { ...served, report: { ...served.report, changes } as SetReport } }
            : next;
        webhook.notice();
      },
    };
  };
  return { start, clock, state, logged, stateDir, path: join(stateDir, 'announced.json') };
}

/** The type of a webhook, its version and its tags. */
export function summaryOf({ payload: { type, data } }: Received): [string, string | null, ...string[]] {
  return [type.replace('catalog.', ''), data.version, ...[...data.tags].sort()];
}
