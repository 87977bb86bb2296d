/**
 * Reads every case of a folder of faulty and unusual catalogs, and compares what was found with its manifest.json:
 * accepted or refused, where, and the rows. Prints each that differs, and the score; exits with 1 if a firm one does.
 *
 *   npx tsx scripts/verify-badfiles.ts DIR
 */
import { cp, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import type { CatalogName } from '../src/contract/columns.ts';
import {
  formatLocation,
  formatProblem,
  isError,
  type Problem,
  type SourceLocation,
} from '../src/contract/problems.ts';
import { type ReadSet, readSet } from '../src/reader/read-set.ts';
import { systemDirectory } from '../src/set/system-directory.ts';
import { readSettings } from '../src/settings/read.ts';

type Texts = Record<string, string>;

/** The manifest's own `fields` say what these mean. */
interface Case
  extends Record<'id' | 'file', string>,
    Partial<Record<'lines_ok' | 'columns_ok', number[] | null>>,
    Partial<Record<'settings' | 'accepted_with', Texts>>,
    Partial<Record<'records' | 'records_with', Texts[]>> {
  catalog: CatalogName;
  replaces: string | null;
  must: 'accept' | 'refuse';
  firm: boolean;
  fault_in?: string;
  also_at?: SourceLocation;
  same_as_base?: boolean;
  warnings?: string[];
}

function read(catalogDir: string, settings?: Texts): Promise<ReadSet> {
  const own = readSettings({}, { CATALOG_DIR: catalogDir, IMAGES_DIR: catalogDir, ...settings });
  return readSet(systemDirectory(own), own);
}

/** What was expected and what came instead; undefined where the case is as the manifest says. */
async function verify(item: Case, dir: string, base: ReadSet): Promise<string | undefined> {
  const { accepted_with: others, records_with: records = [], ...plain } = item;
  const set = await read(dir, plain.settings);
  const missing = plain.must === 'refuse' ? missingFault(set, plain) : missingRows(set, plain, base);
  const told = set.report.problems.map(formatProblem).join('; ') || 'nothing';
  if (missing || !others) return missing && `expected ${missing}, told ${told}`;
  return verify({ ...plain, must: 'accept', settings: { ...plain.settings, ...others }, records }, dir, base);
}

function missingFault({ report }: ReadSet, { fault_in, lines_ok, columns_ok, also_at }: Case) {
  const isFault = ({ file, line = 0, column = 0, also = { file } }: Problem) =>
    file === fault_in &&
    (lines_ok ?? [line]).includes(line) &&
    (columns_ok ?? [column]).includes(column) &&
    formatLocation(also_at ?? also) === formatLocation(also);
  const isTold = report.problems.filter(isError).some(isFault);
  return isTold ? undefined : `an error at ${JSON.stringify({ fault_in, lines_ok, columns_ok, also_at })}`;
}

function missingRows({ report, rows }: ReadSet, item: Case, base: ReadSet): string | undefined {
  const found: object[] = rows?.[item.catalog] ?? [];
  const { same_as_base, warnings, records } = item;
  if (report.errors > 0) return 'no error';
  if (same_as_base && report.version !== base.report.version) return 'the rows of base';
  if (warnings && report.warnings !== warnings.length) return `${warnings.length} warnings`;
  if (records && records.length !== found.length) return `${records.length} rows and not ${found.length}`;
  const missing = records?.find(record => !found.some(row => isRow(row, record)));
  return missing && `the row ${JSON.stringify(missing)}`;
}

/** Whether a row has the values of a record, and else empty ones. Times are in UTC. */
function isRow(row: object, record: Texts): boolean {
  const readings = (text = '') => [text, Number(text), Date.parse(`${text}Z`) / 1000, text === 'true'];
  return Object.entries(row).every(([column, value]) => readings(record[column]).includes(value ?? ''));
}

async function main([dir]: string[], scratch: string): Promise<void> {
  if (!dir) throw new Error('usage: npx tsx scripts/verify-badfiles.ts DIR');
  const { cases }: { cases: Case[] } = JSON.parse(await readFile(join(dir, 'manifest.json'), 'utf8'));
  const base = await read(join(dir, 'base'));
  const count = { accept: 0, refuse: 0, firm: 0, soft: 0 };
  for (const item of cases) {
    const into = join(scratch, item.id);
    await cp(join(dir, 'base'), into, { recursive: true, filter: path => basename(path) !== item.replaces });
    await cp(join(dir, item.file), join(into, basename(item.file)));
    const wrong = await verify(item, into, base);
    if (wrong) console.log(`${item.firm ? '' : 'soft: '}${item.id}: ${wrong}`);
    count[wrong ? (item.firm ? 'firm' : 'soft') : item.must] += 1;
  }
  console.log(
    `${cases.length} cases: ${count.accept + count.refuse} as the manifest says, of these ${count.accept} accepted and ${count.refuse} refused at their place; ${count.firm} firm and ${count.soft} soft ones not`,
  );
  if (count.firm > 0) process.exitCode = 1;
}

const scratch = await mkdtemp(join(tmpdir(), 'vitrine-'));
main(process.argv.slice(2), scratch)
  .catch((error: Error) => {
    console.error(error.message);
    process.exitCode = 1;
  })
  .finally(() => rm(scratch, { recursive: true }));
