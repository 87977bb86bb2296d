import { setTimeout as delay } from 'node:timers/promises';
import { pickSome, type Random } from '../numbers.ts';
import type { RedisProxy } from '../proxy.ts';
import { type Fault, lasting } from './fault.ts';

/** For how long requests gather that arrive late, in milliseconds. */
const GATHER_MS = 100;

/** What happens to the connections of some replicas for a while: `begin` lets it, and returns what ends it. */
function network(what: string, begin: (proxy: RedisProxy, random: Random) => () => unknown): Fault {
  return async ({ replicas }, random) => {
    const concerned = pickSome(replicas, random);
    const ends = concerned.map(({ proxy }) => begin(proxy, random));
    const howLong = await lasting(random);
    for (const end of ends) await end();
    return { text: `${what}, ${concerned.map(({ name }) => name).join(', ')}, ${howLong}` };
  };
}

export const refuse = network('connections are refused', proxy => {
  proxy.refuse();
  return proxy.accept;
});

/** Connections break in the middle of a reply. */
export const cutReplies = network('replies are cut', (proxy, random) => {
  proxy.cutReplies(length => (random() < 0.3 ? Math.floor(random() * length) : undefined));
  return () => proxy.cutReplies(undefined);
});

/** Connections break before a reply, so that what Redis has done is asked of it again. */
export const loseReplies = network('connections break instead of replies', (proxy, random) => {
  proxy.cutReplies(() => (random() < 0.5 ? 0 : undefined));
  return () => proxy.cutReplies(undefined);
});

/** Nothing arrives anywhere, and then everything. */
export const blackhole = network('nothing arrives', proxy => proxy.hold('requests', 'replies'));

/** Redis does what it is asked, and all that it says is late. */
export const holdReplies = network('replies are late', proxy => proxy.hold('replies'));

/** Redis does what it is asked, and nobody hears of it. */
export const swallowReplies = network('replies vanish', proxy => {
  const release = proxy.hold('replies');
  return () => {
    proxy.cut();
    release();
  };
});

/** Every round trip takes 150 ms longer. */
export const slow = network('round trips take 150 ms', proxy => {
  proxy.delay(150);
  return () => proxy.delay(0);
});

/** The line is as slow as a modem's. */
export const throttle = network('the line carries 3 bytes per ms', proxy => {
  proxy.throttle(3);
  return () => proxy.throttle(Number.POSITIVE_INFINITY);
});

/** Requests arrive after those that their sender has made on another connection since. */
export const late: Fault = async ({ replicas }, random) => {
  const concerned = pickSome(replicas, random);
  const releases = concerned.map(({ proxy }) => proxy.hold('requests'));
  await delay(GATHER_MS);
  for (const { proxy } of concerned) {
    proxy.renew();
    proxy.cut();
  }
  const howLong = await lasting(random);
  for (const release of releases) release();
  return { text: `requests are overtaken, ${concerned.map(({ name }) => name).join(', ')}, ${howLong}` };
};
