import assert from 'node:assert/strict';
import { cp, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { formatProblem } from '../../src/set/collect-problems.ts';
import { sample, sourceIn, writeFiles } from '../support/catalogs.ts';
import { ods, rowsXml } from '../support/ods.ts';
import { startProcess } from '../support/process.ts';
import { startProgram } from '../support/programs.ts';
import { readSource } from '../support/read-source.ts';
import { skipWithout, skipWithoutOpenpyxl } from '../support/skipping.ts';
import { type XlsxOptions, xlsx } from '../support/xlsx.ts';
import { withField } from '../support/zip.ts';

/** Loads a workbook and saves it again; what openpyxl warns of is an error. */
const SAVE_AGAIN = `import sys, warnings, openpyxl
warnings.simplefilter("error")
openpyxl.load_workbook(sys.argv[1]).save(sys.argv[2])`;

async function run(t: TestContext, ...program: string[]): Promise<void> {
  const { code, stderr } = await startProgram(t, program).exit;
  assert.equal(code, 0, stderr);
}

async function convert(t: TestContext, file: string, format: string, outdir: string) {
  const profile = `-env:UserInstallation=${pathToFileURL(join(await writeFiles(t, {}), 'profile'))}`;
  await run(t, 'soffice', profile, '--headless', '--convert-to', format, '--outdir', outdir, file);
}

async function outcomeOf(dir: string): Promise<string> {
  const { report } = await readSource(sourceIn(dir));
  return report.version ?? report.problems.map(formatProblem).join('\n');
}

/** The sample and the template as Vitrine writes them as a workbook, each in a folder with its name. */
async function ownWorkbooks(t: TestContext) {
  const dir = await writeFiles(t, {});
  for (const args of [
    ['convert', sample.catalogDir, join(dir, 'sample')],
    ['template', join(dir, 'template')],
  ])
    assert.equal((await startProcess(t, args).exit).code, 0);
  return { dir, names: ['sample', 'template'] };
}

/** How LibreOffice writes CSV files: separator, quote, encoding (76 is UTF-8, 65535 UTF-16), and so on. */
const csv = (options: string) => `csv:Text - txt - csv (StarCalc):${options}`;

for (const [what, format] of [
  ['a workbook', 'xlsx'],
  ['an OpenDocument sheet', 'ods'],
  ['CSV files as it proposes', csv('44,34,76,1,,1033,false,true,true,false,false,-1')],
  ['CSV files all in quotes, divided by semicolons', csv('59,34,76,1,,1033,true,false,true,false,false,-1')],
  ['CSV files as stored, not as shown', csv('44,34,76,1,,1033,false,true,false,false,false,-1')],
  ['CSV files in UTF-16 with tabs', csv('9,34,65535,1,,1033,false,true,true,false,false,-1')],
  ['a workbook, by openpyxl', 'openpyxl'],
] as const) {
  const isPython = format === 'openpyxl';
  test(`workbooks of convert and template are the same once they are saved as ${what}`, {
    skip: isPython ? skipWithoutOpenpyxl() : skipWithout('soffice'),
    timeout: 600_000,
  }, async t => {
    const { dir, names } = await ownWorkbooks(t);
    for (const name of names) {
      const [own, saved] = [join(dir, name), join(dir, `${name}-saved`)];
      await cp(own, saved, { recursive: true });
      await rm(join(saved, 'catalog.xlsx'));
      const from = join(own, 'catalog.xlsx');
      if (isPython) await run(t, '/usr/bin/python3', '-c', SAVE_AGAIN, from, join(saved, 'catalog.xlsx'));
      else await convert(t, from, format, saved);
      for (const file of await readdir(saved))
        if (file.endsWith('.csv')) await rename(join(saved, file), join(saved, file.replace('catalog-', '')));
      assert.equal(await outcomeOf(saved), await outcomeOf(own), name);
    }
  });
}

/** In bytes: just below what even the smallest workbook may unpack to. */
const ALLOWED = 3.95 * 2 ** 20;
const HUGE = 400 * 2 ** 20;

const filled = (xml: string, bytes = ALLOWED) => xml.repeat(Math.ceil(bytes / xml.length));
const rows = (xml: string) =>
  `<sheetData><row><c t="str"><v>id</v></c><c t="str"><v>name</v></c></row>${xml}</sheetData>`;
const products = (xml: string, options?: XlsxOptions) => xlsx({ products: xml }, options);
const BOMB = products(rows(filled(' ', HUGE)));

const tables = (xml: string) => ods({ products: `${rowsXml([['id', 'name']])}${xml}` });
const row = (cells: string, attribute = '') => `<table:table-row ${attribute}>${cells}</table:table-row>`;
const REPEATED = 'table:number-columns-repeated="16000"';
const farApart = Array.from({ length: 90_000 }, (_, at) => `<row><c r="XFD${at + 2}"><v>1</v></c></row>`);
const spaces =
  '<table:table-cell office:value-type="string"><text:p><text:s text:c="1000"/></text:p></table:table-cell>';

/** Workbooks that are small, and large once they are unpacked. */
const workbookBombs: Record<string, Buffer> = {
  'spaces, a hundred times what is allowed': BOMB,
  'the same, declared as small': withField(BOMB, 'xl/worksheets/sheet1.xml', 'size', 1000),
  spaces: products(rows(filled(' '))),
  'a long text': products(rows(`<row><c t="str"><v>${filled('x')}</v></c></row>`)),
  'empty cells': products(rows(filled(`<row>${'<c/>'.repeat(16_000)}</row>`))),
  'cells far apart': products(rows(farApart.join(''))),
  'merged cells': products(`${rows('')}<mergeCells>${filled('<mergeCell ref="A1:B2"/>')}</mergeCells>`),
  'hidden columns': products(`<cols>${filled('<col min="1" max="9" hidden="1"/>')}</cols>${rows('')}`),
  'OpenDocument: repeated rows': tables(filled(row(spaces, 'table:number-rows-repeated="1000"'), 10_000)),
  'OpenDocument: repeated cells': tables(filled(row(spaces.replace('cell ', `cell ${REPEATED} `)))),
  'OpenDocument: spaces': tables(filled(row(spaces.repeat(100)))),
  'many shared strings': products(rows(''), { strings: Array(240_000).fill('<t>x</t>') }),
};

test('a workbook that is small takes little memory, however it is made', {
  timeout: 600_000,
}, async t => {
  // A reader process takes 63 MB for a workbook of one row, and collects garbage when it likes.
  const limits = ['--load-memory-mb', '160'];
  for (const [what, content] of Object.entries(workbookBombs)) {
    const dir = await writeFiles(t, { 'products.xlsx': content });
    const { stdout } = await startProcess(t, ['check', dir, ...limits]).exit;
    assert.match(stdout, /^(?:ok|refused): /m, what);
    assert.doesNotMatch(stdout, /LOAD_FAILED/, what);
  }
});
