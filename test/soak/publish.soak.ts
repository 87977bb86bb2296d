import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { copyFile, mkdir, rename, rm, symlink, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { promisify } from 'node:util';
import { type Files, shop, writeFiles, writeInto } from '../support/catalogs.ts';
import { entriesOf, healthOf, serveShop } from '../support/kept-shop.ts';
import { rounds } from '../support/soak.ts';
import { until } from '../support/until.ts';

const ROUNDS = rounds(1, 100);

/** Brings files into `root/catalog`, the same ones as the last time where it is called `again`. */
type Bring = (files: Files, again: boolean) => Promise<void>;

interface Way {
  /** Whether the service does not run meanwhile. */
  stops?: boolean;
  /** Makes the directory, with these files. */
  open(root: string, first: Files): Promise<Bring>;
}

async function git(dir: string, ...args: string[]): Promise<string> {
  const author = ['-c', 'user.name=e', '-c', 'user.email=e@e.test'];
  const { stdout } = await promisify(execFile)('git', ['-C', dir, ...author, ...args]);
  return stdout.trim();
}

/** As `cp source/* catalog` does: one after the other by their names, which ends with `publish`. */
async function copyAll(root: string, files: Files): Promise<void> {
  const [source, catalog] = [join(root, 'source'), join(root, 'catalog')];
  await writeInto(source, files);
  await mkdir(catalog, { recursive: true });
  for (const name of Object.keys(files).sort()) await copyFile(join(source, name), join(catalog, name));
}

const ways: Record<string, Way> = {
  'the whole folder is copied': {
    async open(root, first) {
      await copyAll(root, first);
      return files => copyAll(root, files);
    },
  },
  'a folder is synchronized as rsync does': {
    async open(root, first) {
      const dir = join(root, 'catalog');
      await writeInto(dir, first);
      return async files => {
        for (const [name, content] of Object.entries(files)) {
          const temporary = `.${name}.Xq3f2a`;
          await writeInto(dir, { [temporary]: content });
          await utimes(join(dir, temporary), 1_700_000_000, 1_700_000_000);
          await rename(join(dir, temporary), join(dir, name));
        }
      };
    },
  },
  'the link to a directory is swapped, as Kubernetes does': {
    async open(root, first) {
      const dir = join(root, 'catalog');
      let releases = 0;
      const bring = async (files: Files) => {
        releases += 1;
        await writeInto(join(dir, `..${releases}`), files);
        await symlink(`..${releases}`, join(dir, '..data_tmp'));
        await rename(join(dir, '..data_tmp'), join(dir, '..data'));
        await rm(join(dir, `..${releases - 1}`), { recursive: true, force: true });
      };
      await bring(first);
      for (const name of Object.keys(first)) await symlink(join('..data', name), join(dir, name));
      return bring;
    },
  },
  'git checks a commit out': {
    async open(root, first) {
      const [author, dir] = [join(root, 'author'), join(root, 'catalog')];
      await mkdir(author);
      await git(author, 'init', '--quiet');
      const commit = async (files: Files) => {
        await writeInto(author, files);
        await git(author, 'add', '.');
        await git(author, 'commit', '--quiet', '--message', 'change');
        return git(author, 'rev-parse', 'HEAD');
      };
      await commit(first);
      await git(root, 'clone', '--quiet', 'author', 'catalog');
      return async (files, again) => {
        if (!again) await commit(files);
        else await git(dir, 'checkout', '--quiet', 'FETCH_HEAD~1');
        await git(dir, 'fetch', '--quiet', 'origin', 'HEAD');
        await git(dir, 'checkout', '--quiet', 'FETCH_HEAD');
      };
    },
  },
  'the service is stopped and started': {
    stops: true,
    async open(root, first) {
      await writeInto(join(root, 'catalog'), first);
      return files => writeInto(join(root, 'catalog'), files);
    },
  },
};

const prices = String(shop['prices.csv']);
/** All prices, one of which changes in each round. */
const whole = (round: number) => prices.replace('19.99', String(20 + round / 100));
/** Five of the eight prices are gone, and one of the others is new in each round. */
const drastic = (round: number) =>
  prices
    .replace(/\n101(?:.|\n)*?(?=\n106)/, '')
    .replace('0.00595', `0.00595${String(round).padStart(3, '0')}`);

/** The service of a directory, which `change` changes. */
async function serve(t: TestContext, { stops, open }: Way, first: Files) {
  const root = await writeFiles(t, {});
  const dirs = { catalogDir: join(root, 'catalog'), stateDir: join(root, 'state') };
  const bring = await open(root, first);
  const start = () => serveShop(t, dirs, { drainMs: 0 });
  let service = start();
  /** How often the log says that a change is held back. */
  const holds = () => service.stdout().split('"msg":"catalogs held back').length - 1;
  const health = async () => healthOf(await service.listening());
  return {
    holds,
    health,
    /** Brings the files, and resolves to how often changes had been held back until then. */
    async change(files: Files, again = false): Promise<number> {
      if (!stops) {
        const before = holds();
        await bring(files, again);
        return before;
      }
      service.child.kill('SIGTERM');
      await service.exit;
      await bring(files, again);
      service = start();
      return 0;
    },
    async serves(version?: string) {
      return until(t, async () => {
        const { status, catalogs } = await health();
        return status === 'ok' && (version === undefined || catalogs?.version === version)
          ? catalogs?.version
          : undefined;
      });
    },
    /** The versions that were live, in their order. */
    live: async () => (await entriesOf(dirs)).map(name => name.slice(7, 19)),
  };
}

for (const [index, [what, way]] of Object.entries(ways).entries()) {
  test(`${ROUNDS} rounds in which ${what}, twice, with the publish of an earlier change: no drastic change goes live`, {
    timeout: 1_200_000,
  }, async t => {
    let publish = '';
    const first = { ...shop, 'prices.csv': whole(0), publish };
    const { change, holds, health, serves, live } = await serve(t, way, first);
    const expected = [await serves()];
    for (let round = 1; round <= ROUNDS; round += 1) {
      // An empty file once confirmed whatever there was.
      const [earlier, reason] =
        (round + index) % 2 === 0 ? ['', 'which is empty'] : [publish || 'abcdef', 'which does not name it'];
      const files = { ...shop, 'prices.csv': drastic(round), publish: earlier };
      for (const again of [false, true]) {
        const before = await change(files, again);
        publish = await until(t, async () => {
          const { held, catalogs, reasons } = await health();
          assert.equal(catalogs?.version, expected.at(-1));
          return holds() > before && reasons[0]?.includes(reason) ? held?.version : undefined;
        });
      }
      await change({ ...files, publish });
      expected.push(await serves(publish));
      await change({ ...shop, 'prices.csv': whole(round), publish });
      expected.push(
        await until(t, async () => {
          const version = await serves();
          return version === publish ? undefined : version;
        }),
      );
    }
    await until(t, async () => ((await live()).length >= expected.length ? true : undefined));
    assert.deepEqual(await live(), expected);
  });
}
