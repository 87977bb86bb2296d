/**
 * CPU time in milliseconds: the most that passed between two rounds of the event loop, and all of it. A clock would
 * count what other processes do meanwhile.
 */
export interface Timing {
  stop: number;
  total: number;
}

/** Runs something, and measures it. */
export async function timingOf(run: () => unknown): Promise<Timing> {
  const start = cpuTime();
  let [last, stop, isOver] = [start, 0, false];
  const round = () => {
    const now = cpuTime();
    stop = Math.max(stop, now - last);
    last = now;
    if (!isOver) setImmediate(round);
  };
  const running = run();
  round();
  await running;
  isOver = true;
  round();
  return { stop, total: cpuTime() - start };
}

function cpuTime(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}
