import assert from 'node:assert/strict';
import { readdir } from 'node:fs/promises';
import { type TestContext, test } from 'node:test';
import type { CheckAnswer } from '../../src/contract/history.ts';
import { beforeOf } from '../../src/live/live-history.ts';
import { openReaders } from '../../src/live/readers.ts';
import { holdReasons, problemsOf } from '../../src/live/report.ts';
import { namesOf } from '../../src/query/changes.ts';
import { withNames } from '../../src/set/compare/changes.ts';
import { fingerprint } from '../../src/set/directory.ts';
import { accidents, filesAround, harmlessEdits } from '../set/hold-back/accidents.ts';
import { afterTest } from '../support/after-test.ts';
import { type Files, writeFiles } from '../support/catalogs.ts';
import { runCommand } from '../support/command.ts';
import { ods } from '../support/ods.ts';
import { expectation } from '../support/read-source.ts';
import { bearer, previewToken, startService } from '../support/service.ts';
import { isLong } from '../support/skipping.ts';
import { sheetOf, xlsx } from '../support/xlsx.ts';

/** What somebody drops, and what a save of it does to the folder. */
interface Drop {
  what: string;
  before?: Files;
  /** What becomes of the catalog folder; null deletes a file. Of a drop in folders, what is in the catalog's. */
  saved: Files;
  /** The images that come along, by their names. */
  images?: Files;
  /** The paths of dropped files, if they are not those in the catalog folder. */
  pathOf?: (place: string) => string;
  /** Files beside the folder of the catalogs. */
  beside?: Files;
}

const { before: shop } = filesAround([]);
const catalogs = Object.keys(shop);
const text = (file: string): string =>
  Array.isArray(shop[file]) ? JSON.stringify(shop[file], null, 1) : String(shop[file]);
const prices = text('prices.csv').replace('35.00', '36.00').replace('22.50', '23.50');
const item = (title: string, more = '') => `---\ncreate_time: 2024-05-01\n${more}---\n# ${title}\n\nText\n`;
const IMAGE = Buffer.alloc(2000, 'image');

const deeds: Drop[] = Object.values({ ...accidents, harmlessEdits })
  .flatMap(deeds => Object.entries(deeds))
  .map(([what, deed]) => {
    const { before, after } = filesAround(deed);
    const saved = Object.fromEntries(
      Object.entries(after).filter(
        ([file, content]) => JSON.stringify(content) !== JSON.stringify(before[file]),
      ),
    );
    return { what, before, saved };
  });

const damages: Record<string, (content: string) => string | Buffer> = {
  empty: () => '',
  'cut off': content => content.slice(0, content.length / 2),
  'with a NUL byte': content => content.replace('1', '\0'),
  'a web page': () => '<!DOCTYPE html><html><body>404</body></html>',
  'a Git LFS pointer': () =>
    `version https://git-lfs.github.com/spec/v1\noid sha256:${'a'.repeat(64)}\nsize 9\n`,
  'in an old encoding': content => Buffer.from(content.replace(/[A-Z]/, 'é'), 'latin1'),
};
const damaged = catalogs.flatMap(file =>
  Object.entries(damages).map(([how, damage]) => ({
    what: `${file} is ${how}`,
    saved: { [file]: damage(text(file)) },
  })),
);

