import assert from 'node:assert/strict';
import { type Fs, syncDirectory, writeWhole } from '../../../src/files/atomic-write.ts';
import { listEntries } from '../../../src/history/entries.ts';
import { catalogReasons } from '../../../src/http/endpoints/health.ts';
import { type LiveCatalog, openLiveCatalog } from '../../../src/live/live.ts';
import { openLiveHistory } from '../../../src/live/live-history.ts';
import { logStatus } from '../../../src/live/status.ts';
import { settingsFrom } from '../../../src/settings/read.ts';
import { chatText, eventOf, openWebhook } from '../../../src/webhook/webhook.ts';
import { type SimulatedDisk, simulateDisk } from '../reads/simulated-disk.ts';
import { SECRET } from '../webhook/receiver.ts';
import { type Content, FILE, isDrastic, simulateReaders, textOf, versionOf } from './simulated-readers.ts';
import { randomFrom, simulateClock } from './simulated-time.ts';

const catalogDir = '/catalog';
const stateDir = '/state';
const history = `${stateDir}/history`;
const settings = settingsFrom({
  ...{ catalogDir, stateDir, imagesDir: '/images', reloadPollMs: 2_000, reloadQuietMs: 300 },
  ...{ webhookUrl: 'http://127.0.0.1/hook', chatUrl: 'http://127.0.0.1/chat', webhookSecret: SECRET },
});

/** What an operation on these paths comes to while the fault lasts. */
interface DiskFault {
  what: string;
  path: RegExp;
  kinds?: (keyof Fs)[];
  code: string;
  /** Whether health has to say something within its time. */
  isSaid?: boolean;
}

const reads: (keyof Fs)[] = ['readBytes', 'readFile', 'readStart', 'readdir'];
const diskFaults: readonly DiskFault[] = [
  { what: 'catalog folder without permission', path: /^\/catalog/, code: 'EACCES', isSaid: true },
  { what: 'catalog file fails', path: /^\/catalog\/products/, kinds: ['readBytes'], code: 'EIO' },
  {
    what: 'catalog file without permission',
    path: /^\/catalog\/products/,
    kinds: ['readBytes'],
    code: 'EACCES',
  },
  {
    what: 'pin without permission',
    path: /history\/pin$/,
    kinds: ['readStart'],
    code: 'EACCES',
    isSaid: true,
  },
  { what: 'publish is a loop', path: /history\/publish$/, kinds: ['readStart'], code: 'ELOOP', isSaid: true },
  { what: 'history without permission', path: /^\/state\/history/, code: 'EACCES', isSaid: true },
  { what: 'history fails to be read', path: /^\/state\/history\/(files|0)/, kinds: reads, code: 'EIO' },
  { what: 'disk full', path: /^\/state\/history/, kinds: ['open', 'mkdir'], code: 'ENOSPC' },
  { what: 'no descriptors', path: /./, kinds: [...reads, 'open'], code: 'EMFILE', isSaid: true },
  { what: 'slow disk', path: /./, code: 'SLOW' },
];

/** A site that a seed decides: what its editors, its disk and its operators do. Throws what it finds wrong, with what happened. */
export async function simulate(
  seed: number,
  change: (parts: Parts) => Parts = parts => parts,
): Promise<void> {
  const site = openSite(randomFrom(seed), change);
  try {
    await site.run();
  } catch (error) {
    const what = error instanceof Error ? error.stack : String(error);
    throw new Error(`seed ${seed}: ${what}\n${site.happened.slice(-60).join('\n')}`);
  }
}

type Deliver = (
  receiver: { url: string },
  id: string,
  body: string,
) => Promise<{ status: number; text: string }>;

/** What a planted fault replaces. */
export interface Parts {
  fs: Fs;
  readers: ReturnType<typeof simulateReaders>;
  history: ReturnType<typeof openLiveHistory>;
  deliver: Deliver;
}

