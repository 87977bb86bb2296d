// Globals of Node that the catalog code and its packages use.

export { Buffer } from 'buffer/';

const channel = new MessageChannel();
const queue: (() => void)[] = [];
channel.port1.onmessage = () => queue.shift()?.();

/** Calls back in a later turn of the event loop. Timers would wait for 4 ms. */
export function setImmediate<Args extends unknown[]>(callback: (...args: Args) => void, ...args: Args): void {
  queue.push(() => callback(...args));
  channel.port2.postMessage(undefined);
}