const formsOf = (file: string): Files => {
  const [name = ''] = file.split('.');
  const rows = sheetOf(shop[file] ?? '');
  const csv = rows.map(row => `${row.map(cell => cell ?? '').join()}\n`).join('');
  const own = file.endsWith('json') ? { [`${name}.csv`]: csv } : { [`${name}.json`]: [] };
  const cells = rows.map(row => row.map(cell => (typeof cell === 'object' ? null : cell)));
  return { ...own, [`${name}.xlsx`]: xlsx({ [name]: rows }), [`${name}.ods`]: ods({ [name]: cells }) };
};
const forms: Drop[] = catalogs.flatMap(file =>
  Object.entries(formsOf(file)).flatMap(([other, content]) => [
    { what: `${other} takes the place of ${file}`, saved: { [file]: null, [other]: content } },
    ...(other.endsWith('xlsx')
      ? [{ what: `${other} is saved beside ${file}`, saved: { [other]: content } }]
      : []),
  ]),
);
const written: Drop[] = [
  { what: 'prices with a byte order mark', saved: { 'prices.csv': `\uFEFF${prices}` } },
  { what: 'prices in UTF-16', saved: { 'prices.csv': Buffer.from(`\uFEFF${prices}`, 'utf16le') } },
  { what: 'prices with CRLF', saved: { 'prices.csv': prices.replaceAll('\n', '\r\n') } },
  {
    what: 'a workbook of all catalogs',
    saved: {
      'catalog.xlsx': xlsx(
        Object.fromEntries(catalogs.map(file => [file.split('.')[0], sheetOf(shop[file] ?? '')])),
      ),
    },
  },
  ...['50-a.md', '50-a.draft.md', '_50-a.md', '50-a.txt', 'x.md'].map(name => ({
    what: `a text ${name} in its folder`,
    saved: { [`news/${name}`]: item('New') },
  })),
  { what: 'a text alone', saved: { 'news/50-a.md': item('New') }, pathOf: place => place.slice(5) },
  { what: 'a text without a time', saved: { 'news/50-a.md': '# A\n' } },
];

const names = [
  ...['angebot.docx', 'list.pdf', 'Prices.csv', 'PRICES.CSV', 'prices (1).csv', 'prices.xls', 'price.csv'],
  ...['prices.txt', '_prices.csv', '~prices.csv', 'offer.csv', 'offer.json.bak', 'konfig.tsv', 'Thumbs.db'],
];
const unread: Drop[] = names.flatMap(name => [
  { what: `${name} alone`, saved: { [name]: text('prices.csv') } },
  { what: `${name} with a change`, saved: { [name]: text('prices.csv'), 'prices.csv': prices } },
]);

const illustrated = (img: string) => ({ 'news/50-a.md': item('New', `img: ${img}\n`) });
const images: Drop[] = [
  { what: 'an item and its image', saved: illustrated('new.png'), images: { 'new.png': IMAGE } },
  { what: 'an item without its image', saved: illustrated('new.png') },
  { what: 'an item and another image', saved: illustrated('new.png'), images: { 'other.png': IMAGE } },
  { what: 'an item and an empty image', saved: illustrated('new.png'), images: { 'new.png': '' } },
  { what: 'an item and an image that is there', saved: illustrated('old.png'), images: { 'old.png': IMAGE } },
  { what: 'an item with an image that is there', saved: illustrated('old.png') },
  { what: 'an image alone', saved: {}, images: { 'new.png': IMAGE } },
  { what: 'prices and an image', saved: { 'prices.csv': prices }, images: { 'new.png': IMAGE } },
  {
    what: 'an item with a name in NFD',
    saved: illustrated('gr\u00fcn.png'),
    images: { 'gru\u0308n.png': IMAGE },
  },
  {
    what: 'an item in a dropped site',
    saved: illustrated('new.png'),
    images: { 'new.png': IMAGE },
    pathOf: place => `site/catalog/${place}`,
  },
];

const inFolders: Drop[] = ['catalog/', 'shop/catalog/', 'a/b/c/'].flatMap(folder => {
  const pathOf = (place: string) => folder + place;
  return [
    { what: `${folder} with other prices`, saved: { 'prices.csv': prices }, pathOf },
    { what: `${folder} as it is`, saved: { ...shop }, pathOf },
    { what: `${folder} with a copy in a folder`, saved: { ...shop, 'old/prices.csv': prices }, pathOf },
    {
      what: `${folder} with other files`,
      saved: { 'prices.csv': prices, 'README.txt': 'x', '_old/prices.csv': prices },
      pathOf,
    },
    { what: `${folder} with a text`, saved: { 'news/50-a.md': item('New') }, pathOf },
    ...(folder === 'catalog/'
      ? []
      : [
          {
            what: `${folder} beside others`,
            saved: { 'prices.csv': prices },
            pathOf,
            beside: { [`${folder.split('/')[0]}/angebot.docx`]: 'x', 'notes.txt': 'x' },
          },
        ]),
  ];
});

const deletions: Drop[] = catalogs.flatMap((file, index) => [
  { what: `${file} is deleted`, saved: { [file]: null } },
  {
    what: `${file} and another one are deleted`,
    saved: { [file]: null, [catalogs[(index + 1) % catalogs.length] ?? '']: null },
  },
]);

