import { join } from 'node:path';
import type { TestContext } from 'node:test';
import type { Snapshot } from '../../../src/snapshot/snapshot.ts';
import { openWebhook } from '../../../src/webhook/webhook.ts';
import { afterTest } from '../after-test.ts';
import { type Files, shop, writeFiles } from '../catalogs.ts';
import { startService } from '../service.ts';
import { type Received, SECRET } from './receiver.ts';

export const BEGIN = 1_900_000_000;
export const item = (id: number, values: object) => ({
  ...{ id, title: 't', content: 'text', create_time: 1_700_000_000, type_id: 1 },
  ...values,
});
export const scheduled: Files = {
  ...shop,
  'news.json': [item(1, { publish_time: BEGIN + 10 }), item(2, { unpublish_time: BEGIN + 20, type_id: 2 })],
};

export async function snapshotOf(t: TestContext, files: Files): Promise<Snapshot> {
  const { services } = await startService(t, files);
  return services.catalog.snapshot() as Snapshot;
}

/** The webhooks of a set that the test chooses, at a time that it chooses, from one process after the other. */
export async function openSender(t: TestContext, set: Snapshot, url: string) {
  const stateDir = await writeFiles(t, {});
  const clock = { now: BEGIN };
  const served = { set };
  const logged: string[] = [];
  const record = (message: string) => void logged.push(message);
  const log = { info: record, warn: record, error: record };
  const start = async () => {
    const snapshot = () => served.set;
    const webhook = await openWebhook({ url, secret: SECRET, stateDir, snapshot, now: () => clock.now }, log);
    afterTest(t, webhook.close);
    webhook.notice('reload');
    return webhook;
  };
  return { start, clock, served, logged, path: join(stateDir, 'webhooks.json') };
}

/** What a webhook says. */
export const dataOf = ({ payload }: Received) => payload.data;
