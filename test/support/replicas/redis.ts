import { readdirSync, statSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { KEYS } from '../../../src/reads/redis/scripts.ts';
import { freePort } from './free-port.ts';
import { removeDirectory, startProgram, temporaryDirectory } from './programs.ts';

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
  };
  const args = Object.entries(settings).flatMap(([name, value]) => [`--${name}`, String(value)]);
  const start = () => startProgram('redis-server', args, { ready: /Ready to accept connections/ });

  let program = await start();
  const file = appendOnlyFile(dir);
  const size = () => statSync(file).size;
  let samples = [{ time: performance.now(), size: size() }];
  let synced = 0;
  const timer = setInterval(() => {
    samples = [...samples.slice(-200), { time: performance.now(), size: size() }];
  }, SAMPLE_MS);
  const comeBack = async (pauseMs: number) => {
    await delay(pauseMs);
    program = await start();
  };

  return {
    url,
    /** The counts that are stored, by news id. */
    async counts(): Promise<Map<number, number>> {
      const [countsKey = ''] = KEYS;
      const client = new Redis(url);
      const counts = await client.hgetall(countsKey);
      client.disconnect();
      return new Map(Object.entries(counts).map(([id, count]) => [Number(id), Number(count)]));
    },
    /** What is written up to now is on the disk, as after a sync, and will survive a loss of power. */
    sync(): void {
      synced = size();
    },
    /** Is killed, and comes back after a pause with all that it wrote. */
    async crash(pauseMs: number): Promise<void> {
      await program.end('SIGKILL');
      await comeBack(pauseMs);
    },
    /**
     * Loses its power, and with it what was written in the last second, or since the last time; comes back after a
     * pause. Returns how many bytes were lost.
     */
    async losePower(pauseMs: number): Promise<number> {
      const until = performance.now() - LOST_MS;
      await program.end('SIGKILL');
      const before = size();
      const kept = samples.findLast(({ time }) => time <= until) ?? samples[0];
      truncateSync(file, Math.max(kept?.size ?? 0, synced));
      const lost = before - size();
      await comeBack(pauseMs);
      samples = [{ time: performance.now(), size: size() }];
      return lost;
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

/** Redis 7 has several files, of which it writes to the last one; Redis 6 has one. */
function appendOnlyFile(dir: string): string {
  const names = readdirSync(dir, { recursive: true, encoding: 'utf8' });
  const name = names.find(name => /(\.incr\.aof|^appendonly\.aof)$/.test(name));
  if (!name) throw new Error(`${dir} has no append-only file`);
  return join(dir, name);
}