const drops: Drop[] = [
  ...[...damaged, ...forms, ...written, ...unread, ...images, ...inFolders, ...deletions],
  ...deeds,
].slice(0, 240);

const bytesOf = (content: Files[string]) =>
  Buffer.isBuffer(content)
    ? content
    : Buffer.from(Array.isArray(content) ? JSON.stringify(content, null, 2) : String(content));

const BOUNDARY = '------------------------d74496d66958873e';

/** A form as curl writes it, or as a browser does. */
async function formOf(files: Files, isComplete: boolean, isWritten: boolean) {
  const entries = Object.entries(files).flatMap(([path, content]) =>
    content === null ? [] : [[path, bytesOf(content)] as const],
  );
  if (isWritten) {
    const part = (head: string, content: Buffer | string) =>
      Buffer.concat([
        Buffer.from(`--${BOUNDARY}\r\nContent-Disposition: form-data; ${head}\r\n\r\n`),
        Buffer.from(content),
        Buffer.from('\r\n'),
      ]);
    const parts = entries.map(([path, content]) =>
      part(`name="files"; filename="${path}"\r\nContent-Type: application/octet-stream`, content),
    );
    const payload = Buffer.concat([
      ...(isComplete ? [part('name="complete"', 'true')] : []),
      ...parts,
      Buffer.from(`--${BOUNDARY}--\r\n`),
    ]);
    return {
      method: 'POST',
      payload,
      headers: { ...bearer, 'content-type': `multipart/form-data; boundary=${BOUNDARY}` },
    };
  }
  const form = new FormData();
  for (const [path, content] of entries) form.append('files', new File([content], path), path);
  const whole = new Response(form);
  const headers = { ...bearer, 'content-type': String(whole.headers.get('content-type')) };
  return { method: 'POST', payload: new Uint8Array(await whole.arrayBuffer()), headers };
}

/** What is compared; of the changes all but their time. */
function seen({
  outcome,
  version,
  errors,
  warnings,
  problems,
  reasons,
  changes,
  not_read,
}: Omit<CheckAnswer, 'verdict' | 'complete'>) {
  const files = not_read.map(({ file }) => file).sort();
  return {
    outcome,
    version,
    errors,
    warnings,
    problems,
    reasons,
    changes: changes && { ...changes, time: null },
    files,
  };
}

function vouches({ verdict, not_read }: CheckAnswer, catalogFiles: number, isAll: boolean) {
  assert.equal(verdict.startsWith('These files'), isAll, verdict);
  assert.equal(/match|live/.test(verdict) && catalogFiles === 0, false, verdict);
  assert.equal(
    /Not read: \d/.test(verdict) || /^None/.test(verdict) || /^News items/.test(verdict),
    not_read.length > 0 || catalogFiles === 0,
    verdict,
  );
}

async function open(t: TestContext, before: Files) {
  const imagesDir = await writeFiles(t, { 'old.png': IMAGE });
  const service = await startService(
    t,
    before,
    { previewToken, imagesDir, stateDir: await writeFiles(t, {}) },
    () => Date.now() / 1000,
  );
  return {
    ...service,
    url: await service.app.listen({ port: 0 }),
    loader: openReaders(service.settings).open(),
  };
}

const services = new Map<string, ReturnType<typeof open>>();
const step = isLong ? 1 : 12;

test('what is dropped and then saved becomes what the check said', { concurrency: 3 }, async t => {
  await Promise.all(
    drops.map((drop, index) =>
      index % step > 0 ? undefined : t.test(drop.what, async t2 => compare(t, t2, drop)),
    ),
  );
});

