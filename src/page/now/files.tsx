import type { Health } from '../../contract/health.ts';
import { formatFile, formatNumber } from '../texts/format.ts';
import { texts } from '../texts/texts.ts';

type CatalogFile = NonNullable<Health['catalogs']>['files'][number];

const { formats } = texts;
/** The names of CSV delimiters. */
const delimiters: Record<string, string> = {
  ',': formats.commas,
  ';': formats.semicolons,
  '\t': formats.tabs,
  '|': formats.bars,
};

/** The files whose rows are live. */
export function Files({ files }: { files: readonly CatalogFile[] }) {
  return (
    <section aria-labelledby="files">
      <h2 id="files">{texts.served}</h2>
      <table aria-labelledby="files">
        <thead>
          <tr>
            <th scope="col">{texts.file}</th>
            <th scope="col" class="number">
              {texts.rowsHeading}
            </th>
            <th scope="col">{texts.format}</th>
          </tr>
        </thead>
        <tbody>
          {files.map(file => (
            <tr key={formatFile(file)}>
              <th scope="row">{formatFile(file)}</th>
              <td class="number">{formatNumber(file.rows)}</td>
              <td>{formatOf(file)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

/** `utf-8, semicolons, decimal commas`. */
function formatOf({ file, sheet, encoding, delimiter, decimal }: CatalogFile): string {
  const kind = file.endsWith('.md') ? formats.markdown : sheet === undefined ? encoding : formats.workbook;
  const separator = delimiter && (delimiters[delimiter] ?? delimiter);
  return [kind, separator, decimal && formats.decimalCommas].filter(Boolean).join(', ');
}
