import { randomUUID } from 'node:crypto';
import type { WebhookPayload } from '../contract/webhook.ts';
import { printable, reasonOf } from '../messages.ts';
import { UsageError } from '../settings/read.ts';
import type { Settings } from '../settings/settings.ts';
import { rfc3339 } from '../time-zone.ts';
import { post } from './delivery.ts';

/** `vitrine notify`. @throws UsageError without a URL. Sets the exit code to 1 if a receiver has not taken its example. */
export async function notify(
  { chatUrl, webhookUrl, webhookSecret }: Settings,
  surface: Pick<typeof process, 'exitCode'> & { stdout: { write(text: string): unknown } } = process,
): Promise<void> {
  const now = Date.now() / 1000;
  const data = { version: null, tags: [], changes: 'an example of vitrine notify: nothing changed' };
  const example: WebhookPayload = { type: 'catalog.live', timestamp: rfc3339(now), data };
  const receivers = [
    {
      name: 'CHAT_URL',
      url: chatUrl,
      body: { text: 'Vitrine announces here what happens to the catalogs.' },
    },
    { name: 'WEBHOOK_URL', url: webhookUrl, secret: webhookSecret, body: example },
  ].filter(({ url }) => url !== '');
  if (receivers.length === 0) throw new UsageError('notify: set CHAT_URL or WEBHOOK_URL');
  for (const { name, body, ...receiver } of receivers) {
    const answer = await post(receiver, `msg_${randomUUID()}`, JSON.stringify(body), now).catch(reasonOf);
    const isTaken = typeof answer === 'object' && answer.status >= 200 && answer.status <= 299;
    const what = typeof answer === 'object' ? `${answer.status} ${printable(answer.text)}`.trim() : answer;
    surface.stdout.write(`${name} (${new URL(receiver.url).host}): ${what}\n`);
    if (!isTaken) surface.exitCode = 1;
  }
}
