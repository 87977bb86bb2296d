import type { Reporter, SourceLocation } from '../../../contract/problems.ts';
import { columnLetters } from '../column-names.ts';
import { type SourceText, sourceText } from '../decode.ts';
import { chooseDelimiter, separatorLine } from './dialect.ts';
import { readRecords } from './records.ts';

/** The location of an offset in a CSV file that cannot be read from there on, with the cell around it. */
export function cellAt(source: SourceText, known: readonly string[], offset: number): SourceLocation {
  // The character makes a cell of an empty end.
  const before = sourceText(source.file, `${source.text.slice(0, offset)}x`);
  const start = separatorLine(before.text);
  let open: SourceLocation | undefined;
  const onFault: Reporter = place => {
    open = 'locate' in place ? place.locate() : place;
  };
  const delimiter = chooseDelimiter(before.text.slice(start), known);
  const { records } = readRecords(before, start, delimiter, onFault);
  const last = records.at(-1);
  const { row = last?.number ?? 1, cell = `${columnLetters((last?.cells.length ?? 1) - 1)}${row}` } =
    open ?? {};
  return { ...source.locate(offset), row, cell };
}
