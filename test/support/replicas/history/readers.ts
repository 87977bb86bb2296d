import { setTimeout as delay } from 'node:timers/promises';
import { Pool } from 'undici';
import type { Deployment } from '../deployment.ts';
import type { Read } from './linearizable.ts';

/** How many connections there are to each replica. */
const CONNECTIONS = 100;

export type Readers = ReturnType<typeof openReaders>;

/** Reads that were made together, and whether Redis answered all the while, so that no value is an estimate. */
export interface Round {
  reads: Read[];
  isJudged: boolean;
}

/** Reads news from all replicas at once, and tells the values and the times. */
export function openReaders({ replicas, settle }: Deployment) {
  const pools = replicas.map(({ address }) => new Pool(address, { connections: CONNECTIONS }));

  const read = async (pool: Pool, id: number): Promise<Read> => {
    const start = performance.now();
    const { statusCode, body } = await pool.request({ path: `/api/news/${id}`, method: 'GET' });
    const text = await body.text();
    const end = performance.now();
    if (statusCode !== 200) throw new Error(`${statusCode} ${text}`);
    return { id, value: JSON.parse(text).data.read, start, end };
  };
  const outages = () => replicas.reduce((sum, replica) => sum + replica.outages(), 0);
  /** Begins with replicas that are well. */
  const round = async (readAll: () => Promise<Read[]>): Promise<Round> => {
    while ((await Promise.all(replicas.map(replica => replica.trouble()))).some(Boolean)) await settle();
    const before = outages();
    const reads = await readAll();
    // What a replica has logged before its answers has arrived after these.
    await Promise.all(replicas.map(replica => replica.trouble()));
    await delay(10);
    return { reads, isJudged: outages() === before };
  };

  return {
    /** So many reads of a news item at once, at each replica. */
    burst: (id: number, count: number): Promise<Round> =>
      round(() => Promise.all(pools.flatMap(pool => Array.from({ length: count }, () => read(pool, id))))),
    /** For so long, clients of each replica that read the news in turn, one read after the other. */
    stream: (ids: number[], clients: number, ms: number, restMs = 0): Promise<Round> =>
      round(async () => {
        const end = performance.now() + ms;
        const reads: Read[] = [];
        const client = async (pool: Pool, first: number) => {
          for (let turn = first; performance.now() < end; turn += 1) {
            reads.push(await read(pool, ids[turn % ids.length] ?? 0));
            if (restMs > 0) await delay(Math.random() * restMs);
          }
        };
        await Promise.all(
          pools.flatMap(pool => Array.from({ length: clients }, (_, index) => client(pool, index))),
        );
        return reads;
      }),
    async close(): Promise<void> {
      await Promise.all(pools.map(pool => pool.destroy()));
    },
  };
}
