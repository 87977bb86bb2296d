import assert from 'node:assert/strict';
import { seededRandom } from '../../../scripts/bench/catalog.ts';
import type { Fs } from '../../../src/files/atomic-write.ts';
import { type Content, FILE, textOf } from './simulated-readers.ts';
import { catalogDir, type DiskFault, history, openSite, type Parts, stateDir } from './site.ts';

interface NamedFault extends DiskFault {
  what: string;
  /** Whether health has to say something within its time. */
  isSaid?: boolean;
}

const reads: (keyof Fs)[] = ['readFile', 'readStart', 'readdir'];
const file = { path: /^\/catalog\/products/, kinds: ['readFile'] } as const;
const control = { kinds: ['readStart'], isSaid: true } as const;
const diskFaults: readonly NamedFault[] = [
  { what: 'catalog folder without permission', path: /^\/catalog/, code: 'EACCES', isSaid: true },
  { what: 'catalog file fails', ...file, code: 'EIO' },
  { what: 'catalog file without permission', ...file, code: 'EACCES' },
  { what: 'pin without permission', path: /history\/pin$/, ...control, code: 'EACCES' },
  { what: 'publish is a loop', path: /history\/publish$/, ...control, code: 'ELOOP' },
  { what: 'history without permission', path: /^\/state\/history/, code: 'EACCES', isSaid: true },
  { what: 'history fails to be read', path: /^\/state\/history\/(files|0)/, kinds: reads, code: 'EIO' },
  { what: 'disk full', path: /^\/state\/history/, kinds: ['open', 'mkdir'], code: 'ENOSPC' },
  { what: 'no descriptors', path: /./, kinds: [...reads, 'open'], code: 'EMFILE', isSaid: true },
  { what: 'slow disk', path: /./, code: 500 },
];

/** A site that a seed decides: what its editors, its disk and its operators do. Throws what it finds wrong, with what happened. */
export async function simulate(seed: number, plant?: (parts: Parts) => void): Promise<void> {
  const random = seededRandom(seed);
  const site = openSite(random, plant);
  try {
    await run(site, random);
  } catch (error) {
    const what = error instanceof Error ? error.stack : String(error);
    throw new Error(`seed ${seed}: ${what}\n${site.happened.slice(-60).join('\n')}`);
  }
}

async function run(site: ReturnType<typeof openSite>, random: () => number) {
  const { state, faults, save, write, remove, pass, kill, startAgain, note } = site;
  const below = (limit: number) => Math.floor(random() * limit);
  const pick = <Item>(items: readonly Item[]): Item => items[below(items.length)] ?? assert.fail();
  let names = 0;
  const newContent = (): Content => {
    names += 1;
    return { name: names, isGood: true, rows: (state.onDisk?.rows ?? 100) + below(3) };
  };
  const steps: Record<string, () => Promise<unknown>> = {
    save: () => save(newContent()),
    'save a bad set': () => save({ ...newContent(), isGood: false }),
    'save a drastic set': () =>
      save({ ...newContent(), rows: Math.max(1, Math.floor((state.onDisk?.rows ?? 9) / 3)) }),
    'save many rows': () => save({ ...newContent(), rows: 300 }),
    async 'save slowly'() {
      const content = newContent();
      const text = textOf(content);
      await write(`${catalogDir}/${FILE}`, text.slice(0, text.length / 2));
      await pass(below(3_000));
      await save(content);
    },
    touch: async () => state.onDisk && save(state.onDisk),
    async 'delete the file'() {
      state.onDisk = undefined;
      await remove(`${catalogDir}/${FILE}`);
    },
    async 'delete the folder'() {
      state.onDisk = undefined;
      await remove(catalogDir);
    },
    pin: async () => write(`${history}/pin`, pick([...site.versions(), 'abcdef', ''])),
    'pin beside the catalogs': async () => write(`${catalogDir}/pin`, pick([...site.versions(), ''])),
    async unpin() {
      await remove(`${history}/pin`);
      await remove(`${catalogDir}/pin`);
    },
    publish: () => site.publish(pick([history, catalogDir])),
    async 'begin a fault'() {
      const fault = pick(diskFaults);
      faults.add(fault);
      if (/history|descriptors|full|slow/.test(fault.what)) state.isHistoryLost = true;
      state.isForgotten ||= fault.path.test(`${stateDir}/announced.json`);
      note(fault.what);
      if (!fault.isSaid || !site.isRunning() || [...faults].some(({ code }) => code === 500)) return;
      await pass(15_000);
      if (site.isRunning()) assert.notDeepEqual(site.reasons(), [], `health does not say: ${fault.what}`);
    },
    'end faults': async () => faults.clear(),
    async 'delete the history'() {
      state.isHistoryLost = true;
      await remove(pick([history, `${history}/files`]));
    },
    async 'kill and start'() {
      await kill();
      await startAgain();
    },
    async 'lose power and start'() {
      await site.losePower(pick);
      await startAgain();
    },
    async 'stop and start'() {
      await site.stop();
      await startAgain();
    },
    async 'receivers fail'() {
      state.failures = pick([1, 2, 5]);
    },
    leap: async () => site.clock.leap(pick([-3_600, 3_600, 86_400 * 365])),
  };

  await site.disk().mkdir(history);
  await save({ name: 0, isGood: true, rows: 100 });
  await startAgain();
  for (let round = 0; round < 3; round += 1) {
    for (let step = 0; step < 6; step += 1) {
      const name = pick(Object.keys(steps));
      note(`> ${name}`);
      await steps[name]?.();
      await pass(pick([100, 1_500, 5_000, 20_000]));
    }
    await site.settle();
  }
  faults.clear();
  await site.stop();
}
