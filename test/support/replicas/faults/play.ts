import { type Deployment, lostAndExtra } from '../deployment.ts';
import { aWhile } from '../numbers.ts';
import type { Report } from './fault.ts';
import type { Step } from './plan.ts';

/** Between two faults, at most. */
const PAUSE_MS = 150;

/** What has come of some faults, and what may have. */
export interface Outcome {
  lost: number;
  atRisk: number;
  extra: number;
  unanswered: number;
  /** What must not happen at all. */
  faults: string[];
}

/** Whether an outcome is what is promised. */
export function isKept({ lost, atRisk, extra, unanswered, faults }: Outcome): boolean {
  return lost <= atRisk && extra <= unanswered && faults.length === 0;
}

/**
 * Lets faults happen while news are read, and compares answers and counts when all is well again. `before` are the
 * differences that there were. Rejects if the replicas do not become well.
 */
export async function play(
  deployment: Deployment,
  steps: Step[],
  onReport: (report: Report) => void,
): Promise<Outcome> {
  const { clients, redis, settle, differences, misshown } = deployment;
  const before = await differences();
  const unanswered = clients.unanswered();
  // What a loss of Redis takes with it is of these faults alone.
  redis().sync();
  clients.resume();
  const atRisk = await run(deployment, steps, onReport);
  await aWhile(300);
  await settle();
  return {
    ...lostAndExtra(await differences(), before),
    atRisk,
    unanswered: clients.unanswered() - unanswered,
    faults: [...clients.faults(), ...(await misshown())],
  };
}

/** Lets the faults happen, and returns how many answered reads that may have cost. */
async function run(deployment: Deployment, steps: Step[], onReport: (report: Report) => void) {
  const meanwhile = new Map<number, Promise<void>>();
  let atRisk = 0;
  const happen = async ({ fault, random, replica: index }: Step) => {
    const replica = deployment.replicas[index];
    if (!replica) throw new Error(`there is no replica ${index}`);
    const report = await fault(deployment, random, replica);
    atRisk += report.atRisk ?? 0;
    onReport(report);
  };
  try {
    for (const step of steps) {
      await aWhile(PAUSE_MS);
      if (step.kind === 'process') {
        const last = meanwhile.get(step.replica) ?? Promise.resolve();
        const next = last.then(() => happen(step));
        next.catch(() => {}); // It is awaited below.
        meanwhile.set(step.replica, next);
        continue;
      }
      if (step.kind === 'alone') await Promise.all(meanwhile.values());
      await happen(step);
    }
  } finally {
    // Nothing goes on after a failure.
    await Promise.allSettled(meanwhile.values());
  }
  await Promise.all(meanwhile.values());
  return atRisk;
}
