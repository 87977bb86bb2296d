import { pickSome } from '../numbers.ts';
import { COUNTS_KEY } from '../redis.ts';
import { type Fault, spanOf } from './fault.ts';

/** Redis loses some of the keys, or all, as one that evicts them. */
export const loseKeys: Fault = ({ redis }, random) =>
  redis().ask(async client => {
    const keys = await client.keys('vitrine:{reads}:*');
    const lost = pickSome(keys.sort(), random);
    if (lost.length > 0) await client.del(...lost);
    return { text: `Redis loses ${lost.join(' and ')}` };
  });

/** Redis loses some fields of the counts, or all. */
export const loseFields: Fault = ({ redis }, random) =>
  redis().ask(async client => {
    const fields = await client.hkeys(COUNTS_KEY);
    const lost = pickSome(fields.sort(), random);
    if (lost.length > 0) await client.hdel(COUNTS_KEY, ...lost);
    return { text: `Redis loses ${lost.length} of ${fields.length} fields: ${lost.join(', ')}` };
  });

/** Redis forgets everything while it runs. */
export const flush: Fault = async ({ redis }) => {
  await redis().ask(client => client.flushall());
  return { text: 'Redis is emptied' };
};

/** Redis comes back with an empty directory, as a container without its volume. */
export const loseDisk: Fault = async ({ redis }, random) => {
  await redis().loseEverything(spanOf(random));
  return { text: 'Redis loses its disk' };
};

/** Redis comes back with what it had some seconds ago, as from a backup. */
export const restoreOld: Fault = async ({ redis }, random) => {
  const lostMs = Math.round(2000 + 6000 * random());
  const bytes = await redis().losePower(spanOf(random), lostMs);
  return { text: `Redis is restored as it was ${lostMs} ms ago, without ${bytes} bytes` };
};
