// Loaded before a server, it tells on SIGWINCH for how long its event loop has stood still at most since the last time.
// That is a signal which does nothing by itself, and which no server listens to.
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
