import type { Machine } from './machine.ts';
import type { MemoryResult } from './parts/memory.ts';
import type { MetricsResult } from './parts/metrics.ts';
import type { ReloadResult } from './parts/reload.ts';
import type { RequestResult } from './parts/requests.ts';
import type { SearchResult } from './parts/search.ts';
import type { StartResult } from './parts/start.ts';

/** All that a run of the bench has found, as it is written to its JSON file. */
export interface Results {
  /** When it began, in UTC. */
  date: string;
  isQuick: boolean;
  machine: Machine;
  /** What the servers are that were chosen, by their names. */
  servers: Record<string, string>;
  /** Why some were left out, a sentence each. */
  omissions: string[];
  requests: RequestResult[];
  metrics: MetricsResult[];
  search: SearchResult[];
  starts: StartResult[];
  memory: MemoryResult[];
  reload: ReloadResult[];
}

/** Every answer that was not as expected, with where it came. */
export function failuresIn({ requests, reload }: Results): string[] {
  return [
    ...requests.flatMap(({ failures, ...where }) =>
      failures.map(failure => `${where.server}, ${where.case}, ${where.size} news: ${failure}`),
    ),
    ...reload.flatMap(({ what, failures }) => failures.map(failure => `${what}: ${failure}`)),
  ];
}
