import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { type TestContext, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { loadCatalog } from '../../src/live/load.ts';
import { formatReport, jsonReport } from '../../src/live/report.ts';
import { readSet } from '../../src/reader/read-set.ts';
import { systemDirectory } from '../../src/set/system-directory.ts';
import { visit } from '../support/browser.ts';
import { faults } from '../support/catalog/faults/all.ts';
import { hugeFaults } from '../support/catalog/faults/notation.ts';
import type { Options } from '../support/catalog/forms.ts';
import { type Files, sample, shop, shopWith, sourceIn, writeFiles } from '../support/catalogs.ts';
import { filesIn, openPageChecker, type PageChecker } from '../support/page/checker.ts';
import { serve } from '../support/page/serve.ts';
import { skipWithout, skipWithoutBuild } from '../support/skipping.ts';
import { archiveFaults, PARTS } from '../support/workbooks/archive-faults.ts';
import { noFiles, shopSheets } from '../support/workbooks/shop-workbook.ts';
import { xlsx } from '../support/workbooks/xlsx.ts';
import { zip } from '../support/workbooks/zip.ts';

const skip = skipWithout('chromium') || skipWithoutBuild();

/** Asserts that a page says the same about files as the reader of the service, which does not look for images either. */
async function assertSame(
  t: TestContext,
  checker: PageChecker,
  what: string,
  files: Files,
  options: Options,
) {
  const source = sourceIn(await writeFiles(t, files), options);
  const directory = { ...systemDirectory(source), images: async () => undefined };
  const { report } = await readSet(directory, source);
  const checked = await checker.check(files, { reading: options });
  assert.equal(checked.text, formatReport(report), what);
  assert.deepEqual(checked.json, JSON.parse(JSON.stringify(jsonReport(report))), what);
}

/** Opens the checker on a page of the service. */
async function onPage(t: TestContext, look: (checker: PageChecker) => Promise<void>): Promise<void> {
  const { address } = await serve(t);
  await visit(address, async ({ page }) => look(await openPageChecker(page)));
}

test('every fault is reported in the browser as by the service, byte for byte', { skip }, async t => {
  await onPage(t, async checker => {
    for (const [what, files, , options = {}] of [...faults, ...hugeFaults])
      await assertSame(t, checker, what, shopWith(files), options);
  });
});

test('damaged workbooks are refused in the browser for the same reasons', { skip }, async t => {
  const whole = zip(PARTS);
  const cuts = Array.from({ length: 20 }, (_, index) => Math.floor((whole.length * index) / 20));
  const wrong = Array.from({ length: 150 }, (_, index) => {
    const bytes = Buffer.from(whole);
    const at = Math.floor((whole.length * index) / 150);
    bytes[at] = (bytes[at] ?? 0) ^ (1 << (index % 8));
    return [`a wrong byte at ${at}`, bytes] as const;
  });
  const workbooks = [
    ...archiveFaults,
    ...cuts.map(cut => [`cut off at ${cut}`, whole.subarray(0, cut)] as const),
    ...wrong,
  ];
  await onPage(t, async checker => {
    for (const [what, content] of workbooks)
      await assertSame(t, checker, what, shopWith({ 'prices.xlsx': content }), {});
  });
});

test('sets without errors are read in the browser from every format and encoding', { skip }, async t => {
  const utf16 = (text: string) => Buffer.from(`\ufeff${text}`, 'utf16le');
  const sets: [what: string, files: Files, options?: Options][] = [
    ['the shop', shop],
    ['a workbook', { ...noFiles, 'catalog.xlsx': xlsx(shopSheets()) }],
    ['UTF-16', shopWith({ 'prices.csv': utf16(String(shop['prices.csv'])) })],
    [
      'windows-1252',
      shopWith({ 'products.csv': Buffer.from('id,name\n1,Caf\xe9 \x80\n2,B\n3,C\n', 'latin1') }),
      { csvEncoding: 'windows-1252' },
    ],
    [
      'GB18030 and decimal commas',
      shopWith({ 'products.csv': Buffer.from('69643b6e616d650a313bcfe3b8db0a323b420a333b430a', 'hex') }),
      { csvEncoding: 'gb18030', csvDecimal: ',' },
    ],
    ['another time zone', shop, { timeZone: 'Asia/Shanghai' }],
    ['Markdown with HTML', { ...shop, 'news/9-a.md': '# A\n\n*b* <b>c</b>\n' }, { markdownHtml: true }],
    ['a look-alike', { ...shop, 'prices (1).csv': 'x', 'news/a.txt': 'x' }],
  ];
  await onPage(t, async checker => {
    for (const [what, files, options = {}] of sets) await assertSame(t, checker, what, files, options);
  });
});

test('the samples have the report that the service loads them with', { skip }, async t => {
  const { report } = await loadCatalog(sourceIn(sample.catalogDir, sample));
  await onPage(t, async checker => {
    const { ok, text } = await checker.check(filesIn(sample.catalogDir));
    assert.equal(ok, true);
    assert.equal(text, formatReport(report));
  });
});

test('a folder is read as the directory of catalogs, and not what lies in other folders', {
  skip,
}, async t => {
  const text = '---\ncreate_time: 2024-05-01\n---\n# Title\n\nText\n';
  const { report } = await loadCatalog(sourceIn(await writeFiles(t, { ...shop, 'news/8-a.md': text })));
  const inFolder = (folder: string, files: Files) =>
    Object.fromEntries(Object.entries(files).map(([name, content]) => [`${folder}/${name}`, content]));
  const old = inFolder('catalog/old', { 'prices.csv': 'x', 'prices.json': 'x' });
  await onPage(t, async checker => {
    for (const files of [
      { ...shop, '8-a.md': text },
      { ...inFolder('catalog', { ...shop, 'news/8-a.md': text }), ...old },
      { ...shop, 'news/8-a.md': text },
    ])
      assert.equal((await checker.check(files)).json.version, report.version);
  });
});

test('the checker is one file of at most 200 kB compressed', { skip: skipWithoutBuild() }, () => {
  const file = readFileSync(new URL('../../dist/page/checker.js', import.meta.url));
  assert.ok(gzipSync(file, { level: 9 }).length <= 200_000);
});
