import { type Kind, kinds } from './cells.ts';
import type { ProblemCode } from './problems.ts';

/**
 * What is wrong with the text of a cell that cannot be read as its column's kind, and what to write instead;
 * `decimal` is the decimal sign of the file.
 */
export function adviceFor(
  kindName: Kind,
  text: string,
  decimal: string,
): { code: ProblemCode; write: string } {
  const { code, write } = kinds[kindName];
  const example = write.replace(/(?<=\d)\.(?=\d)/, decimal);
  if (isFormula(text)) return { code: 'FORMULA', write: `${example} (paste values, not formulas)` };
  const isDecimal = kindName === 'price' || kindName === 'size';
  if (isDecimal && decimal === '.' && /^\d+,\d+$/.test(text)) {
    return { code, write: `${example} (or set CSV_DECIMAL=,)` };
  }
  if (/^\d+([.,]\d+)?E\+\d+$/i.test(text)) {
    return { code, write: `${example} (a spreadsheet has shortened it: show the column as plain numbers)` };
  }
  if (kindName === 'price' && isLong(text, decimal)) {
    return { code, write: `${example}, with at most 8 digits after the point and 15 in all` };
  }
  return { code, write: example };
}

function isLong(text: string, decimal: string): boolean {
  return text.length > 9 && text.split(decimal).length <= 2 && /^\d+$/.test(text.replace(decimal, ''));
}

/** A formula, or what a spreadsheet puts in place of its value when it fails: `#REF!`, `#N/A`, `#DIV/0!`. */
function isFormula(text: string): boolean {
  return /^=|^#[A-Z\d/]+[!?]?$/.test(text.trim());
}
