import { setImmediate as callBack } from './globals.ts';

/** As `setImmediate` of node:timers/promises. */
export function setImmediate(): Promise<void> {
  return new Promise(resolve => callBack(resolve));
}
