import assert from 'node:assert/strict';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { type TestContext, test } from 'node:test';
import { MARKDOWN_FILES } from '../src/contract/catalog-files.ts';
import { systemFs } from '../src/files/atomic-write.ts';
import { gzipped } from '../src/history/entries.ts';
import { keepEntry } from '../src/history/keep.ts';
import { readChangedSet } from '../src/reader/changed-set.ts';
import { systemDirectory } from '../src/set/directory.ts';
import { readMarkdownFiles } from '../src/set/files.ts';
import type { Settings } from '../src/settings/settings.ts';
import { type Files, markdown, shop, shopWith, sourceIn, writeInto } from './support/catalogs.ts';
import { newShop, type ShopDirs } from './support/process.ts';
import { startService } from './support/service.ts';
import { shopSheets, xlsx } from './support/xlsx.ts';

const now = performance.now.bind(performance);

/**
 * Starts services for which time passes forty times as fast: files that must lie still for seconds do so in no time. Each
 * says how it is and what it answers, and is closed at once.
 */
function starter(t: TestContext) {
  const begin = now();
  t.mock.method(performance, 'now', () => begin + (now() - begin) * 40);
  return async (dirs: ShopDirs, options: Partial<Settings> = {}) => {
    const { ask, app } = await startService(t, {}, { ...dirs, imagesDir: dirs.catalogDir, ...options });
    const urls = ['/api/products', '/api/news', '/overview/prices?product_id=1'];
    const answers = await Promise.all(urls.map(async url => (await ask(url)).text));
    const { data: health, headers } = await ask('/health');
    await app.close();
    return { health, answers: [headers['catalog-version'], ...answers] };
  };
}

async function cutOff({ catalogDir }: ShopDirs, file: string): Promise<void> {
  const content = await readFile(join(catalogDir, file));
  await writeFile(join(catalogDir, file), content.subarray(0, (content.length * 3) / 4));
}

const gone = (dir: string) => rm(dir, { recursive: true });
const emptied = (dir: string) => gone(dir).then(() => mkdir(dir));
const workbook: Files = { 'catalog.xlsx': xlsx(shopSheets()) };
const REFUSED =
  /^the last change of the catalogs was refused, and the set of \d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ is served$/;
const HELD = /^version [0-9a-f]{12} is held back: to let it go live, /;

/** What may become of the catalogs between a kill and the next start, and the code of what is said about it. */
const breakages: [string, Files, code: string, breakIt: (dirs: ShopDirs) => Promise<unknown>][] = [
  ['a file is cut off', shop, 'BAD_JSON', dirs => cutOff(dirs, 'products.json')],
  ['a catalog is gone', shop, 'LOST_ROWS', ({ catalogDir }) => rm(join(catalogDir, 'news.json'))],
  ['all files are gone', shop, 'MISSING_FILE', ({ catalogDir }) => emptied(catalogDir)],
  ['the directory is gone', shop, 'NO_DIRECTORY', ({ catalogDir }) => gone(catalogDir)],
  ['the workbook is cut off', workbook, 'BAD_WORKBOOK', dirs => cutOff(dirs, 'catalog.xlsx')],
  [
    ...(['a Markdown file is empty', markdown, 'EMPTY_FILE'] as const),
    ({ catalogDir }) => writeInto(catalogDir, { 'news/2-item.md': '' }),
  ],
];

for (const [what, files, code, breakIt] of breakages)
  test(`a start with broken catalogs serves the last good set, and says so: ${what}`, async t => {
    const dirs = await newShop(t, files);
    const start = starter(t);
    const good = await start(dirs);
    await breakIt(dirs);
    // What is held back does not go live by another restart, either.
    for (let round = 0; round < (code === 'LOST_ROWS' ? 2 : 1); round += 1) {
      const { answers, health } = await start(dirs);
      assert.deepEqual(answers, good.answers);
      const { status, reasons, held, last_attempt, loading } = health;
      assert.deepEqual([status, loading], ['degraded', null]);
      assert.match(reasons.join(), held ? HELD : REFUSED);
      assert.equal(last_attempt.outcome, held ? 'held' : 'failed');
      const problems: { code: string }[] = held?.reasons ?? last_attempt.problems;
      assert.ok(problems.some(problem => problem.code === code));
    }
  });

test('the sets of another directory are not the last good ones', async t => {
  const start = starter(t);
  const dirs = await newShop(t);
  const { stateDir } = dirs;
  const other = { ...(await newShop(t, { 'products.json': [{ id: 1, name: 'Other' }] })), stateDir };
  for (const served of [dirs, other]) await start(served);
  await writeInto(other.catalogDir, { 'products.json': '[' });
  await cutOff(dirs, 'news.json');
  assert.match(String((await start(other)).answers[1]), /"name":"Other"/);
  assert.match(String((await start(dirs)).answers[1]), /"name":"Cloud server"/);
});

test('--strict refuses to start instead, as a start without a history does', async t => {
  const start = starter(t);
  const dirs = await newShop(t);
  await start(dirs);
  await cutOff(dirs, 'news.json');
  const json = /^news\.json:\d+:\d+: error BAD_JSON .*\n(.*\n)*refused: 1 error/m;
  await assert.rejects(start({ ...dirs, stateDir: `${dirs.stateDir}-new` }), { message: json });
  for (const [message, change] of [
    [json],
    [
      /^LOST_ROWS 4 of 4 news items would .*\n(.*\n)*held back: version /,
      (dir: string) => writeInto(dir, { 'news.json': [] }),
    ],
    [/: error NO_DIRECTORY .*\n(.*\n)*refused: \d+ error/, gone],
  ] as const) {
    await change?.(dirs.catalogDir);
    await assert.rejects(start(dirs, { strict: true }), { name: 'CatalogError', message });
  }
});

