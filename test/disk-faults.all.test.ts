import assert from 'node:assert/strict';
import { chmod, chown, cp, mkdir, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { request } from 'undici';
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
  stateDir: string;
  history: string;
}

interface Fault {
  what: string;
  reason: RegExp;
  begin(dirs: Dirs): Promise<unknown>;
  /** Undefined if the service mends it. */
  end?(dirs: Dirs): Promise<unknown>;
}

const lock = async (path: string, content?: string) => {
  if (content !== undefined) await writeFile(path, content);
  await chmod(path, 0);
};
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
    what: 'the history is deleted',
    reason: /^the served set is not in the history: /,
    begin: ({ history }) => rm(history, { recursive: true }),
  },
  {
    what: 'the state directory is renamed',
    reason: /^the served set is not in the history: /,
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
  const dirs = { catalogDir: join(place, 'catalog'), stateDir: join(place, 'state') };
  await writeInto(dirs.catalogDir, shop);
  await mkdir(dirs.stateDir);
  if (isRoot) for (const dir of [place, ...Object.values(dirs)]) await chown(dir, NOBODY, NOBODY);
  const args = flagsOf({ port: 0, ...dirs, imagesDir: dirs.catalogDir });
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
      async kill() {
        child.kill('SIGKILL');
        await exit;
      },
    };
  };
  return { dirs: { ...dirs, history: join(dirs.stateDir, 'history') }, start };
}

const PRICE = '/api/recommend-config/price?product_id=1&recommend_config_id=11&duration_id=1';
const PRICES = String(shop['prices.csv']);

for (const { what, reason, begin, end } of faults)
  test(`visitors are served, health says so, and it heals: ${what}`, async t => {
    const { dirs, start } = await openShop(t);
    /** Resolves when health is as expected; until then, the price is always this one. */
    const untilHealth = (
      { price, health }: Awaited<ReturnType<typeof start>>,
      is: RegExp,
      expected = 455.47,
    ) =>
      until(t, async () => {
        assert.equal(await price(), expected);
        const { status, reasons } = await health();
        return [status, ...reasons].some(text => is.test(text));
      });
    const first = await start();
    await begin(dirs);
    await untilHealth(first, reason);
    if (!end) await untilHealth(first, /^ok$/);
    await first.kill();
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
    await second.kill();
    assert.equal(await (await start()).price(), 455.48);
  });
