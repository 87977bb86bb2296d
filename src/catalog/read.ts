import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Report } from './problems.ts';
import { type CatalogName, catalogNames, catalogs } from './schemas.ts';
import { decode, type SourceText } from './text.ts';

/** The text of each catalog that is present and readable. */
type Sources = Map<CatalogName, SourceText>;

/** Reads the catalog files of a directory. Only files whose whole name matches are looked at: `news.json`, `news.csv`. */
export async function readSources(dir: string, report: Report): Promise<Sources> {
  const sources: Sources = new Map();
  const names = await fileNames(dir, report);
  if (!names) return sources;
  for (const name of catalogNames) {
    const file = chooseFile(name, names, report);
    const source = file && (await readSource(dir, file, report));
    if (source) sources.set(name, source);
  }
  return sources;
}

async function fileNames(dir: string, report: Report): Promise<string[] | undefined> {
  try {
    return await readdir(dir);
  } catch (error) {
    report({ file: dir }, 'NO_DIRECTORY', `the catalog directory cannot be read: ${reason(error)}`);
    return undefined;
  }
}

function chooseFile(name: CatalogName, names: string[], report: Report): string | undefined {
  const [file, second] = [`${name}.json`, `${name}.csv`].filter(candidate => names.includes(candidate));
  if (file && second) {
    report({ file: second }, 'TWO_FILES', `${file} is there as well: delete one of the two`, { file });
  } else if (!file && catalogs[name].required) {
    report(
      { file: `${name}.json` },
      'MISSING_FILE',
      `there is neither ${name}.json nor ${name}.csv: add one`,
    );
  }
  return second ? undefined : file;
}

async function readSource(dir: string, file: string, report: Report): Promise<SourceText | undefined> {
  try {
    return decode(file, await readFile(join(dir, file)), report);
  } catch (error) {
    report({ file }, 'UNREADABLE_FILE', `the file cannot be read: ${reason(error)}`);
    return undefined;
  }
}

function reason(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
