import { collectProblems } from '../../../set/collect-problems.ts';
import type { Directory } from '../../../set/directory.ts';
import { readFiles } from '../../../set/files.ts';
import { type CellOptions, type SetContext, validateSet } from '../../../set/validate-set.ts';
import { setContent } from './catalog-content.ts';
import { finish, type OnRow, type OnRows, type ReadSet } from './finish.ts';

/**
 * Reads and validates the set of a directory, wherever that is. Reports problems of the files, and does not throw because
 * of them. Lists each of them if `listAll`, or else groups equal ones.
 */
export async function readDirectory(
  directory: Directory,
  options: CellOptions,
  context: SetContext,
  listAll: boolean,
  onRow?: OnRow,
  onRows?: OnRows,
): Promise<ReadSet> {
  const problems = collectProblems(listAll);
  const content = await readFiles(directory, problems.report, [], context.served);
  const validated = await validateSet(content.files, options, context, problems.report, onRow);
  const result = finish(content, validated, options, problems);
  if (result.rows) onRows?.(setContent(validated.catalogs), String(result.report.version));
  return result;
}
