import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { request } from 'undici';
import { isStale } from '../../../scripts/stale.mjs';
import { environmentName } from '../../../src/settings/read.ts';
import { type SettingName, type Settings, settingNames } from '../../../src/settings/settings.ts';
import { followAnswers } from './at-risk.ts';
import { freePort } from './free-port.ts';
import { type Program, removeDirectory, startProgram, temporaryDirectory } from './programs.ts';

/** What node is told to run: the build where it is up to date, or else the sources that it is made of. */
export const vitrine = isStale() ? fromSource('../../../src/main.ts') : [pathOf('../../../dist/main.js')];

/** How long a process may take to start or to stop, in milliseconds. */
const END_MS = 120_000;

/** A process of a replica, from its start to its end. */
export interface Instance {
  /** What has been done to end it. */
  ending: 'stop' | 'kill' | undefined;
}

export type Replica = Awaited<ReturnType<typeof startReplica>>;

/** Starts a process that serves the sample catalogs on a free port of the loopback, with a state directory of its own. */
export async function startReplica(name: string, settings: Partial<Settings>, args = vitrine) {
  const stateDir = temporaryDirectory();
  const port = await freePort();
  const address = `http://127.0.0.1:${port}`;
  const catalogs = { catalogDir: pathOf('../../../data/catalog'), imagesDir: pathOf('../../../data/images') };
  const env = environmentWith({ port, stateDir, ...catalogs, ...settings });
  const answered = followAnswers(stateDir);
  let sentAgain = 0;
  let outages = 0;
  const onLine = (line: string) => {
    sentAgain += Number(/Redis (?:lacked|lost) (\d+) (?:reads?|acknowledged)/.exec(line)?.[1] ?? 0);
    if (line.includes('cannot count in Redis')) outages += 1;
  };
  const launch = (clockDays = 0) => {
    const preload = clockDays === 0 ? [] : ['--import', import.meta.resolve('./shifted-clock.mjs')];
    return startProgram(process.execPath, [...preload, ...args], {
      ready: /listening on http/,
      onLine,
      env: { ...env, CLOCK_DAYS: String(clockDays) },
    });
  };

  let program: Program = await launch();
  let instance: Instance = { ending: undefined };
  let saved = 0;
  return {
    name,
    address,
    answered,
    instance: () => instance,
    /** How many reads it has sent again, since Redis lacked them. */
    sentAgain: () => sentAgain,
    /** How many times Redis did not answer in time, so that values were estimates for a while. */
    outages: () => outages,
    async terminate(): Promise<void> {
      instance.ending = 'stop';
      await within(END_MS, `${name} does not stop`, program.end('SIGTERM'));
    },
    async kill(): Promise<void> {
      instance.ending = 'kill';
      await program.end('SIGKILL');
      saved = answered.saved();
    },
    /**
     * Starts it again where it was, with a clock that is off by so many days. Returns how many answered reads may have
     * been lost with it.
     */
    async restart(clockDays = 0): Promise<number> {
      program = await within(END_MS, `${name} does not start`, launch(clockDays));
      const atRisk = instance.ending === 'kill' ? answered.answers() - saved : 0;
      answered.begin();
      instance = { ending: undefined };
      return atRisk;
    },
    /** The `read` of each of the first news items in a list. */
    async shown(limit: number): Promise<Map<number, number>> {
      const { body } = await request(`${address}/api/news?limit=${limit}`);
      const { data } = Object(await body.json());
      return new Map(data.list.map(({ id, read }: { id: number; read: number }) => [id, read]));
    },
    /** Why it is not to be left alone yet; undefined where all is well and nothing left to be saved. */
    async trouble(): Promise<string | undefined> {
      const { body } = await request(`${address}/health`);
      const { status, reasons, reads } = Object(await body.json()).data;
      if (status === 'ok' && reads.unsaved === 0) return undefined;
      return `${name} has ${reads.unsaved} reads to save: ${reasons.join(', ')}`;
    },
    async stop(): Promise<void> {
      answered.stop();
      await program.end('SIGKILL');
      removeDirectory(stateDir);
    },
  };
}

async function within<Result>(ms: number, otherwise: string, result: Promise<Result>): Promise<Result> {
  const timer = new AbortController();
  const limit = delay(ms, undefined, { signal: timer.signal }).then(() => {
    throw new Error(`${otherwise} within ${ms} ms`);
  });
  limit.catch(() => {});
  return Promise.race([result, limit]).finally(() => timer.abort());
}

/** What node is told to run a source, which is given by its path from here. */
export function fromSource(path: string): string[] {
  return ['--import', import.meta.resolve('tsx'), pathOf(path)];
}

function pathOf(path: string): string {
  return fileURLToPath(new URL(path, import.meta.url));
}

/** The environment with these settings, and without those that somebody's shell may have in it. */
function environmentWith(settings: Partial<Settings>): NodeJS.ProcessEnv {
  const env = { ...process.env };
  for (const name of settingNames) delete env[environmentName(name)];
  for (const [name, value] of Object.entries(settings)) {
    env[environmentName(name as SettingName)] = String(value);
  }
  return env;
}
