import assert from 'node:assert/strict';
import { randomInt } from 'node:crypto';
import { test } from 'node:test';
import { between, seededRandom } from '../../scripts/bench/catalog.ts';
import { catalogNames } from '../../src/contract/columns.ts';
import { changeLines, publicReport } from '../../src/set/compare/changes.ts';
import { differencesOf } from '../../src/set/compare/differences.ts';
import { compareSets } from '../../src/set/compare-sets.ts';
import { type Files, shopWith } from '../support/catalogs.ts';
import { readFiles } from '../support/read-source.ts';
import { rounds } from '../support/skipping.ts';
import { xlsx } from '../support/xlsx.ts';

const seed = Number(process.env.SEED ?? randomInt(2 ** 31));
console.log(`SEED=${seed}`);
const random = seededRandom(seed);

/** What is read of products, by their ids; the problems in place of a set with errors. */
async function read(files: Files) {
  const { report, rows } = await readFiles(shopWith(files));
  const errors = report.problems.filter(({ severity }) => severity === 'error');
  const extra = rows?.products?.map(({ id, extra }) => [id, extra && JSON.parse(extra)]);
  return { version: report.version, extra: extra && Object.fromEntries(extra), errors };
}

const ids = [1, 2, 3];
const csv = (rows: Record<string, string>[]) => {
  const names = [...new Set(rows.flatMap(row => Object.keys(row)))];
  const quoted = (cell = '') => `"${cell.replaceAll('"', '""')}"`;
  const cells = (id: number) =>
    names.map(name => quoted(new Map(Object.entries(rows[id - 1] ?? {})).get(name)));
  const lines = ids.map(id => [id, 'P', ...cells(id)].join());
  return `${['id', 'name', ...names.map(name => `extra.${name}`)].join()}\n${lines.join('\n')}\n`;
};
const json = (rows: object[]) =>
  `[${rows.map((extra, index) => `{"id":${index + 1},"name":"P","extra":${JSON.stringify(extra)}}`)}]`;

test('own fields in any form are the same set, and keep their names and texts', async () => {
  const rows: [object, object, object] = [
    { Disk: '007', badge: 'Ünïcode 😀\n"a"' },
    {},
    { badge: '2026-03-31' },
  ];
  const { version, extra } = await read({ 'products.csv': csv(rows as Record<string, string>[]) });
  assert.deepEqual(extra, { 1: rows[0], 2: undefined, 3: rows[2] });
  const sheets = {
    products: [
      ['id', 'name', 'Extra.Disk', ' extra.badge'],
      [1, 'P', '007', 'Ünïcode 😀\n"a"'],
      [2, 'P', null, null],
      [3, 'P', null, { s: 1, xml: '<v>46112</v>' }],
    ],
  };
  const sheet = xlsx(sheets, { formats: ['dd/mm/yy'] });
  const others: Files[] = [{ 'products.json': json(rows) }, { 'products.xlsx': sheet }];
  for (const files of others) assert.equal((await read(files)).version, version, Object.keys(files)[0]);
});

test('damaged text is found in own fields of any form', async () => {
  const rows: [Record<string, string>, ...Record<string, string>[]] = [{ badge: 'GrÃ¼n' }, {}, {}];
  for (const files of [{ 'products.csv': csv(rows) }, { 'products.json': json(rows) }]) {
    const { report } = await readFiles(shopWith(files));
    const [problem] = report.problems.filter(({ code }) => code === 'DAMAGED_TEXT');
    assert.match(problem?.message ?? '', /^extra.* has wrong characters such as Ã¼: /);
  }
});

test('front matter has the core types of YAML, and no dates or numbers that nobody wrote', async () => {
  const extra =
    'a: 1.50\n  b: 0x1F\n  c: 2026-03-31\n  d: [yes, {e: ~}]\n  f:\n  g: "007"\n  h: +.5\n  read: 0';
  const item = `---\ncreate_time: 2024-01-05\nextra:\n  ${extra}\n---\n# A\n\nB\n`;
  const { rows } = await readFiles(shopWith({ 'news/7-a.md': item }));
  const found = rows?.news?.find(({ id }) => id === 7)?.extra;
  assert.equal(
    found,
    '{"a":1.50,"b":31,"c":"2026-03-31","d":["yes",{"e":null}],"f":null,"g":"007","h":0.5,"read":0}'.replace(
      '1.50',
      '1.5',
    ),
  );
});

