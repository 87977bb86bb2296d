import { randomUUID } from 'node:crypto';
import type { WebhookPayload } from '../contract/webhook.ts';
import { printable, reasonOf } from '../messages.ts';
import { UsageError } from '../settings/read.ts';
import type { Settings } from '../settings/settings.ts';
import { rfc3339 } from '../time-zone.ts';
import { post } from './delivery.ts';

/** `vitrine notify`. Fails if a receiver has not taken its example. @throws UsageError without a URL. */
export async function notify(
  { chatUrl, webhookUrl, webhookSecret: secret }: Settings,
  { print, fail }: { print(text: string): void; fail(): void },
): Promise<void> {
  const now = Date.now() / 1000;
  const text = 'Vitrine announces here what happens to the catalogs.';
  const data = { version: null, tags: [] };
  const payload: WebhookPayload = { type: 'catalog.test', timestamp: rfc3339(now), data };
  if (chatUrl === '' && webhookUrl === '') throw new UsageError('notify: set CHAT_URL or WEBHOOK_URL');
  const send = async (name: string, url: string, body: object, secret?: string) => {
    if (url === '') return;
    const sent = post({ url, ...(secret && { secret }) }, `msg_${randomUUID()}`, JSON.stringify(body), now);
    const { status, text } = await sent.catch(error => ({ status: 0, text: reasonOf(error) }));
    const answer = `${status || ''} ${printable(text)}`.trim();
    print(`${name} (${new URL(url).host}): ${answer}\n`);
    if (status < 200 || status > 299) fail();
  };
  await send('CHAT_URL', chatUrl, { text });
  await send('WEBHOOK_URL', webhookUrl, payload, secret);
}
