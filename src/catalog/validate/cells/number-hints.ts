import { type DecimalStyle, isAmbiguous } from '../../../formats/decimals.ts';
import type { CellHint } from './cell-hints.ts';

/** What is wrong with a CSV cell that is a number as a spreadsheet shows it; undefined for any other text. */
export function numberHint(cell: string, { decimal, isProven }: DecimalStyle): CellHint | undefined {
  const text = cell.trim();
  if (isAmbiguous(text) && !isProven) return ambiguous(text);
  const thousands = thousandsHint(text, decimal);
  if (thousands) return thousands;
  if (/^\d+[.,]\d+$/.test(text) && !text.includes(decimal)) {
    const [found, expected] = decimal === '.' ? ['comma', 'point'] : ['point', 'comma'];
    const fault = ` has a decimal ${found}, but this column has decimal ${expected}s`;
    return { code: 'DECIMAL_SIGN', fault, remedy: `write ${text.replace(/[.,]/, decimal)}` };
  }
  const [, sign] = /^(?=.*\d)[\d.,'’\s-]*(%|\p{Sc}|[元円원]|\p{L}{2,3}\.?)[\d.,'’\s-]*$/u.exec(text) ?? [];
  if (sign === undefined) return undefined;
  const remedy = 'write only the number, and format the column as plain numbers';
  return { code: 'BAD_NUMBER', fault: ` has a ${sign === '%' ? 'percent' : 'currency'} sign`, remedy };
}

function ambiguous(text: string): CellHint {
  const [whole = '', rest = ''] = text.split(/[.,]/);
  const fault = ` may be ${whole}${rest}, or ${whole} and ${Number(rest)} thousandths`;
  const remedy = `write ${whole}${rest} and turn off the thousands separator of this column, or write ${text}0`;
  return { code: 'AMBIGUOUS_NUMBER', fault, remedy };
}

/** What is wrong with a number with thousands separators; undefined if it has none. */
export function thousandsHint(text: string, decimal: DecimalStyle['decimal']): CellHint | undefined {
  const [, digits = '', groups = '', , fraction = ''] =
    /^([1-9]\d{0,2})(([.,'’\s])\d{2,3}(?:\3\d{2,3})*)((?!\3)[.,]\d+)?$/.exec(text) ?? [];
  if (!/\D\d{3}$/.test(groups)) return undefined;
  const plain = digits + groups.replace(/\D/g, '') + fraction.replace(/[.,]/, decimal);
  const remedy = `write ${plain}, and turn off the thousands separator of this column`;
  return { code: 'THOUSANDS_SEPARATOR', fault: ' has a thousands separator', remedy };
}