const names = ['badge', 'read', 'constructor', '__proto', '7', '007', '品牌', 'x'.repeat(64)];
const texts = ['New', '007', '=1+1', ' two\r\nlines ', '"q"', '😀', '\u2028', 'null', '15 %', '"read":0,'];
const pick = <Item>(list: readonly Item[]) => list[between(random, 0, list.length - 1)] as Item;
const drawFields = (draw: (level: number) => unknown, level = 0): Record<string, unknown> =>
  Object.fromEntries(Array.from({ length: between(random, 0, 4) }, () => [pick(names), draw(level + 1)]));
const drawValue = (level: number): unknown => {
  const kind = level > 4 ? 0 : between(random, 0, 3);
  if (kind === 2) return Array.from({ length: between(random, 0, 3) }, () => drawValue(level + 1));
  return kind === 3 ? drawFields(drawValue, level) : pick([...texts, 0, -1.5, 1e21, true, false, null]);
};

test(`what is read of generated own fields is what was written (seed ${seed})`, async () => {
  for (let round = 0; round < rounds(200, 40); round += 1) {
    const written = ids.map(() => drawFields(drawValue));
    const asText = ids.map(() => drawFields(() => pick(texts)) as Record<string, string>);
    for (const [rows, files] of [
      [written, { 'products.json': json(written) }],
      [asText, { 'products.csv': csv(asText) }],
    ] as const) {
      const { extra, errors } = await read(files);
      const expected = ids.map(id => [
        id,
        Object.keys(rows[id - 1] ?? {}).length > 0 ? rows[id - 1] : undefined,
      ]);
      assert.deepEqual(extra, Object.fromEntries(expected), JSON.stringify(errors));
    }
  }
});

/** What two sets of products differ in, as `diff` and `/changes` say it, and why the second one is held back. */
async function compared(before: object[], after: object[]) {
  const sets = [before, after].map(rows => readFiles(shopWith({ 'products.json': rows })));
  const [was, is] = (await Promise.all(sets)).map(({ content }) => content ?? assert.fail());
  assert.ok(was && is);
  const former = new Map(catalogNames.map(name => [name, was[name]]));
  const differences = differencesOf(former, is, 0);
  const guarded = { cutOff: [], hasOtherZone: false, newlyRead: new Set<number>(), gone: () => '' };
  return {
    lines: changeLines(differences, true),
    public: publicReport(differences, { from: null, to: null, time: null }).changes,
    holds: compareSets(former, is, { from: 'a', to: 'b' }, guarded).holds.map(({ code }) => code),
  };
}

const products = (map: (id: number) => object | undefined) =>
  Array.from({ length: 8 }, (_, index) => ({ id: index + 1, name: `P${index}`, extra: map(index) }));

test('own fields are compared one by one', async () => {
  const was = products(id => ({ badge: id === 6 ? 'new' : 'x', deep: { b: [1], a: 1 } }));
  const is = products(id => ({ deep: { a: 1, b: [id === 6 ? 2 : 1] }, badge: id === 6 ? 'sale' : 'x' }));
  const { lines, public: listed, holds } = await compared(was, is);
  assert.match(
    lines,
    /changed {2}7 "P6" {2}extra\.badge "new" → "sale", extra\.deep "\{"a":1,"b":\[1\]\}" → /,
  );
  assert.deepEqual(JSON.parse(listed[0] ?? '').columns[0], {
    column: 'extra.badge',
    from: 'new',
    to: 'sale',
  });
  assert.deepEqual([listed.length, holds], [1, []]);
  const [retyped] = (
    await compared(
      products(() => ({ a: '[1]' })),
      products(() => ({ a: [1] })),
    )
  ).public;
  assert.equal(JSON.parse(retyped ?? '').columns[0].column, 'extra.a');
  const added = (await compared(was.slice(0, -1), was)).public[0];
  assert.deepEqual(JSON.parse(added ?? '').columns.at(-2), { column: 'extra.badge', from: null, to: 'x' });
});

test('own fields that are lost, emptied or moved are held back as columns are', async () => {
  const before = products(id => ({ badge: `B${id}`, disk: `D${id}` }));
  const cases: [after: object[], codes: string[]][] = [
    [products(id => ({ disk: `D${id}` })), ['LOST_VALUES']],
    [products(id => ({ badge: '', disk: `D${id}` })), ['LOST_VALUES']],
    [products(id => ({ badge: `D${id}`, disk: `B${id}` })), ['MOVED_VALUES']],
    [products(id => ({ badge: `B${(id + 1) % 8}`, disk: `D${id}` })), ['MOVED_VALUES']],
    [products(id => ({ badge: id < 3 ? 'Sale' : `B${id}`, disk: `D${id}`, more: id })), []],
  ];
  for (const [after, codes] of cases)
    assert.deepEqual([...new Set((await compared(before, after)).holds)], codes, JSON.stringify(after[0]));
});
