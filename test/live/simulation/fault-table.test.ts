import assert from 'node:assert/strict';
import { test } from 'node:test';
import { seededRandom } from '../../../scripts/bench/catalog.ts';
import { type Fs, unlessMissing } from '../../../src/files/atomic-write.ts';
import { entryPath, listEntries } from '../../../src/history/entries.ts';
import { skipInQuickRun } from '../../support/skipping.ts';
import { FILE, versionOf } from './simulated-readers.ts';
import { catalogDir, history, imagesDir, openSite, type Site, stateDir } from './site.ts';

/** The kinds of operations by which a process looks into files and folders. */
const opens: (keyof Fs)[] = ['open', 'readFile', 'readStart', 'readdir'];
/** What befalls a thing: it is missing, something else is in its place, or operations on its paths come to this. */
const kinds = {
  missing: undefined,
  replaced: undefined,
  unreadable: { kinds: opens, code: 'EACCES' },
  full: { kinds: ['open', 'mkdir', 'rename'], code: 'ENOSPC' },
  EIO: { kinds: [...opens, 'stat'], code: 'EIO' },
  EMFILE: { kinds: opens, code: 'EMFILE' },
  slow: { code: 5_000 },
} as const;
type Kind = keyof typeof kinds;
const moments = ['at a start', 'between saves', 'during a save', 'at a stop'] as const;
type Moment = (typeof moments)[number];

interface Thing {
  /** Its paths and those below them; and those that are there at the moment. */
  path: RegExp;
  paths(site: Site): Promise<string[]> | string[];
  /** What happens before the fault, and what somebody does when it was missing or replaced. */
  before?(site: Site): Promise<unknown>;
  /** What happens while no process runs. */
  meanwhile?(site: Site): Promise<unknown>;
  mend?(site: Site): Promise<unknown>;
  /** What health says of it once the service has looked; it says so of nothing else. */
  says?: { [kind in Kind]?: RegExp };
}

const saveOf = (name: number, rows = 100) => ({ name, rows, isGood: true, image: 'a.png' });
const [first, drastic] = [saveOf(1), saveOf(4, 10)];
const unread = (reason: RegExp) => ({ unreadable: reason, EIO: reason, EMFILE: reason });
const refused = /^the last change of the catalogs was refused/;
const silent = /^the catalog directory has not answered for/;
const unkept = /^the served set is not in the history: E/;

const saveAgain = ({ save, state }: Site) => save(state.onDisk ?? assert.fail());
const pin = (site: Site) => site.write(`${history}/pin`, versionOf(first));
const addImage = (site: Site) => site.write(`${imagesDir}/a.png`, 'image');
async function hold(site: Site) {
  await site.save(drastic);
  await site.pass(5_000);
  assert.ok(site.status()?.held);
}

const things: Record<string, Thing> = {
  'the catalog folder': {
    ...{ path: /^\/catalog/, paths: () => [catalogDir], mend: saveAgain },
    says: { missing: refused, replaced: refused, ...unread(/^cannot read CATALOG_DIR: E/), slow: silent },
  },
  'a catalog file': {
    ...{ path: /^\/catalog\/products/, paths: () => [`${catalogDir}/${FILE}`], mend: saveAgain },
    says: { missing: refused, replaced: refused, ...unread(refused) },
  },
  'the images': {
    ...{ path: /^\/images/, paths: () => [imagesDir], mend: addImage },
    says: { replaced: /^cannot read IMAGES_DIR: E/, ...unread(/^cannot read IMAGES_DIR: E/) },
  },
  pin: {
    ...{ path: /history\/pin/, paths: () => [`${history}/pin`], before: pin, mend: pin },
    says: { replaced: /^version other is pinned, but/, ...unread(/^cannot read STATE_DIR\/history\/pin: E/) },
  },
  publish: {
    ...{ path: /history\/publish/, paths: () => [`${history}/publish`], before: hold },
    mend: site => site.publish(history),
    says: unread(/^cannot read STATE_DIR\/history\/publish: E/),
  },
  held: { path: /history\/held/, paths: () => [`${history}/held`], before: hold },
  'the index of the history': {
    path: /history(\/0.*)?$/,
    paths: async ({ disk }) =>
      (await listEntries({ fs: disk(), dir: history })).map(name => entryPath(history, name)),
    says: unread(unkept),
  },
  'the files of the history': {
    path: /history\/files/,
    async paths({ disk }) {
      const names = (await disk().readdir(`${history}/files`).catch(unlessMissing)) ?? [];
      return names.map(name => `${history}/files/${name}`);
    },
    says: { EIO: unkept },
  },
  'announced.json': {
    ...{ path: /announced/, paths: () => [`${stateDir}/announced.json`] },
    async before(site) {
      await site.save({ ...saveOf(5), isGood: false });
      await site.pass(15_000);
    },
    meanwhile: site => site.save(saveOf(6)),
    says: unread(/^cannot remember what webhooks announced: E/),
  },
};

