import assert from 'node:assert/strict';
import { cp, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { formatProblem } from '../../src/contract/problems.ts';
import { readSource } from '../support/catalog/read-source.ts';
import { sample, sourceIn, writeFiles } from '../support/catalogs.ts';
import { startIn, startProcess } from '../support/process.ts';
import { skipWithout, skipWithoutOpenpyxl } from '../support/skipping.ts';
import { workbookBombs } from '../support/workbooks/bombs.ts';

/** Loads a workbook and saves it again; what openpyxl warns of is an error. */
const SAVE_AGAIN = `import sys, warnings, openpyxl
warnings.simplefilter("error")
openpyxl.load_workbook(sys.argv[1]).save(sys.argv[2])`;

async function run(t: TestContext, ...program: string[]): Promise<void> {
  const { exit, output } = startIn(t, '.', program);
  assert.equal(await exit, 0, output());
}

/** Has LibreOffice save a file in another format into a directory. */
async function convert(t: TestContext, file: string, format: string, outdir: string) {
  const profile = `-env:UserInstallation=${pathToFileURL(join(await writeFiles(t, {}), 'profile'))}`;
  await run(t, 'soffice', profile, '--headless', '--convert-to', format, '--outdir', outdir, file);
}

/** The version of the set in a folder, or its errors. */
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
