import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { writeFiles, writeInto } from '../../catalogs.ts';
import { convert } from './convert.ts';

/** How LibreOffice writes CSV files: the options of its filter that matter here. */
export interface FilterOptions {
  separator: ',' | ';' | '\t' | '|';
  encoding: 'utf-8' | 'utf-16le' | 'windows-1252';
  /** Whether all texts are in quotes. */
  quotesTexts: boolean;
  /** Whether all numbers are in quotes. */
  quotesNumbers: boolean;
  /** Whether cells are written as they are shown, rather than as they are stored. */
  asShown: boolean;
}

/** The numbers of encodings in LibreOffice. */
const encodings = { 'utf-8': 76, 'utf-16le': 65_535, 'windows-1252': 1 };
const QUOTE = 34;
const FROM_FIRST_LINE = 1;
const ENGLISH = 1033;
const EACH_SHEET = -1;

/**
 * Starts LibreOffice once, and has it export each sheet of documents, given by name. Returns the files by the name of
 * their document and sheet: `de-DE-prices.csv`.
 */
export async function exportSheets(
  t: TestContext,
  documents: Record<string, string>,
  { separator, encoding, quotesTexts, quotesNumbers, asShown }: FilterOptions,
): Promise<Map<string, Buffer>> {
  const dir = await writeFiles(t, {});
  const sources = Object.fromEntries(Object.entries(documents).map(([name, xml]) => [`${name}.fods`, xml]));
  await writeInto(join(dir, 'documents'), sources);
  const tokens = [
    separator.charCodeAt(0),
    QUOTE,
    encodings[encoding],
    FROM_FIRST_LINE,
    '',
    ENGLISH,
    quotesTexts,
    !quotesNumbers,
    asShown,
    false,
    false,
    EACH_SHEET,
  ];
  const names = Object.keys(sources).map(name => join(dir, 'documents', name));
  const format = `csv:Text - txt - csv (StarCalc):${tokens.join()}`;
  await convert(t, dir, names, format, join(dir, 'exports'));
  const exported = await readdir(join(dir, 'exports'));
  const files = exported.map(async name => [name, await readFile(join(dir, 'exports', name))] as const);
  return new Map(await Promise.all(files));
}
