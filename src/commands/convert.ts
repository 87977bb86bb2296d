import { catalogNames, columnsOf, EXTRA, extraColumn } from '../contract/columns.ts';
import { type FormatName, formats } from '../formats/write/write.ts';
import { asTable, type WrittenCatalog, writtenValue } from '../formats/write/written-catalog.ts';
import { MAX_CELL_LENGTH } from '../formats/write/xlsx.ts';
import { formatProblems } from '../live/report.ts';
import { plural, printable } from '../messages.ts';
import { choiceOf } from '../settings/parsers.ts';
import { parseAs } from '../settings/read.ts';
import type { Settings } from '../settings/settings.ts';
import { openTimeZone } from '../time-zone.ts';
import type { Call } from './call.ts';
import { type NamedSide, openSide, titleOf } from './diff.ts';
import { writeFolder } from './new-folder.ts';

/**
 * `vitrine convert FROM TO`: writes the set of a version or a directory into a new folder, in another format. Writes nothing
 * if the new files would not have the same version.
 * @throws Error if a value cannot be written in that format, and CatalogError if the directory has errors.
 */
export async function convert(call: Call, from: string, to: string): Promise<void> {
  const settings = call.settings();
  const format = chosenFormat(call);
  const side = await openSide(from, settings, call.warn);
  const catalogs = await writtenCatalogs(side, settings);
  const files = formats[format](catalogs);
  await writeFolder(to, files, settings, report => {
    if (report.version === side.version) return;
    const [problem = 'its values'] = report.version === undefined ? formatProblems(report) : [];
    throw new Error(`${format} cannot express the values of ${titleOf(side)}: ${problem}`);
  });
  const rows = catalogs.reduce((sum, { rows }) => sum + rows.length, 0);
  const names = Object.keys(files).join(', ');
  const other = catalogs.filter(written => !asTable(written)).map(({ catalog }) => `${catalog}.json`);
  const long = Object.keys(files).filter(name => name !== 'catalog.xlsx' && !other.includes(name));
  if (format !== 'json' && other.length > 0)
    call.warn(`own fields in ${other.join(', ')} have values that a table cannot have`);
  if (format === 'xlsx' && long.length > 0)
    call.warn(`a text in ${long.join(', ')} is longer than the ${MAX_CELL_LENGTH} characters of a cell`);
  call.print(`${titleOf(side)} → ${printable(to)}: ${names} with ${plural(rows, 'row')}\n`);
}

/** Returns the format that `--format` names. @throws UsageError if there is no such format. */
export function chosenFormat({ flags: { format = 'xlsx' } }: Call): FormatName {
  return parseAs(choiceOf('FORMAT', ...(Object.keys(formats) as FormatName[])), format, '--format');
}

async function writtenCatalogs(side: NamedSide, { timeZone }: Settings): Promise<WrittenCatalog[]> {
  const zone = openTimeZone(timeZone);
  const catalogs: WrittenCatalog[] = [];
  for (const [catalog, content] of await side.read(catalogNames)) {
    if (!content) continue;
    // A column may have got its values from one with a foreign heading. Content is HTML by now, whatever its format was.
    const columns = columnsOf(catalog).filter(
      ({ name, schema }) =>
        name !== 'content_format' &&
        (content.columns.includes(name) || content.rows.some(row => row[name] !== schema.default)),
    );
    if (content.rows.some(row => row.extra !== undefined)) columns.push(extraColumn(EXTRA));
    const rows = content.rows.map(row => columns.map(column => writtenValue(row[column.name], column, zone)));
    catalogs.push({ catalog, columns, rows });
  }
  return catalogs;
}
