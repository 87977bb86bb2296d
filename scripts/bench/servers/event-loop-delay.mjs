// Preloaded into a server: on SIGWINCH, which servers ignore, it prints the longest stop of the event loop since the last one.
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { isMainThread } from 'node:worker_threads';

if (isMainThread) {
  const delay = monitorEventLoopDelay({ resolution: 1 });
  delay.enable();
  process.on('SIGWINCH', () => {
    process.stderr.write(`${JSON.stringify({ longestStopMs: delay.max / 1e6 })}\n`);
    delay.reset();
  });
}
