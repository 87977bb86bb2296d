import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { chmod, chown, cp, mkdir, readdir, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { request } from 'undici';
import { afterTest } from './support/after-test.ts';
import { shop, writeFiles, writeInto } from './support/catalogs.ts';
import { root } from './support/package.ts';
import { environment, flagsOf, healthOf, newShop, serveShop } from './support/process.ts';
import { startProgram } from './support/programs.ts';
import { until } from './support/until.ts';

/** Modes do not hold for root. */
const isRoot = process.getuid?.() === 0;
const NOBODY = 65_534;
const user = isRoot ? { uid: NOBODY, gid: NOBODY } : {};

interface Dirs {
  catalogDir: string;
  imagesDir: string;
  stateDir: string;
}

interface Fault {
  at(dirs: Dirs): string;
  begin(path: string): Promise<unknown>;
  reason: RegExp;
  /** Whether only a start notices it: a service that runs may have mended it before it stops. */
  isOfStart?: boolean;
  /** Undefined if the service mends it. */
  end?(path: string, dirs: Dirs): Promise<unknown>;
}

const PRICE = '/api/recommend-config/price?product_id=1&recommend_config_id=11&duration_id=1';
const PRICES = String(shop['prices.csv']);

const catalogs = ({ catalogDir }: Dirs) => catalogDir;
const images = ({ imagesDir }: Dirs) => imagesDir;
const state = ({ stateDir }: Dirs) => stateDir;
const history = ({ stateDir }: Dirs) => join(stateDir, 'history');
const inHistory = (name: string) => (dirs: Dirs) => join(history(dirs), name);
const beside = (name: string) => (dirs: Dirs) => join(catalogs(dirs), name);
const pin = inHistory('pin');
const prices = beside('prices.csv');

const lock = (path: string) => chmod(path, 0);
const unlock = (path: string) => chmod(path, 0o755);
const locked = (path: string) => writeFile(path, 'ffffff', { mode: 0 });
const remove = (path: string) => rm(path, { recursive: true });
const replace = (path: string) => remove(path).then(() => writeFile(path, 'other'));
const toFolder = (path: string) => rm(path).then(() => mkdir(path));
const toNothing = (path: string) => rm(path).then(() => symlink('nothing', path));
/** Reading the first byte of its memory is an EIO for any process. */
const failing = (path: string) => symlink('/proc/self/mem', path);
const moveAway = (path: string) => rename(path, `${path}-old`);
const restore = (path: string, { catalogDir }: Dirs) => remove(path).then(() => writeInto(catalogDir, shop));
const saveOther = (_path: string, { catalogDir }: Dirs) =>
  writeInto(catalogDir, { 'prices.csv': PRICES.replace('19.99', '19.98') });
async function replaceEntries(dir: string) {
  const names = (await readdir(dir)).filter(name => name.endsWith('.json'));
  return Promise.all(names.map(name => replace(join(dir, name))));
}
/** Other files of the history go to a disk of their own that is full. */
async function fill(dir: string) {
  spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=128k,mode=777', 'tmpfs', dir]);
  await assert.rejects(writeFile(join(dir, 'filler'), Buffer.alloc(2 ** 20)), { code: 'ENOSPC' });
}
const free = (dir: string) => rm(join(dir, 'filler'));
const canMount = spawnSync('unshare', ['--mount', 'true']).status === 0;

const unread = (path: string, reason: string) => new RegExp(`^cannot read ${path}: ${reason}$`);
const denied = (path: string) => unread(path, 'permission denied');
const broken = unread('CATALOG_DIR/publish', 'i/o error');
const refused = /^the last change of the catalogs was refused, /;
const unkept = /^the served set is not in the history: /;
const noSpace = /^the served set is not in the history: no space left on device$/;
const unknown = /^drastic changes could not be recognised, /;
const noFolder = unread('IMAGES_DIR', 'not a directory');

/** One of each kind; test/live/simulation has all kinds at all places. */
const faults: Record<string, Fault> = {
  'a locked pin': { at: pin, begin: locked, reason: denied('STATE_DIR/history/pin'), end: remove },
  'publish on a bad disk': { at: beside('publish'), begin: failing, reason: broken, end: remove },
  'locked catalogs': { at: catalogs, begin: lock, reason: denied('CATALOG_DIR'), end: unlock },
  'a folder for prices': { at: prices, begin: toFolder, reason: refused, end: restore },
  'a link to nothing for prices': { at: prices, begin: toNothing, reason: refused, end: restore },
  'a file for the images': { at: images, begin: replace, reason: noFolder, end: remove },
  'a locked history': { at: history, begin: lock, reason: denied('STATE_DIR/history'), end: unlock },
  'no history': { at: history, begin: remove, reason: unkept },
  'another index': { at: history, begin: replaceEntries, reason: unknown, isOfStart: true, end: saveOther },
  'another state directory': { at: state, begin: moveAway, reason: unkept },
  ...(canMount && { 'a full disk': { at: inHistory('files'), begin: fill, reason: noSpace, end: free } }),
};

/** The program where anybody may run it, over a shop whose directories belong to who runs it. */
async function openShop(t: TestContext) {
  const home = await writeFiles(t, {});
  await chmod(home, 0o755);
  const program = join(home, 'program');
  await cp(join(root, 'dist'), join(program, 'dist'), { recursive: true });
  await cp(join(root, 'package.json'), join(program, 'package.json'));
  const place = join(home, 'place');
  const [catalogDir, imagesDir] = [join(place, 'catalog'), join(place, 'images')];
  const dirs = { catalogDir, imagesDir, stateDir: join(place, 'state') };
  afterTest(t, () => void spawnSync('umount', ['--lazy', join(history(dirs), 'files')]));
  await writeInto(catalogDir, shop);
  for (const dir of [imagesDir, dirs.stateDir]) await mkdir(dir);
  if (isRoot) for (const dir of [place, ...Object.values(dirs)]) await chown(dir, NOBODY, NOBODY);
  const args = flagsOf({ port: 0, ...dirs });
  const start = async () => {
    const command = [process.execPath, join(program, 'dist/main.js'), ...args];
    const { child, exit, listening, output } = startProgram(t, command, { env: environment, ...user });
    const address = await listening();
    const health = () => healthOf(address);
    return {
      health,
      log: () => output.stdout,
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
  return { dirs, start };
}

async function befall(t: TestContext, { at, begin, reason, isOfStart, end }: Fault) {
  const { dirs, start } = await openShop(t);
  const path = at(dirs);
  /** Resolves when health is as expected; until then, the price is always this one. */
  const untilHealth = ({ price, health }: Awaited<ReturnType<typeof start>>, is: RegExp, expected = 455.47) =>
    until(t, async () => {
      assert.equal(await price(), expected);
      const { status, reasons } = await health();
      return [status, ...reasons].some(text => is.test(text));
    });
  const first = await start();
  if (!isOfStart) {
    await begin(path);
    await untilHealth(first, reason);
  }
  if (!end) await untilHealth(first, /^ok$/);
  assert.equal(await first.end('SIGTERM'), 0);
  if (isOfStart) await begin(path);
  const second = await start();
  if (end) {
    await untilHealth(second, reason);
    await end(path, dirs);
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

test('between saves, at a stop and at the next start, visitors are served, health says so, and it heals', {
  concurrency: 6,
}, async t => {
  await Promise.all(Object.entries(faults).map(([what, fault]) => t.test(what, own => befall(own, fault))));
});

test('a second service that sees the state directory of the first read-only is refused', {
  skip: !canMount,
}, async t => {
  const [dirs, readOnly] = [await newShop(t), await writeFiles(t, {})];
  const first = serveShop(t, dirs);
  await first.listening();
  spawnSync('mount', ['--bind', dirs.stateDir, readOnly]);
  afterTest(t, () => void spawnSync('umount', ['--lazy', readOnly]));
  assert.equal(spawnSync('mount', ['-o', 'remount,ro,bind', readOnly]).status, 0);
  const { code, stderr } = await serveShop(t, { ...dirs, stateDir: readOnly }).exit;
  assert.match(stderr, RegExp(`is in use by process ${first.pid} on `));
  assert.equal(code, 1);
});
