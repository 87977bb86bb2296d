import { type CellSource, dateSource, numberSource, textSource } from '../sheet/cell-source.ts';
import { damaged } from '../workbook/fault.ts';
import { withoutEscapes } from './shared-strings.ts';

/** What the cells of a workbook refer to. */
export interface CellContext {
  strings: readonly CellSource[];
  /** Whether each style shows numbers as dates. */
  dateStyles: readonly boolean[];
  /** The year with which the dates begin. */
  dateSystem: 1900 | 1904;
}

/** A cell as its sheet stores it. */
export interface StoredCell {
  /** Its place, such as `E17`. */
  name: string;
  type: string;
  style: string;
  hasFormula: boolean;
  /** Its formula; empty if it shares that of another cell. */
  formula: string;
  /** The content of its `v` element. */
  value: string;
  /** The text of its `is` element. */
  text: string;
}

/** The value of a cell, which is the last stored one of a formula. @throws WorkbookFault for one that no program writes. */
export function cellSource(cell: StoredCell, { strings, dateStyles, dateSystem }: CellContext): CellSource {
  const { name, type, style, hasFormula, formula, value, text } = cell;
  if (type === 'inlineStr') return text === '' ? '' : textSource(text);
  if (value === '') return hasFormula && type !== 'str' ? `=${formula}` : '';
  switch (type) {
    case 's': {
      const found = /^\d+$/.test(value) ? strings[Number(value)] : undefined;
      if (found === undefined) throw damaged(`there is no text ${value}`, name);
      return found === '""' ? '' : found;
    }
    case 'str':
      return textSource(withoutEscapes(value));
    case 'b':
      return value === '1' || value === 'true' ? 'true' : 'false';
    case 'e':
      return value.startsWith('#') ? value : `#${value}`;
    case 'd':
      return value.replace('T', ' ').replace(/ 00:00:00(\.0+)?$/, '');
    case 'n': {
      const number = Number(value);
      if (!Number.isFinite(number) || value.trim() === '') throw damaged(`${value} is no number`, name);
      return dateStyles[Number(style)] ? dateSource(number, dateSystem) : numberSource(number);
    }
    default:
      throw damaged(`there is no type ${type}`, name);
  }
}
