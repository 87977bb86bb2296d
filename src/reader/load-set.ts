import type { CatalogFile } from '../formats/formats.ts';
import type { KeptFile, Reading } from '../history/entry.ts';
import type { HistoryBounds } from '../history/keep.ts';
import { collectProblems } from '../set/collect-problems.ts';
import { imageNames, systemDirectory } from '../set/system-directory.ts';
import { type CellOptions, validateSet } from '../set/validate-set.ts';
import type { Limits } from './limits.ts';
import {
  finish,
  type OnRow,
  type OnRows,
  type ReadSet,
  readDirectory,
  type SetReport,
  setContent,
} from './read-directory.ts';

/** Where the files of a set are, and how to read them. */
export interface CatalogSource extends CellOptions, Limits, HistoryBounds {
  catalogDir: string;
  imagesDir: string;
  /** Where the history is. */
  stateDir: string;
  /** Larger files are refused. */
  maxFileMb: number;
}

/**
 * Reads and validates a whole set. Reports problems of the files, and does not throw because of them. Lists each of them
 * if `listAll`, or else groups equal ones.
 */
export async function readSet(
  source: CatalogSource,
  listAll = false,
  onRow?: OnRow,
  onRows?: OnRows,
): Promise<ReadSet> {
  const directory = systemDirectory(source.catalogDir, source.maxFileMb);
  const images = await imageNames(source.imagesDir);
  return readDirectory(directory, source, { images }, listAll, onRow, onRows);
}

/** Reads the files of a set that was served before, which has no ambiguous numbers: all were decided then. */
export async function readKeptSet(
  files: CatalogFile[],
  source: CatalogSource,
  reading: Reading,
  onRow?: OnRow,
  onRows?: OnRows,
): Promise<ReadSet> {
  const problems = collectProblems();
  const images = await imageNames(source.imagesDir);
  const validated = await validateSet(files, reading, { images }, problems.report, onRow, () => true);
  const result = finish({ files, markdown: [], damaged: [], lookAlikes: [] }, validated, reading, problems);
  if (result.rows) onRows?.(setContent(validated.catalogs), String(result.report.version));
  return result;
}

/** The files of a set as the history keeps them. */
export function keptFiles({ files, digests }: Pick<SetReport, 'files' | 'digests'>): KeptFile[] {
  return files.flatMap(file => {
    const digest = digests.find(({ file: name }) => name === file.file);
    return digest ? [{ ...file, ...digest }] : [];
  });
}
