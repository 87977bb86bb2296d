import { setTimeout as delay } from 'node:timers/promises';
import type { Deployment } from '../deployment.ts';
import type { Random } from '../numbers.ts';

/** What has gone wrong, for people, and how many answered reads that may cost: none unless said. */
export interface Report {
  text: string;
  atRisk?: number;
}

export type DeployedReplica = Deployment['replicas'][number];

/** Lets something go wrong; when it resolves, that is over. `replica` is where it happens, if at one replica. */
export type Fault = (deployment: Deployment, random: Random, replica: DeployedReplica) => Promise<Report>;

/** How long something lasts, in milliseconds: mostly shorter than requests wait for Redis, and often longer. */
export function spanOf(random: Random): number {
  return Math.round(100 + 600 * random() ** 2);
}

/** Waits for such a time, and says how long it was. */
export async function lasting(random: Random): Promise<string> {
  const ms = spanOf(random);
  await delay(ms);
  return `for ${ms} ms`;
}
