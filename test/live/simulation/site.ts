import assert from 'node:assert/strict';
import type { Clock } from '../../../src/clock.ts';
import { type Fs, syncDirectory, writeWhole } from '../../../src/files/atomic-write.ts';
import { listEntries } from '../../../src/history/entries.ts';
import { catalogReasons } from '../../../src/http/endpoints/health.ts';
import { type LiveCatalog, openLiveCatalog } from '../../../src/live/live.ts';
import { openLiveHistory } from '../../../src/live/live-history.ts';
import { logStatus } from '../../../src/live/status.ts';
import { settingsFrom } from '../../../src/settings/read.ts';
import { chatText, eventOf } from '../../../src/webhook/announce.ts';
import { openWebhook, type Webhook } from '../../../src/webhook/webhook.ts';
import { type SimulatedDisk, simulateDisk } from '../../support/simulated-disk.ts';
import { simulateClock } from '../../support/simulated-time.ts';
import { SECRET } from '../../webhook/receiver.ts';
import { type Content, FILE, isDrastic, simulateReaders, textOf, versionOf } from './simulated-readers.ts';

export const catalogDir = '/catalog';
export const imagesDir = '/images';
export const stateDir = '/state';
export const history = `${stateDir}/history`;
const settings = settingsFrom({
  ...{ catalogDir, stateDir, imagesDir, reloadPollMs: 2_000, reloadQuietMs: 300 },
  ...{ webhookUrl: 'http://127.0.0.1/hook', chatUrl: 'http://127.0.0.1/chat', webhookSecret: SECRET },
});

/** What operations on these paths come to while the fault lasts; operations of every kind unless some are named. */
export interface DiskFault {
  path: RegExp;
  kinds?: readonly (keyof Fs)[];
  /** The error that each fails with; or how long each takes, in ms. */
  code: string | number;
}

type Deliver = (to: { url: string }, id: string, body: string) => Promise<{ status: number; text: string }>;

/** What a planted fault replaces. */
export interface Parts {
  fs: Fs;
  readers: ReturnType<typeof simulateReaders>;
  history: ReturnType<typeof openLiveHistory>;
  deliver: Deliver;
}

export type Site = ReturnType<typeof openSite>;

/**
 * A site over a disk, a clock and readers that are simulated, with one process of the service at a time. It fails as soon
 * as a set is served that never was accepted, or before it is in the history.
 */
