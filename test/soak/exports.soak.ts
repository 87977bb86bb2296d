import assert from 'node:assert/strict';
import { test } from 'node:test';
import { accidents } from '../support/exports/cases.ts';
import { numberFormats } from '../support/exports/formats.ts';
import { judge } from '../support/exports/judge.ts';
import { exportSheets, type FilterOptions } from '../support/exports/libreoffice/export-sheets.ts';
import { openDocument } from '../support/exports/libreoffice/open-document.ts';
import {
  exportedTable,
  type Variant,
  type Workbook,
  workbookOf,
} from '../support/exports/libreoffice/workbooks.ts';
import { localeNames, locales, manyScripts } from '../support/exports/locales.ts';
import { skipWithout } from '../support/skipping.ts';
import { rounds } from '../support/soak.ts';

const plain: FilterOptions = {
  separator: ',',
  encoding: 'utf-8',
  quotesTexts: false,
  quotesNumbers: false,
  asShown: true,
};
const western = localeNames.filter(name => locales[name].codePage === 'windows-1252');
const everywhere = localeNames.map(locale => workbookOf(locale, manyScripts));
const variants: Variant[] = [
  ...numberFormats.map(amount => ({ formats: { amount } })),
  ...numberFormats.map(id => ({ formats: { id } })),
  { formats: { date: 'local' } },
  { formats: { date: 'serial' } },
  { prices: 'ambiguous' },
  { prices: 'whole' },
  { prices: 'whole', formats: { amount: '#,##0' } },
];
const somewhere = (['de-DE', 'en-IN', 'en-US', 'de-CH', 'fr-FR', 'zh-CN'] as const)
  .slice(0, rounds(2, 6))
  .flatMap(locale => variants.map(variant => workbookOf(locale, manyScripts, variant)));
const broken = accidents
  .filter(({ cutAfter }) => cutAfter === undefined)
  .map(accident => workbookOf('de-DE', manyScripts, { accident }));

const runs: [name: string, workbooks: Workbook[], options: FilterOptions][] = [
  ['as LibreOffice proposes', [...everywhere, ...somewhere], plain],
  ['accidents', broken, { ...plain, separator: ';' }],
  ['all in quotes', everywhere, { ...plain, separator: ';', quotesTexts: true, quotesNumbers: true }],
  ['as stored', everywhere, { ...plain, asShown: false }],
  ['UTF-16 with tabs', everywhere, { ...plain, separator: '\t', encoding: 'utf-16le' }],
  [
    'windows-1252',
    western.map(locale => workbookOf(locale, locales[locale].texts)),
    { ...plain, separator: '|', encoding: 'windows-1252' },
  ],
];

for (const [name, workbooks, options] of runs) {
  test(`what LibreOffice exports is read as it shows, or refused at the right cell: ${name}`, {
    skip: skipWithout('soffice'),
    timeout: 600_000,
  }, async t => {
    const documents = workbooks.map(book => [book.name, openDocument(book)]);
    const files = await exportSheets(t, Object.fromEntries(documents), options);
    const faults: string[] = [];
    for (const book of workbooks) {
      const tables = book.grids.map(grid => {
        const bytes = files.get(`${book.name}-${grid.catalog}.csv`);
        assert.ok(bytes, `${book.name} ${grid.catalog}`);
        const text = new TextDecoder(options.encoding).decode(bytes);
        return exportedTable(book, grid, { text, bytes }, options);
      });
      const csvEncoding = options.encoding === 'windows-1252' ? options.encoding : 'utf-8';
      faults.push(...(await judge(t, { name: book.name, tables, options: { csvEncoding } })));
    }
    assert.equal(faults.join('\n'), '');
  });
}
