/**
 * Serves a shop through Debian's Varnish, with the configuration and the receiver of the manual, while news items appear and
 * vanish on schedule and its files change. Judges each answer: none may be older than a second after the webhook of a
 * change, and Varnish has to answer 99 % of what was answered before.
 *
 *   npx tsx scripts/verify-cdn.ts [--changes 1000] [--moments 100] [--gap 3] [--reloads 100] [--clients 16]
 *
 * Takes moments times gap seconds. Prints a summary. Exit code 1 if it does not hold.
 */
import { parseArgs } from 'node:util';
import { verifyCdn } from '../test/support/cdn/verify.ts';
import { findProgram } from '../test/support/replicas/find-program.ts';

const number = (value: string) => ({ type: 'string', default: value }) as const;
const { values } = parseArgs({
  options: {
    changes: number('1000'),
    moments: number('100'),
    gap: number('3'),
    reloads: number('100'),
    clients: number('16'),
  },
});
if (!findProgram('varnishd')) throw new Error('varnishd is not installed: apt-get install varnish');
const { requests, repeated, hits, webhooks, stale, latestMs, worstMs } = await verifyCdn({
  changes: Number(values.changes),
  moments: Number(values.moments),
  gap: Number(values.gap),
  reloads: Number(values.reloads),
  clients: Number(values.clients),
});
for (const one of stale.slice(0, 20)) console.log(one);
const rate = (100 * hits) / repeated;
console.log(
  `${requests} requests, ${repeated} for what was answered before: ${rate.toFixed(2)} % hits; ` +
    `${webhooks.scheduled} webhooks of scheduled changes, ${webhooks.reload} of sets, taken at most ${latestMs} ms after the moment; ` +
    `${stale.length} answers too old; the oldest ${worstMs} ms after the webhook`,
);
if (stale.length > 0 || rate < 99) process.exitCode = 1;
