import { executionAsyncResource } from 'node:async_hooks';

/**
 * Keeps one of Node's records of `process.nextTick` alive. When V8 tidies up after some idle seconds and finds none, it
 * forgets what such records look like and never learns it as well again: each `nextTick` then takes ten times as long,
 * and each request, which has four of them, a sixth longer.
 */
export function keepTickClass(): void {
  process.nextTick(() => {
    kept[0] = executionAsyncResource();
  });
}

const kept: object[] = [];