async function begin(site: Site, kind: Kind, { path, paths }: Thing) {
  site.note(`> ${kind}`);
  const fault = kinds[kind];
  if (fault) return void site.faults.add({ path, ...fault });
  // Once it is deleted, a chat does not hear that a refused set was saved again.
  site.state.isForgotten ||= kind === 'missing' && path.test('announced');
  for (const path of await paths(site)) {
    await site.remove(path);
    if (kind === 'replaced') await site.write(path, 'other');
  }
}

async function end(site: Site, kind: Kind, { paths, mend }: Thing) {
  site.note(`> ${kind} no more`);
  site.faults.clear();
  if (kinds[kind] || !mend) return;
  for (const path of await paths(site)) await site.remove(path);
  await mend(site);
}

/** Health says what is wrong, in these words if they are known; and the log says nothing again and again. */
function assertSaid(site: Site, reason: RegExp | undefined) {
  const { served, loading, pinned } = site.status() ?? {};
  assert.ok(served, 'nothing is served');
  const reasons = site.reasons();
  if (reason) assert.match(reasons.join('\n'), new RegExp(reason, 'm'));
  else if (!loading && !pinned && !site.isWell()) assert.notDeepEqual(reasons, [], 'health says nothing');
  const lines = site.happened.map(line => line.replace(/^\S+ /, ''));
  for (const line of lines) assert.ok(lines.filter(other => other === line).length < 8, `again: ${line}`);
}

async function befall(site: Site, kind: Kind, thing: Thing, moment: Moment) {
  await site.disk().mkdir(history);
  await addImage(site);
  await site.save(first);
  await site.startAgain();
  await site.save(saveOf(2));
  await site.pass(5_000);
  await thing.before?.(site);
  await site.pass(5_000);
  if (moment === 'at a start') {
    await site.stop();
    await thing.meanwhile?.(site);
  }
  if (moment === 'during a save') {
    await site.save(saveOf(3));
    // While a version is pinned, no files are read.
    for (let ms = 0; ms < 3_000 && !site.status()?.loading; ms += 10) await site.pass(10);
  }
  await begin(site, kind, thing);
  if (moment === 'at a stop') assert.ok(await site.stop(), 'it does not stop');
  if (!site.isRunning()) site.start();
  await site.pass(30_000);
  assertSaid(site, undefined);
  await end(site, kind, thing);
  await site.settle(80_000);
  // The next start, while the same lasts.
  await begin(site, kind, thing);
  await site.kill();
  await thing.meanwhile?.(site);
  site.start();
  await site.pass(60_000);
  assertSaid(site, thing.says?.[kind]);
  await end(site, kind, thing);
  await site.settle(80_000);
  const { report } = site.status()?.served ?? assert.fail();
  assert.deepEqual(report.images, { missing: [], found: ['a.png'] });
}

for (const [index, [what, thing]] of Object.entries(things).entries())
  test(`whatever befalls ${what}, whenever, an accepted set is served, health says what is wrong, and it heals`, async () => {
    for (const [row, kind] of (Object.keys(kinds) as Kind[]).entries())
      for (const [column, moment] of moments.entries()) {
        if (skipInQuickRun && column !== (index + row) % moments.length) continue;
        const site = openSite(seededRandom(column));
        await befall(site, kind, thing, moment).catch(error => {
          throw new Error(`${kind} ${moment}: ${error.stack}\n${site.happened.slice(-60).join('\n')}`);
        });
      }
  });