test('numbers that the served set has decided are read in the same way after a restart', async t => {
  const start = starter(t);
  // Without 0,5 it could be a thousand.
  const prices = (extra: string) => `id;product_id;rel_id;duration_id;price\n${extra}1;1;11;4;1,000\n`;
  const dirs = await newShop(t, { ...shop, 'prices.csv': prices('2;1;11;2;0,5\n') });
  await start(dirs);
  const products = shop['products.json'] as object[];
  for (const change of [{ 'prices.csv': prices('') }, {}, { 'products.json': products.slice(0, 2) }]) {
    await writeInto(dirs.catalogDir, change);
    const { answers, health } = await start(dirs);
    assert.match(String(answers[3]), /"price":1[,}]/);
    assert.equal(health.status, 'ok');
  }
});

const ignore = () => {};

/** Has the history of a shop hold its files as a set that was served before today's rules. Returns its version. */
async function serveBefore({ catalogDir, stateDir }: ShopDirs): Promise<string> {
  const source = sourceIn(catalogDir);
  const expected = { fingerprint: '', stillMs: 0, isBeingWritten: false, before: undefined, holdBack: false };
  const other = systemDirectory(source);
  const set = await readChangedSet(source, expected, { onDamage: assert.fail, other, wasServed: true });
  if (set.outcome !== 'read' || !set.report.version) return assert.fail(JSON.stringify(set));
  const { version, files, reading } = set.report;
  const contents = new Map<string, Buffer>();
  for (const { file, sha256 } of files) {
    if (file !== MARKDOWN_FILES) contents.set(sha256, gzipped(await readFile(join(catalogDir, file))));
    else {
      const bundled = await readMarkdownFiles(other, (await other.list(ignore)) ?? [], ignore);
      contents.set(sha256, gzipped(bundled ?? assert.fail()));
    }
  }
  const entry = { version, since: 1_767_225_600, catalogDir: resolve(catalogDir), files, reading };
  await keepEntry(systemFs, join(stateDir, 'history'), entry, contents);
  return version;
}

const news = (shop['news.json'] as object[]).slice(0, 1);
const prices = String(shop['prices.csv']);

/** Sets that today's rules refuse, though each of their rows has all of its values. */
const refusedToday: [code: string, files: Files][] = [
  ['DUPLICATE_ID', { 'products.json': [1, 2, 3, 3].map(id => ({ id, name: `Product ${id}` })) }],
  ['DUPLICATE_PRICE', { 'prices.csv': `${prices}109,1,11,1,500\n` }],
  ['UNKNOWN_REFERENCE', { 'prices.csv': `${prices}109,1,99,1,500\n` }],
  ['WRONG_PRODUCT', { 'prices.csv': `${prices}109,2,12,1,500\n` }],
  [
    'NEVER_SHOWN',
    { 'news.json': [{ ...news[0], publish_time: '2024-02-02', unpublish_time: '2024-02-01' }] },
  ],
  ['NOT_PUBLIC', { 'news.json': [{ ...news[0], status: 'draft' }] }],
  ['BAD_BOOLEAN', { 'products.json': [1, 2, 3].map(id => ({ id, name: `Product ${id}`, hidden: 'maybe' })) }],
  [
    'TWO_IDS',
    {
      'news.json': null,
      'news/7-open.md': '---\nid: 8\ncreate_time: 2024-01-05\n---\n# We are open\n\nYes.\n',
    },
  ],
  [
    'BAD_FRONT_MATTER',
    {
      'news.json': null,
      'news/7-open.md': '---\ntitle: !We\nkeywords: &a\ncreate_time: 2024-01-05\n---\n# We\n\nYes.\n',
    },
  ],
];

for (const [code, files] of refusedToday)
  test(`a set that was served before a rule came is served at a start, pinned and after a rollback: ${code}`, async t => {
    const dirs = await newShop(t, shopWith(files));
    const version = await serveBefore(dirs);
    const start = starter(t);
    const isServed = ({ answers, health }: Awaited<ReturnType<typeof start>>) => {
      assert.equal(answers[0], version);
      assert.ok(answers.slice(1).every(answer => String(answer).includes('"code":200')));
      return health;
    };
    const { status, last_attempt } = isServed(await start(dirs));
    assert.deepEqual([status, last_attempt.outcome], ['degraded', 'failed']);
    assert.ok(last_attempt.problems.some((problem: { code: string }) => problem.code === code));
    const pin = join(dirs.stateDir, 'history/pin');
    await writeFile(pin, version);
    assert.equal(isServed(await start(dirs)).status, 'ok');
    await rm(pin);
    await writeInto(dirs.catalogDir, { ...shopWith({}), 'news.json': news });
    await rm(join(dirs.catalogDir, 'news'), { recursive: true, force: true });
    await writeFile(join(dirs.stateDir, 'history/publish'), '');
    assert.notEqual((await start(dirs)).answers[0], undefined);
    await writeFile(pin, version);
    assert.equal(isServed(await start(dirs)).status, 'ok');
  });

const unreadable: [code: string, files: Files][] = [
  ['BAD_NUMBER', { 'prices.csv': prices.replace('19.99', 'soon') }],
  ['BAD_FRONT_MATTER', { 'news.json': null, 'news/7-open.md': '---\ntitle: [We\n---\n\nYes.\n' }],
];

for (const [code, files] of unreadable)
  test(`a set that was served is not restored if a value of it cannot be read any more: ${code}`, async t => {
    await assert.rejects(serveBefore(await newShop(t, shopWith(files))), RegExp(code));
  });
