import { rename, rm, stat, symlink, unlink, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { type ChangeEvents, fileSystemEvents } from '../../src/live/watch.ts';
import { type Files, writeFiles, writeInto } from '../support/catalogs.ts';
import { fixtureSet } from '../support/fixture-sets.ts';
import { startLive } from '../support/live.ts';

/** A way in which somebody's program replaces the catalogs in a directory, `root/catalog`, by the next ones. */
interface WayToSave {
  what: string;
  /** Makes the directory as this program leaves it, where it is not just a directory with files in it. */
  prepare?(root: string, old: Files, next: Files): Promise<void>;
  /** `noticed` resolves after the next outcome. */
  save(root: string, next: Files, noticed: () => Promise<unknown>): Promise<void>;
}

const catalogIn = (root: string) => join(root, 'catalog');

/** Saves one file after the other. */
function each(save: (path: string, content: string, root: string) => Promise<void>): WayToSave['save'] {
  return async (root, files) => {
    for (const [name, content] of Object.entries(files)) {
      await save(join(catalogIn(root), name), String(content), root);
    }
  };
}

/** Puts a link to `target` in place of another in one step. */
async function swapLink(target: string, path: string): Promise<void> {
  await symlink(target, `${path}.new`);
  await rename(`${path}.new`, path);
}

/** Links to the files of a release, as Kubernetes mounts them: each by way of a link `..data` to the release. */
async function release(root: string, files: Files, name: string): Promise<void> {
  const dir = catalogIn(root);
  await writeInto(join(dir, name), files);
  await swapLink(name, join(dir, '..data'));
}

const waysToSave: WayToSave[] = [
  { what: 'truncate and write', save: each((path, content) => writeFile(path, content)) },
  {
    what: 'temporary file and rename',
    save: each(async (path, content) => {
      await writeFile(`${path}.tmp`, content);
      await rename(`${path}.tmp`, path);
    }),
  },
  {
    what: 'the same size and time',
    save: each(async (path, content) => {
      const { atime, mtime } = await stat(path);
      await writeFile(path, content);
      await utimes(path, atime, mtime);
    }),
  },
  {
    what: 'each file a link that is swapped',
    save: each(async (path, content, root) => {
      const target = join(root, `${content.length}-${path.split('/').at(-1)}`);
      await writeFile(target, content);
      await swapLink(target, path);
    }),
  },
  {
    what: 'a link to the release, swapped',
    async prepare(root, old) {
      await writeInto(join(root, 'release-1'), old);
      await symlink('release-1', catalogIn(root));
    },
    async save(root, next) {
      await writeInto(join(root, 'release-2'), next);
      await swapLink('release-2', catalogIn(root));
    },
  },
  {
    what: 'Kubernetes’ link ..data, swapped',
    async prepare(root, old) {
      await release(root, old, '..2024_01');
      for (const name of Object.keys(old)) await symlink(join('..data', name), join(catalogIn(root), name));
    },
    save: (root, next) => release(root, next, '..2024_02'),
  },
  {
    what: 'the directory moved away and replaced',
    async save(root, next) {
      await writeInto(join(root, 'next'), next);
      await rename(catalogIn(root), join(root, 'old'));
      await rename(join(root, 'next'), catalogIn(root));
    },
  },
  {
    what: 'the directory removed, and made again when that was noticed',
    async save(root, next, noticed) {
      await rm(catalogIn(root), { recursive: true });
      await noticed();
      await writeInto(catalogIn(root), next);
    },
  },
  {
    what: 'the same files as JSON instead',
    async save(root, next) {
      for (const [name, content] of Object.entries(next)) {
        const path = join(catalogIn(root), name);
        await unlink(path);
        await writeFile(path.replace('.csv', '.json'), JSON.stringify(rowsOf(String(content))));
      }
    },
  },
  {
    what: 'twice in a row, by one who finds a mistake',
    async save(root, next) {
      await writeInto(catalogIn(root), { ...next, 'prices.csv': 'id,price\n1,x\n' });
      await writeInto(catalogIn(root), next);
    },
  },
];

/** The rows of a CSV file without quotes, numbers as such. */
function rowsOf(csv: string): object[] {
  const [header = [], ...rows] = csv
    .trimEnd()
    .split('\n')
    .map(line => line.split(','));
  const value = (cell = '') => (/^\d+$/.test(cell) ? Number(cell) : cell);
  return rows.map(cells => Object.fromEntries(header.map((name, index) => [name, value(cells[index])])));
}

/** Events of the file system, and none at all, as on a network mount. */
const sources: [name: string, changeEvents: ChangeEvents][] = [
  ['fileSystem', fileSystemEvents],
  ['none', () => ({ renew() {}, close: async () => {} })],
];

for (const [name, changeEvents] of sources)
  test(`with change events: ${name}, every way to save is detected, and only whole sets are served`, {
    concurrency: 4,
  }, async t => {
    const [old, next] = [fixtureSet(1), fixtureSet(2)];
    await Promise.all(
      waysToSave.map(({ what, prepare, save }) =>
        t.test(what, async t => {
          const root = await writeFiles(t, {});
          const dir = join(root, 'catalog');
          await (prepare ? prepare(root, old, next) : writeInto(dir, old));
          const { live, serves, outcome } = await startLive(t, dir, {}, { changeEvents });
          await serves(1);
          const before = live.status().attempt;
          await save(root, next, () =>
            outcome(({ status }) => (status().attempt === before ? undefined : true)),
          );
          await serves(2);
        }),
      ),
    );
  });
