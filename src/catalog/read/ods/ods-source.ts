import { type CellSource, numberSource, textSource } from '../sheet/cell-source.ts';
import { damaged } from '../workbook/fault.ts';

/** The value of a cell of an OpenDocument table, by its attributes and its text. */
export function odsSource(attributes: Readonly<Record<string, string>>, text: string): CellSource {
  const formula = attributes['table:formula'];
  if (attributes['calcext:value-type'] === 'error') return /^(?:#|Err:)/.test(text) ? text : `#${text}`;
  const { 'office:value-type': type = '', 'office:value': value = '' } = attributes;
  switch (type) {
    case 'float':
    case 'currency':
    case 'percentage': {
      const number = Number(value);
      if (!Number.isFinite(number) || value.trim() === '') throw damaged(`${value} is no number`);
      return numberSource(number);
    }
    case 'date':
      return (attributes['office:date-value'] ?? '')
        .replace('T', ' ')
        .replace(/\.0+$/, '')
        .replace(/ 00:00:00$/, '');
    case 'time':
      return attributes['office:time-value'] ?? '';
    case 'boolean':
      return attributes['office:boolean-value'] === 'true' ? 'true' : 'false';
    case 'string': {
      const written = attributes['office:string-value'] ?? text;
      return written === '' ? '' : textSource(written);
    }
    default:
      return formula === undefined ? '' : `=${formula.replace(/^of:=/, '')}`;
  }
}