function openSite(random: () => number, plant: (parts: Parts) => Parts) {
  const happened: string[] = [];
  const clock = simulateClock();
  let disk: SimulatedDisk = simulateDisk({}, [], () => Math.floor(clock.now() * 1000));
  const faults = new Set<DiskFault>();
  const below = (limit: number) => Math.floor(random() * limit);
  const pick = <Item>(items: readonly Item[]): Item => items[below(items.length)] ?? assert.fail();
  const note = (line: string) => void happened.push(`${clock.ms() / 1000} ${line}`);

  /** Every set that was saved, by its version; and those of them that were served, and confirmed. */
  const saved = new Map<string, Content>();
  const confirmed = new Set<string>();
  const everServed = new Set<string>();
  let onDisk: Content | undefined;
  let names = 0;
  /** The versions that are in the history for sure. */
  const kept = new Set<string>();
  /** What each receiver took last, by its address; and how many deliveries fail from now on. */
  const heard = new Map<string, string>();
  let failures = 0;
  /** Whether what was announced may not have been written down. */
  let isForgotten = false;
  const deliver: Deliver = async ({ url }, _id, body) => {
    await clock.sleep(50, undefined, true);
    failures -= 1;
    if (failures >= 0) return { status: 500, text: '' };
    heard.set(url, body);
    return { status: 200, text: '' };
  };
  /** Whether the history may lack what was served. */
  let isHistoryLost = false;
  let lastServed: Content | undefined;
  let process: ReturnType<typeof start> | undefined;

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
  const newContent = (): Content => {
    names += 1;
    const rows = onDisk?.rows ?? 100;
    return { name: names, isGood: true, rows: rows + below(3) };
  };
  const save = async (content: Content) => {
    if (content.isGood) saved.set(versionOf(content), content);
    onDisk = content;
    await write(`${catalogDir}/${FILE}`, textOf(content));
  };

  /** The disk as one process sees it, until it is killed. */
  const openFs = (isAlive: () => boolean): Fs => {
    const through =
      (kind: keyof Fs) =>
      async (path: string, ...others: unknown[]) => {
        if (!isAlive()) return new Promise(() => {});
        const fault = [...faults].find(
          ({ path: paths, kinds }) => paths.test(path) && (kinds?.includes(kind) ?? true),
        );
        if (fault?.code === 'SLOW') await clock.sleep(500, undefined, true);
        else if (fault) throw Object.assign(new Error(`${fault.code}: ${path}`), { code: fault.code });
        if (!isAlive()) return new Promise(() => {});
        return (disk[kind] as (...all: unknown[]) => unknown)(path, ...others);
      };
    return Object.fromEntries(
      Object.keys(disk).map(kind => [kind, through(kind as keyof Fs)]),
    ) as unknown as Fs;
  };

  const start = () => {
    note('start');
    let isAlive = true;
    const fs = openFs(() => isAlive);
    const own = {
      ...clock,
      sleep: (ms: number, signal?: AbortSignal) =>
        new Promise<void>((resolve, reject) => {
          clock.sleep(ms, signal, true).then(
            () => isAlive && resolve(),
            error => isAlive && reject(error),
          );
        }),
    };
    const log = { info: note, warn: note, error: note };
    const opening = Promise.resolve({ mayWrite: async () => true });
    const history = openLiveHistory(settings, opening, log, { clock: own, fs });
    const parts = plant({
      fs,
      readers: simulateReaders(settings, { clock: own, fs }, random),
      history: {
        ...history,
        async keep(next, loader) {
          await history.keep(next, loader);
          kept.add(next.version);
        },
      },
      deliver: async (...message) => {
        const answer = await deliver(...message);
        return isAlive ? answer : new Promise<never>(() => {});
      },
    });
    const say = logStatus(log);
    const changeEvents = () => ({ renew() {}, async close() {} });
    let isLoaded = false;
    const webhook = openWebhook(settings, () => opened.status(), log, {
      clock: own,
      fs: parts.fs,
      deliver: parts.deliver,
    });
    const opened: LiveCatalog = openLiveCatalog(
      settings,
      {
        ...settings,
        onStatus: (event, status) => {
          say(event, status);
          const version = status.served?.snapshot.version;
          if (event === 'loaded' && faults.size === 0)
            assert.ok(kept.has(String(version)), `${version} is served before it is in the history`);
          check(version, status.pinned !== undefined);
          if (isLoaded && event !== 'rolledBack' && event !== 'unpinned')
            void webhook.then(to => to.notice());
        },
        beforeServed: async next => (await webhook).remember(next),
      },
      log,
      { ...parts, clock: own, changeEvents },
    );
    let failure: unknown;
    opened.loaded.then(
      () => {
        isLoaded = true;
        void webhook.then(to => to.notice());
      },
      error => {
        failure = error;
      },
    );
    return {
      live: opened,
      close: () => Promise.all([opened.close(), webhook.then(to => to.close())]),
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
    const isKnown = isPinned || everServed.has(version) || confirmed.has(version) || isHistoryLost;
    if (lastServed && !isKnown)
      assert.ok(!isDrastic(lastServed, content), `drastic version ${version} went live`);
    everServed.add(version);
    lastServed = content;
  };
  const status = () => process?.live.status();
  const reasons = () => {
    const found = status();
    return found ? catalogReasons(found, clock.now()) : [];
  };
  const pass = async (ms: number) => {
    for (let left = ms; left > 0; left -= 1_000) {
      await clock.pass(Math.min(left, 1_000));
      const found = status();
      check(found?.served?.snapshot.version, found?.pinned !== undefined);
    }
  };
  /** Whether a start has to serve something. */
  const mustServe = async () =>
    faults.size === 0 && !isHistoryLost && (await listEntries({ fs: disk, dir: history })).length > 0;
  const startAgain = async () => {
    servedVersion = undefined;
    process = start();
    const must = await mustServe();
    await pass(40_000);
    if (must) assert.ok(status()?.served, `a start serves nothing: ${String(process.failure())}`);
    if (process.failure()) {
      note(`ended: ${String(process.failure()).split('\n')[0]}`);
      process.kill();
      process = undefined;
    }
  };
  const stop = async () => {
    let isClosed = false;
    const closed = process?.close().then(() => {
      isClosed = true;
    });
    for (let seconds = 0; seconds < 60 && process && !isClosed; seconds += 1) await clock.pass(1_000);
    // Without a fault of the disk, it ends by itself.
    if (faults.size === 0) await closed;
    await kill(false);
  };
  const kill = async (isPowerLost: boolean) => {
    note(isPowerLost ? 'power loss' : 'kill');
    process?.kill();
    process = undefined;
    if (isPowerLost) disk = simulateDisk(pick(disk.found()), [], () => Math.floor(clock.now() * 1000));
  };

  const steps: Record<string, () => Promise<unknown>> = {
    save: () => save(newContent()),
    'save again': () => save(newContent()),
    'save a bad set': () => save({ ...newContent(), isGood: false }),
    'save a drastic set': () =>
      save({ ...newContent(), rows: Math.max(1, Math.floor((onDisk?.rows ?? 9) / 3)) }),
    'save many rows': () => save({ ...newContent(), rows: 300 }),
    async 'save slowly'() {
      const content = newContent();
      const text = textOf(content);
      await write(`${catalogDir}/${FILE}`, text.slice(0, text.length / 2));
      await pass(below(3_000));
      await save(content);
    },
    touch: async () => onDisk && save(onDisk),
    'delete the file': async () => {
      onDisk = undefined;
      await remove(`${catalogDir}/${FILE}`);
    },
    'delete the folder': async () => {
      onDisk = undefined;
      await remove(catalogDir);
    },
    pin: async () => write(`${history}/pin`, pick([...saved.keys(), 'abcdef', ''])),
    'pin beside the catalogs': async () => write(`${catalogDir}/pin`, pick([...saved.keys(), ''])),
    async unpin() {
      await remove(`${history}/pin`);
      await remove(`${catalogDir}/pin`);
    },
    async publish() {
      const { held } = status() ?? {};
      if (!held) return;
      confirmed.add(held.version);
      await write(`${pick([history, catalogDir])}/publish`, held.version);
    },
    async 'begin a fault'() {
      const fault = pick(diskFaults);
      faults.add(fault);
      if (/history|descriptors|full|slow/.test(fault.what)) isHistoryLost = true;
      isForgotten ||= fault.path.test(`${stateDir}/announced.json`);
      note(fault.what);
      if (!fault.isSaid || !process || [...faults].some(({ code }) => code === 'SLOW')) return;
      await pass(15_000);
      if (process) assert.notDeepEqual(reasons(), [], `health does not say: ${fault.what}`);
    },
    'end faults': async () => faults.clear(),
    async 'delete the history'() {
      isHistoryLost = true;
      await remove(history);
    },
    async 'delete the contents of the history'() {
      isHistoryLost = true;
      await remove(`${history}/files`);
    },
    'kill and start': async () => {
      await kill(false);
      await startAgain();
    },
    'lose power and start': async () => {
      await kill(true);
      await startAgain();
    },
    async 'stop and start'() {
      await stop();
      await startAgain();
    },
    async 'receivers fail'() {
      failures = pick([1, 2, 5]);
    },
    leap: async () => clock.leap(pick([-3_600, 3_600, 86_400 * 365])),
  };

  /** Once all faults are over, what is served is what should be, and health says what is wrong and nothing else. */
  const settle = async () => {
    note('settle');
    faults.clear();
    failures = 0;
    if (!process) await startAgain();
    await pass(200_000);
    const found = status();
    if (!found) return assert.equal(isHistoryLost || everServed.size === 0, true, 'a start serves nothing');
    const { served, held, attempt, pinned, faults: left, unkept } = found;
    note(
      JSON.stringify({
        v: served?.snapshot.version,
        held: held?.version,
        a: attempt?.outcome,
        pinned,
        left,
        unkept,
        d: Object.keys(disk.found()[0] ?? {}),
      }),
    );
    assert.deepEqual(left, []);
    const version = served?.snapshot.version;
    const expected = onDisk?.isGood ? versionOf(onDisk) : undefined;
    if (await has(`${history}/pin`)) assert.ok(pinned, 'the pin is ignored');
    const event = eventOf(found);
    if (event && !isForgotten) for (const [url, body] of heard) assertHeard(url, body, event, version);
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
    const isWell = !pinned && version === expected && unkept === undefined && !served?.report.holds?.length;
    if (isWell && served) assert.deepEqual(reasons(), []);

    if (served && unkept === undefined) isHistoryLost = false;
  };

  const has = async (path: string) => (await disk.readStart(path, 1).catch(() => undefined)) !== undefined;
  /** The last that a receiver took is what is true. */
  const assertHeard = (
    url: string,
    body: string,
    { type, lines, data }: NonNullable<ReturnType<typeof eventOf>>,
    version: string | undefined,
  ) => {
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

  return {
    happened,
    async run() {
      await disk.mkdir(history);
      await save({ name: 0, isGood: true, rows: 100 });
      await startAgain();
      for (let round = 0; round < 3; round += 1) {
        for (let step = 0; step < 6; step += 1) {
          const name = pick(Object.keys(steps));
          note(`> ${name}`);
          await steps[name]?.();
          await pass(pick([100, 1_500, 5_000, 20_000]));
        }
        await settle();
      }
      faults.clear();
      await stop();
    },
  };
}