export function openSite(random: () => number, plant: (parts: Parts) => void = () => {}) {
  const happened: string[] = [];
  const clock = simulateClock();
  let disk: SimulatedDisk = simulateDisk({}, [], () => Math.floor(clock.now() * 1000));
  const faults = new Set<DiskFault>();
  const note = (line: string) => void happened.push(`${clock.ms() / 1000} ${line}`);

  /** Every set that was saved, by its version; and those of them that were served, and confirmed. */
  const saved = new Map<string, Content>();
  const confirmed = new Set<string>();
  const everServed = new Set<string>();
  /** The versions that are in the history for sure. */
  const kept = new Set<string>();
  /** What each receiver took last, by its address. */
  const heard = new Map<string, string>();
  let lastServed: Content | undefined;
  let process: ReturnType<typeof run> | undefined;
  const state = {
    onDisk: undefined as Content | undefined,
    /** How many deliveries fail from now on. */
    failures: 0,
    /** Whether what was announced may not have been written down. */
    isForgotten: false,
    /** Whether the history may lack what was served. */
    isHistoryLost: false,
  };

  const deliver: Deliver = async ({ url }, _id, body) => {
    await clock.sleep(50, undefined, true);
    state.failures -= 1;
    if (state.failures >= 0) return { status: 500, text: '' };
    heard.set(url, body);
    return { status: 200, text: '' };
  };
  const write = async (path: string, text: string) => {
    const dir = path.slice(0, path.lastIndexOf('/'));
    await disk.mkdir(dir);
    await writeWhole(disk, path, text);
    await syncDirectory(disk, dir);
  };
  const remove = async (path: string) => {
    await disk.rm(path, { recursive: true, force: true });
    await syncDirectory(disk, stateDir).catch(() => {});
  };
  const save = async (content: Content) => {
    if (content.isGood) saved.set(versionOf(content), content);
    state.onDisk = content;
    await write(`${catalogDir}/${FILE}`, textOf(content));
  };

  /** The disk as one process sees it, which hangs once it is killed. */
  const openFs = (hang: () => Promise<unknown> | undefined): Fs => {
    const through =
      (kind: keyof Fs) =>
      async (path: string, ...others: unknown[]) => {
        await hang();
        const befalls = ({ path: paths, kinds = [kind] }: DiskFault) =>
          paths.test(path) && kinds.includes(kind);
        const { code } = [...faults].find(befalls) ?? {};
        if (typeof code === 'number') await clock.sleep(code, undefined, true).then(hang);
        else if (code) throw Object.assign(new Error(`${code}: ${path}`), { code });
        return (disk[kind] as (...all: unknown[]) => unknown)(path, ...others);
      };
    return { ...new Proxy<Fs>(disk, { get: (_, kind) => through(kind as keyof Fs) }) };
  };

  const run = () => {
    note('start');
    let isAlive = true;
    /** Nothing comes to an end in a process that was killed. */
    const hang = () => (isAlive ? undefined : new Promise<never>(() => {}));
    const fs = openFs(hang);
    const sleep: Clock['sleep'] = (ms, signal) => clock.sleep(ms, signal, true).finally(hang);
    const own = { ...clock, sleep };
    const log = { info: note, warn: note, error: note };
    const opening = Promise.resolve({ mayWrite: async () => true });
    const liveHistory = openLiveHistory(settings, opening, log, { clock: own, fs });
    const parts: Parts = {
      fs,
      readers: simulateReaders(settings, { clock: own, fs }, random),
      history: {
        ...liveHistory,
        async keep(next, loader) {
          await liveHistory.keep(next, loader);
          kept.add(next.version);
        },
      },
      deliver: (...message) => deliver(...message).finally(hang),
    };
    plant(parts);
    const say = logStatus(log);
    let isLoaded = false;
    let webhook: Webhook | undefined;
    const world = { clock: own, fs: parts.fs, deliver: parts.deliver };
    const opened = openWebhook(settings, () => live.status(), log, world).then(to => (webhook = to));
    const notice = () => void opened.then(to => to.notice());
    const live: LiveCatalog = openLiveCatalog(
      settings,
      {
        ...settings,
        onStatus: (event, status) => {
          say(event, status);
          const version = status.served?.snapshot.version;
          if (event === 'loaded' && faults.size === 0)
            assert.ok(kept.has(String(version)), `${version} is served before it is in the history`);
          check(version, status.pinned !== undefined);
          if (isLoaded && event !== 'rolledBack' && event !== 'unpinned') notice();
        },
        beforeServed: async next => (await opened).remember(next),
      },
      log,
      { ...parts, clock: own, changeEvents: () => ({ renew() {}, async close() {} }) },
    );
    let failure: unknown;
    const onLoaded = () => {
      isLoaded = true;
      notice();
    };
    live.loaded.then(onLoaded, error => (failure = error));
    return {
      live,
      reasons: () => [
        ...catalogReasons(live.status(), clock.now()),
        ...(webhook?.health().reasons.filter(reason => !reason.startsWith('webhooks to')) ?? []),
      ],
      close: () => Promise.all([live.close(), opened.then(to => to.close())]),
      failure: () => failure,
      kill() {
        isAlive = false;
      },
    };
  };

  let servedVersion: string | undefined;
  /** What is served is one of the good sets that were saved, and no drastic one that nobody has confirmed. */
  const check = (version: string | undefined, isPinned: boolean) => {
    if (version === undefined || version === servedVersion) return;
    servedVersion = version;
    const content = saved.get(version) ?? assert.fail(`version ${version} was never saved`);
    const isKnown = isPinned || everServed.has(version) || confirmed.has(version) || state.isHistoryLost;
    if (lastServed && !isKnown)
      assert.ok(!isDrastic(lastServed, content), `drastic version ${version} went live`);
    everServed.add(version);
    lastServed = content;
  };
  const status = () => process?.live.status();
  const pass = async (ms: number) => {
    for (let left = ms; left > 0; left -= 1_000) {
      await clock.pass(Math.min(left, 1_000));
      const found = status();
      check(found?.served?.snapshot.version, found?.pinned !== undefined);
    }
  };
  const start = () => {
    servedVersion = undefined;
    process = run();
  };
  /** Has a process start; without a fault, it has to serve something if the history has a set. */
  const startAgain = async () => {
    const isKept = (await listEntries({ fs: disk, dir: history })).length > 0;
    const mustServe = faults.size === 0 && !state.isHistoryLost && isKept;
    start();
    await pass(40_000);
    if (mustServe) assert.ok(status()?.served, `a start serves nothing: ${String(process?.failure())}`);
    if (!process?.failure()) return;
    note(`ended: ${String(process.failure()).split('\n')[0]}`);
    process.kill();
    process = undefined;
  };
  const kill = async () => {
    note('kill');
    process?.kill();
    process = undefined;
  };
  const stop = async () => {
    let isClosed = false;
    const closed = process?.close().then(() => (isClosed = true));
    for (let seconds = 0; seconds < 60 && process && !isClosed; seconds += 1) await clock.pass(1_000);
    // Without a fault of the disk, it ends by itself.
    if (faults.size === 0) await closed;
    await kill();
    return isClosed;
  };

  /** The last that a receiver took is what is true. */
  const assertHeard = (url: string, body: string, event: ReturnType<typeof eventOf>, version?: string) => {
    const { type, lines, data } = event ?? assert.fail();
    const message = JSON.parse(body);
    // A chat does not hear of each set that goes live, but of what keeps one from it, and when that is over.
    if (url.endsWith('chat'))
      return type === 'live'
        ? assert.match(message.text, / is live/)
        : assert.equal(message.text, chatText(lines));
    // A change of what is served is said as such, and what is refused or held back after it.
    assert.equal(message.data.version ?? undefined, version);
    if (type !== 'live') assert.equal(message.type, `catalog.${type}`);
    if (type === 'refused' || type === 'held')
      assert.deepEqual(message.data.problems ?? message.data.held, data.problems ?? data.held);
  };
  /** Whether the files are served as they are, and nothing is to be said about it. */
  const isWell = () => {
    const { served, pinned, unkept } = status() ?? {};
    const { onDisk } = state;
    const isLoaded = onDisk?.isGood && served?.snapshot.version === versionOf(onDisk);
    return isLoaded && !pinned && unkept === undefined && !served.report.holds?.length;
  };
  /** Once all faults are over, what is served is what should be, and health says what is wrong and nothing else. */
  const settle = async (ms = 200_000) => {
    note('settle');
    faults.clear();
    state.failures = 0;
    if (!process) await startAgain();
    await pass(ms);
    const found = status();
    if (!found) return assert.ok(state.isHistoryLost || everServed.size === 0, 'a start serves nothing');
    const { served, held, attempt, pinned, faults: left, unkept } = found;
    const version = served?.snapshot.version;
    note(JSON.stringify({ version, held: held?.version, outcome: attempt?.outcome, pinned, left, unkept }));
    assert.deepEqual(left, []);
    const { onDisk } = state;
    const expected = onDisk?.isGood ? versionOf(onDisk) : undefined;
    const hasPin = (await disk.readStart(`${history}/pin`, 1).catch(() => undefined)) !== undefined;
    if (hasPin) assert.ok(pinned, 'the pin is ignored');
    const event = eventOf(found);
    if (event && !state.isForgotten) for (const [url, body] of heard) assertHeard(url, body, event, version);
    if (pinned) {
      if (!pinned.fault && version) assert.ok(version.startsWith(pinned.version), 'the pin is not served');
    } else if (expected !== undefined) {
      assert.ok(
        version === expected || held?.version === expected,
        `${version} is served, ${expected} is saved`,
      );
    } else if (served) {
      assert.equal(attempt?.outcome, 'failed');
    }
    if (version !== undefined && unkept === undefined) {
      const names = (await listEntries({ fs: disk, dir: history })).map(entry => entry.version);
      assert.ok(names.includes(version), `the history lacks ${version}`);
    }
    const named = await disk.readStart(`${history}/held`, 100).catch(() => undefined);
    assert.equal(named?.bytes.toString().trim(), held?.version, 'what is held back is not named');
    if (isWell()) assert.deepEqual(process?.reasons(), []);
    if (served && unkept === undefined) state.isHistoryLost = false;
  };

  return {
    ...{ happened, clock, faults, state, note, write, remove, save, pass, status, start, startAgain },
    ...{ kill, stop, settle, isWell },
    disk: () => disk,
    versions: () => [...saved.keys()],
    reasons: () => process?.reasons() ?? [],
    isRunning: () => process !== undefined,
    /** Confirms the version that is held back. */
    async publish(dir: string) {
      const { held } = status() ?? {};
      if (!held) return;
      confirmed.add(held.version);
      await write(`${dir}/publish`, held.version);
    },
    async losePower(pick: (found: ReturnType<SimulatedDisk['found']>) => Record<string, string>) {
      await kill();
      disk = simulateDisk(pick(disk.found()), [], () => Math.floor(clock.now() * 1000));
    },
  };
}
