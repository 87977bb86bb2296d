import { readdirSync, rmSync, statSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { freePort } from './free-port.ts';
import { removeDirectory, startProgram, temporaryDirectory } from './programs.ts';

/** Where the counts are: a hash of a row for each news item. */
export const COUNTS_KEY = 'vitrine:{reads}:counts';
/** How much a Redis that syncs every second loses with its power, in milliseconds. */
const LOST_MS = 1000;
const SAMPLE_MS = 50;

export type RedisServer = Awaited<ReturnType<typeof startRedis>>;

/** Starts a Redis on a free port of the loopback that writes its append-only file to a directory of its own. */
export async function startRedis() {
  const dir = temporaryDirectory();
  const port = await freePort();
  const url = `redis://127.0.0.1:${port}`;
  const settings = {
    port,
    bind: '127.0.0.1',
    dir,
    save: '',
    appendonly: 'yes',
    appendfsync: 'everysec',
    'auto-aof-rewrite-percentage': 0,
    'aof-load-truncated': 'yes',
    'repl-diskless-sync-delay': 0,
  };
  const args = Object.entries(settings).flatMap(([name, value]) => [`--${name}`, String(value)]);
  const start = () => startProgram('redis-server', args, { ready: /Ready to accept connections/ });

  let program = await start();
  const size = () => sizeOf(appendOnlyFile(dir));
  let samples = [{ time: performance.now(), size: size() }];
  let synced = 0;
  const timer = setInterval(() => {
    samples = [...samples.slice(-200), { time: performance.now(), size: size() }];
  }, SAMPLE_MS);
  /** Comes back after a pause, with other files. */
  const comeBack = async (pauseMs: number) => {
    await delay(pauseMs);
    program = await start();
    samples = [{ time: performance.now(), size: size() }];
  };
  /** Calls a function with a connection of its own. */
  const ask = async <Result>(use: (client: Redis) => Promise<Result>): Promise<Result> => {
    const client = new Redis(url);
    try {
      return await use(client);
    } finally {
      client.disconnect();
    }
  };

  return {
    url,
    port,
    ask,
    /** The counts that are stored, by news id. */
    async counts(): Promise<Map<number, number>> {
      const rows = Object.entries(await ask(client => client.hgetall(COUNTS_KEY)));
      // Other fields are not those of news items.
      const items = rows.filter(([field]) => Number(field) > 0);
      return new Map(items.map(([id, row]) => [Number(id), countOf(row)]));
    },
    /** What is written up to now is on the disk, as after a sync, and will survive a loss of power. */
    sync(): void {
      synced = size();
    },
    /** Is killed, and comes back after a pause with all that it wrote. */
    async crash(pauseMs: number): Promise<void> {
      await program.end('SIGKILL');
      await delay(pauseMs);
      program = await start();
    },
    /**
     * Loses its power, and with it what was written in the last second (or so long), or since the last time; comes back
     * after a pause. Returns how many bytes were lost.
     */
    async losePower(pauseMs: number, lostMs = LOST_MS): Promise<number> {
      const until = performance.now() - lostMs;
      await program.end('SIGKILL');
      const before = size();
      const kept = samples.findLast(({ time }) => time <= until) ?? samples[0];
      const path = appendOnlyFile(dir);
      if (path) truncateSync(path, Math.min(before, Math.max(kept?.size ?? 0, synced)));
      const lost = before - size();
      await comeBack(pauseMs);
      return lost;
    },
    /** Is killed, and comes back after a pause with nothing. */
    async loseEverything(pauseMs: number): Promise<void> {
      await program.end('SIGKILL');
      for (const name of readdirSync(dir)) rmSync(join(dir, name), { recursive: true });
      synced = 0;
      await comeBack(pauseMs);
    },
    async freeze(ms: number): Promise<void> {
      program.signal('SIGSTOP');
      await delay(ms);
      program.signal('SIGCONT');
    },
    async stop(): Promise<void> {
      clearInterval(timer);
      await program.end('SIGKILL');
      removeDirectory(dir);
    },
  };
}

/** The count in a row `BASE[/VERSION] COLUMN=N …`: its base and its columns together. */
export function countOf(row: string): number {
  const [base = '', ...columns] = row.split(' ');
  const count = columns.reduce(
    (count, column) => count + Number(column.split('=')[1]),
    Number(base.split('/')[0]),
  );
  if (!Number.isSafeInteger(count)) throw new Error(`this is no row of counts: ${row}`);
  return count;
}

/** Redis 7 has several files, of which it writes to the last one; Redis 6 has one. */
function appendOnlyFile(dir: string): string | undefined {
  const names = readdirSync(dir, { recursive: true, encoding: 'utf8' });
  const name = names
    .filter(name => /(\.incr\.aof|^appendonly\.aof)$/.test(name))
    .sort((one, other) => numberOf(one) - numberOf(other))
    .at(-1);
  return name && join(dir, name);
}

function numberOf(name: string): number {
  return Number(/\.(\d+)\.incr/.exec(name)?.[1] ?? 0);
}

function sizeOf(path: string | undefined): number {
  return (path && statSync(path, { throwIfNoEntry: false })?.size) || 0;
}
