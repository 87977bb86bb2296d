import { randomUUID } from 'node:crypto';
import type { WebhookPayload } from '../contract/webhook.ts';
import { printable, reasonOf } from '../messages.ts';
import { UsageError } from '../settings/read.ts';
import type { Settings } from '../settings/settings.ts';
import { rfc3339 } from '../time-zone.ts';
import { post, refusalOf } from '../webhook/webhook.ts';

/** `vitrine notify`: sends an example to each receiver, and fails if one refuses it. @throws UsageError if there is none. */
export async function notify(
  { chatUrl, webhookUrl, webhookSecret: secret }: Settings,
  { print, fail }: { print(text: string): void; fail(): void },
): Promise<void> {
  if (chatUrl === '' && webhookUrl === '') throw new UsageError('notify: set CHAT_URL or WEBHOOK_URL');
  const now = Date.now() / 1000;
  const text = 'Vitrine announces here what happens to the catalogs.';
  const data = { version: null, tags: [] };
  const payload: WebhookPayload = { type: 'catalog.test', timestamp: rfc3339(now), data };
  for (const [name, receiver, body] of [
    ['CHAT_URL', { url: chatUrl }, { text }],
    ['WEBHOOK_URL', { url: webhookUrl, secret }, payload],
  ] as const) {
    if (receiver.url === '') continue;
    const sent = post(receiver, `msg_${randomUUID()}`, JSON.stringify(body), now);
    const answer = await sent.catch(error => ({ status: 0, text: reasonOf(error) }));
    const shown = `${answer.status || ''} ${printable(answer.text)}`.trim();
    print(`${name} (${new URL(receiver.url).host}): ${shown}\n`);
    if (refusalOf(answer)) fail();
  }
}