async function compare(owner: TestContext, t: TestContext, drop: Drop) {
  const { before = shop, saved, images = {}, pathOf = place => place, beside = {} } = drop;
  const key = JSON.stringify(before);
  const opening = services.get(key) ?? open(owner, before);
  services.set(key, opening);
  const {
    ask,
    url,
    services: { catalog },
    settings,
  } = await opening;
  const served = catalog.status().served ?? assert.fail();

  // The save, in a folder of its own.
  const after = { ...before, ...saved };
  const inFolder = Object.fromEntries(
    Object.entries(images).map(([name, content]) => [`images/${name}`, content]),
  );
  const catalogDir = await writeFiles(t, { ...after, ...inFolder });
  const imagesDir = await writeFiles(t, { 'old.png': IMAGE, ...images });
  const source = { ...settings, catalogDir, imagesDir };
  const loader = openReaders(source).open();
  afterTest(t, () => loader.close());
  const history = beforeOf(settings.stateDir, served.report);
  const { key: print } = await fingerprint(catalogDir);
  const change = await loader.load(
    { ...expectation, fingerprint: print, before: history },
    served.snapshot,
    {},
  );
  assert.ok('report' in change);
  const { report } = change;
  const snapshot = change.outcome === 'read' ? change.snapshot : undefined;
  const isHeld = (report.holds ?? []).length > 0;
  const outcome =
    report.version === undefined
      ? 'failed'
      : change.outcome === 'unchanged'
        ? 'unchanged'
        : isHeld
          ? 'held'
          : 'loaded';
  const table = snapshot?.changes;
  const changes = table && {
    list: withNames(table.changes.slice(0, 100), namesOf(snapshot)).map(line => JSON.parse(line)),
    pagination: { current_page: 1, total: table.changes.length },
    ...JSON.parse(table.head),
  };
  // The workbook of all catalogs is read, even if each of its sheets is a second form.
  const read = new Set([...report.digests.map(({ file }) => file), 'catalog.xlsx']);
  const named = new Set(
    JSON.stringify(after)
      .match(/[^" /]+\.png/g)
      ?.flatMap(name => name.split('img: ').slice(-1)),
  );
  const isNamed = (name: string) => [...named].some(other => other.normalize() === name.normalize());
  const happened = (notRead: string[]) =>
    seen({
      outcome,
      version: report.version ?? null,
      ...problemsOf(report),
      reasons: holdReasons(report),
      changes: changes ?? null,
      not_read: notRead.map(file => ({ file, message: '' })),
    });

  const hasDeletions = Object.values(saved).includes(null);
  const places = Object.keys(saved).filter(place => saved[place] !== null);
  const placeIn = hasDeletions ? Object.keys(after).filter(file => after[file] !== null) : places;
  const imagePath = (name: string) => (drop.pathOf ? `site/images/${name}` : name);
  const dropped: Files = {
    ...Object.fromEntries(placeIn.map(place => [pathOf(place), after[place] ?? null])),
    ...Object.fromEntries(Object.entries(images).map(([name, content]) => [imagePath(name), content])),
    ...beside,
  };
  const notDropped = [
    ...placeIn.filter(place => !read.has(place)).map(pathOf),
    ...Object.keys(images)
      .filter(name => !isNamed(name))
      .map(imagePath),
    ...Object.keys(beside),
  ];
  for (const isWritten of [false, true]) {
    if (hasDeletions && !isWritten) continue;
    const { status, data } = await asked(() =>
      formOf(dropped, hasDeletions, isWritten).then(form => ask('/check', form)),
    );
    assert.equal(status, 200);
    assert.deepEqual(seen(data), happened(notDropped));
    const count = placeIn.filter(place => read.has(place)).length;
    vouches(data, count, notDropped.length === 0 && Object.keys(images).length === 0);
  }
  const flags = ['--json', '--against', url, '--preview-token', previewToken];
  const { stdout, stderr } = await asked(async () => {
    const exit = await runCommand(['check', catalogDir, ...flags]);
    return { ...exit, status: exit.stderr.includes('under way') ? 503 : 200 };
  });
  const all = (await readdir(catalogDir, { recursive: true, withFileTypes: true })).filter(entry =>
    entry.isFile(),
  );
  const files = all.map(({ parentPath, name }) => `${parentPath}/${name}`.slice(catalogDir.length + 1));
  const isRead = (file: string) => read.has(file) || (file.startsWith('images/') && isNamed(file.slice(7)));
  assert.ok(stdout, stderr);
  assert.deepEqual(
    seen(JSON.parse(stdout)),
    happened(files.filter(file => !isRead(file) && !file.startsWith('_old/'))),
  );
}

/** Asks again while another check is under way. */
async function asked<Answer extends { status: number }>(ask: () => Promise<Answer>): Promise<Answer> {
  for (;;) {
    const answer = await ask();
    if (answer.status !== 503) return answer;
    await new Promise(resolve => setTimeout(resolve, 20));
  }
}
