import type { MemoryResult } from './parts/memory.ts';
import type { RequestResult } from './parts/requests.ts';
import type { StartResult } from './parts/start.ts';

/** The content of results.json. */
export interface Results {
  /** The start of the run, in UTC. */
  date: string;
  /** The machine, and the versions of everything that is measured. */
  machine: string;
  servers: string[];
  requests: RequestResult[];
  starts: StartResult[];
  memory: MemoryResult[];
}

/** Every unexpected answer, and where it came. */
export function failuresIn({ requests }: Results): string[] {
  return requests.flatMap(({ server, case: name, size, failures }) =>
    failures.map(failure => `${server}, ${name}, ${size} news items: ${failure}`),
  );
}
