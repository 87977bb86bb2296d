import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { chmod, chown, cp, mkdir, readdir, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { request } from 'undici';
import { afterTest } from './support/after-test.ts';
import { shop, writeFiles, writeInto } from './support/catalogs.ts';
import { healthOf } from './support/kept-shop.ts';
import { root } from './support/package.ts';
import { flagsOf, startNode } from './support/process.ts';
import { until } from './support/until.ts';

/** Modes do not hold for root. */
const isRoot = process.getuid?.() === 0;
const NOBODY = 65_534;
const user = isRoot ? { uid: NOBODY, gid: NOBODY } : {};

interface Dirs {
  catalogDir: string;
  imagesDir: string;
  stateDir: string;
  history: string;
}

interface Fault {
  what: string;
  reason: RegExp;
  /** Whether it is only noticed by a start. */
  isOfStart?: boolean;
  begin(dirs: Dirs): Promise<unknown>;
  /** Undefined if the service mends it. */
  end?(dirs: Dirs): Promise<unknown>;
}

const PRICE = '/api/recommend-config/price?product_id=1&recommend_config_id=11&duration_id=1';
const PRICES = String(shop['prices.csv']);

const lock = async (path: string, content?: string) => {
  if (content !== undefined) await writeFile(path, content);
  await chmod(path, 0);
};
const replace = async (path: string, content: string) => {
  await rm(path, { recursive: true });
  await writeFile(path, content);
};
/** Reading the first byte of its memory is an EIO for any process. */
const toFail = (path: string) => symlink('/proc/self/mem', path);
const entriesIn = async (history: string) =>
  (await readdir(history)).filter(name => name.endsWith('.json')).map(name => join(history, name));
const prices = ({ catalogDir }: Dirs) => join(catalogDir, 'prices.csv');
const savePrices = (dirs: Dirs) => replace(prices(dirs), PRICES);
const refused = /^the last change of the catalogs was refused, /;
const unkept = /^the served set is not in the history: /;
/** The contents of the history go to a disk of their own that is full. */
const full: Fault = {
  what: 'the disk of the history is full',
  reason: /^the served set is not in the history: no space left on device$/,
  async begin({ history }) {
    const files = join(history, 'files');
    spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=128k,mode=777', 'tmpfs', files]);
    await assert.rejects(writeFile(join(files, 'filler'), Buffer.alloc(2 ** 20)), { code: 'ENOSPC' });
  },
  end: ({ history }) => rm(join(history, 'files/filler')),
};
const canMount = spawnSync('unshare', ['--mount', 'true']).status === 0;

const faults: Fault[] = [
  {
    what: 'a pin cannot be read',
    reason: /^cannot read STATE_DIR\/history\/pin: permission denied$/,
    begin: ({ history }) => lock(join(history, 'pin'), 'ffffff'),
    end: ({ history }) => rm(join(history, 'pin')),
  },
  {
    what: 'a pin beside the catalogs cannot be read',
    reason: /^cannot read CATALOG_DIR\/pin: permission denied$/,
    begin: ({ catalogDir }) => lock(join(catalogDir, 'pin'), ''),
    end: ({ catalogDir }) => rm(join(catalogDir, 'pin')),
  },
  {
    what: 'publish is a link to itself',
    reason: /^cannot read STATE_DIR\/history\/publish: too many symbolic links encountered$/,
    begin: ({ history }) => symlink('publish', join(history, 'publish')),
    end: ({ history }) => rm(join(history, 'publish')),
  },
  {
    what: 'the catalog folder cannot be read',
    reason: /^cannot read CATALOG_DIR: permission denied$/,
    begin: ({ catalogDir }) => lock(catalogDir),
    end: ({ catalogDir }) => chmod(catalogDir, 0o755),
  },
  {
    what: 'the history cannot be read',
    reason: /^cannot read STATE_DIR\/history: permission denied$/,
    begin: ({ history }) => lock(history),
    end: ({ history }) => chmod(history, 0o755),
  },
  {
    what: 'the catalog folder is deleted',
    reason: refused,
    begin: ({ catalogDir }) => rm(catalogDir, { recursive: true }),
    end: ({ catalogDir }) => writeInto(catalogDir, shop),
  },
  {
    what: 'a file is in place of the catalog folder',
    reason: refused,
    begin: ({ catalogDir }) => replace(catalogDir, 'other'),
    end: ({ catalogDir }) => rm(catalogDir).then(() => writeInto(catalogDir, shop)),
  },
  {
    what: 'a catalog file is deleted',
    reason: /^version [0-9a-f]{12} is held back: /,
    begin: dirs => rm(prices(dirs)),
    end: ({ catalogDir }) => writeInto(catalogDir, shop),
  },
  {
    what: 'a catalog file cannot be read',
    reason: refused,
    begin: dirs => lock(prices(dirs)),
    end: dirs => chmod(prices(dirs), 0o644),
  },
  {
    what: 'a folder is in place of a catalog file',
    reason: refused,
    begin: dirs => rm(prices(dirs)).then(() => mkdir(prices(dirs))),
    end: savePrices,
  },
  {
    what: 'a link to nothing is in place of a catalog file',
    reason: refused,
    begin: dirs => rm(prices(dirs)).then(() => symlink('nothing', prices(dirs))),
    end: savePrices,
  },
  {
    what: 'the images cannot be read',
    reason: /^cannot read IMAGES_DIR: permission denied$/,
    begin: ({ imagesDir }) => lock(imagesDir),
    end: ({ imagesDir }) => chmod(imagesDir, 0o755),
  },
  {
    what: 'a file is in place of the images',
    reason: /^cannot read IMAGES_DIR: not a directory$/,
    begin: ({ imagesDir }) => replace(imagesDir, 'other'),
    end: ({ imagesDir }) => rm(imagesDir),
  },
  {
    what: 'reading a pin fails',
    reason: /^cannot read STATE_DIR\/history\/pin: i\/o error$/,
    begin: ({ history }) => toFail(join(history, 'pin')),
    end: ({ history }) => rm(join(history, 'pin')),
  },
  {
    what: 'reading publish beside the catalogs fails',
    reason: /^cannot read CATALOG_DIR\/publish: i\/o error$/,
    begin: ({ catalogDir }) => toFail(join(catalogDir, 'publish')),
    end: ({ catalogDir }) => rm(join(catalogDir, 'publish')),
  },
  {
    what: 'the index of the history is deleted',
    reason: unkept,
    begin: async ({ history }) => Promise.all((await entriesIn(history)).map(path => rm(path))),
  },
  {
    what: 'the files of the history are deleted',
    reason: unkept,
    begin: ({ history }) => rm(join(history, 'files'), { recursive: true }),
  },
  {
    what: 'the index of the history has other contents',
    reason: /^drastic changes could not be recognised, /,
    isOfStart: true,
    begin: async ({ history }) =>
      Promise.all((await entriesIn(history)).map(path => writeFile(path, 'other'))),
    end: ({ catalogDir }) => writeInto(catalogDir, { 'prices.csv': PRICES.replace('19.99', '19.98') }),
  },
  ...(canMount ? [full] : []),
  {
    what: 'the history is deleted',
    reason: unkept,
    begin: ({ history }) => rm(history, { recursive: true }),
  },
  {
    what: 'the state directory is renamed',
    reason: unkept,
    begin: ({ stateDir }) => rename(stateDir, `${stateDir}-old`),
  },
];

/** The program where anybody may run it, over a shop whose directories belong to who runs it. */
async function openShop(t: TestContext) {
  const home = await writeFiles(t, {});
  await chmod(home, 0o755);
  const program = join(home, 'program');
  await cp(join(root, 'dist'), join(program, 'dist'), { recursive: true });
  await cp(join(root, 'package.json'), join(program, 'package.json'));
  const place = join(home, 'place');
  const [catalogDir, imagesDir, stateDir] = [
    join(place, 'catalog'),
    join(place, 'images'),
    join(place, 'state'),
  ];
  const dirs = { catalogDir, imagesDir, stateDir };
  afterTest(t, () => void spawnSync('umount', ['--lazy', join(stateDir, 'history/files')]));
  await writeInto(catalogDir, shop);
  for (const dir of [imagesDir, stateDir]) await mkdir(dir);
  if (isRoot) for (const dir of [place, ...Object.values(dirs)]) await chown(dir, NOBODY, NOBODY);
  const args = flagsOf({ port: 0, ...dirs });
  const start = async () => {
    const { child, exit, listening, stdout } = startNode(
      t,
      [join(program, 'dist/main.js'), ...args],
      {},
      user,
    );
    const address = await listening();
    const health = () => healthOf(address);
    return {
      health,
      log: stdout,
      /** The only price, which visitors are served whatever happens. */
      async price() {
        const { statusCode, body } = await request(`${address}${PRICE}`);
        const text = await body.text();
        assert.equal(statusCode, 200, text);
        return JSON.parse(text).data.price;
      },
      async end(signal: NodeJS.Signals) {
        child.kill(signal);
        return (await exit).code;
      },
    };
  };
  return { dirs: { ...dirs, history: join(dirs.stateDir, 'history') }, start };
}

async function befall(t: TestContext, { reason, isOfStart, begin, end }: Fault) {
  const { dirs, start } = await openShop(t);
  /** Resolves when health is as expected; until then, the price is always this one. */
  const untilHealth = ({ price, health }: Awaited<ReturnType<typeof start>>, is: RegExp, expected = 455.47) =>
    until(t, async () => {
      assert.equal(await price(), expected);
      const { status, reasons } = await health();
      return [status, ...reasons].some(text => is.test(text));
    });
  const first = await start();
  await begin(dirs);
  await untilHealth(first, isOfStart ? /^ok$/ : reason);
  if (!end) await untilHealth(first, /^ok$/);
  assert.equal(await first.end('SIGTERM'), 0);
  const second = await start();
  if (end) {
    await untilHealth(second, reason);
    await end(dirs);
  }
  await untilHealth(second, /^ok$/);
  const faultLines = second.log().match(/.*(cannot read|resolved).*/g) ?? [];
  assert.ok(faultLines.length <= 3, faultLines.join('\n'));
  await writeInto(dirs.catalogDir, { 'prices.csv': PRICES.replace('455.47', '455.48') });
  await until(t, async () => (await second.price()) === 455.48);
  await untilHealth(second, /^ok$/, 455.48);
  await second.end('SIGKILL');
  assert.equal(await (await start()).price(), 455.48);
}

test(
  'between saves, at a stop and at the next start, visitors are served, health says so, and it heals',
  {
    concurrency: 3,
  },
  t => Promise.all(faults.map(fault => t.test(fault.what, own => befall(own, fault)))).then(() => {}),
);
