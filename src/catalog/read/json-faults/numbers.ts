import { printable } from '../../../messages.ts';
import type { Fault, Surroundings } from './surroundings.ts';

/** The ways in which people write numbers, and JSON does not. */
const notations: [pattern: RegExp, fault: (number: string) => string][] = [
  [
    /^(?:\d{4}[-./]\d{1,2}[-./]\d{1,2}|\d{1,2}[-./]\d{1,2}[-./]\d{4})(?!\d)/,
    () => 'is a date without quotes: write it like "2026-03-31"',
  ],
  [/^0x[\da-f]{1,12}(?!\w)/i, number => `is a hexadecimal number: write ${Number(number)}`],
  [
    /^-?[1-9]\d{0,2},\d{3}(?![\d.,]*\d)/,
    number => `contains a comma: write ${number.replace(',', '')}, or ${plain(number)} if you mean a decimal`,
  ],
  [/^[-+]?\d+(?:\.\d{3})*,\d+(?![\d.,]*\d)/, number => `has a decimal comma: write ${plain(number)}`],
  [
    /^[-+]?\d{1,3}(?:[.,]\d{3})+(?:[.,]\d+)?(?![\d.,]*\d)/,
    number => `contains thousands separators: write ${plain(number)}`,
  ],
  [
    /^[-+]?\d+(?:[ \t\u00a0\u2009\u202f]\d+)+(?:[.,]\d+)?/,
    number => `contains a space: write ${plain(number)}`,
  ],
  [
    /^[-+]?\d+(?:['’_]\d+)+(?:[.,]\d+)?/,
    number => `contains ${/['’_]/.exec(number)}: write ${plain(number)}`,
  ],
  [/^\+\d+(?:\.\d+)?/, number => `has a plus sign: write ${plain(number)}`],
  [/^-?0\d+(?:\.\d+)?/, number => `begins with a zero: write ${plain(number)}`],
  [/^[-+]?\.\d+/, number => `has no digit before the point: write ${plain(number)}`],
  [/^-?\d+\.(?![\d])/, number => `has no digit after the point: write ${plain(number)}`],
  [/^[０-９][０-９．，]*/, number => `has wide digits: write ${plain(number)}`],
  [
    /^(?:\p{Sc} ?-?\d[\d.,]*|-?\d(?:[\d.,]*\d)? ?[%\p{Sc}\p{L}]+(?!\p{L}|\s*:))/u,
    number => `is more than a number: write ${plain(number)}, without a unit or currency`,
  ],
];

/** A number around the error that is not written as JSON writes it, and how many characters before the error it begins. */
export function numberFault({ before, after }: Surroundings): Fault | undefined {
  const [value = ''] = /[^:[]*$/.exec(before) ?? [];
  const number = value.trimStart();
  for (const [pattern, fault] of notations) {
    const [found] = pattern.exec(number + after) ?? [];
    if (found === undefined || found.length <= number.length) continue;
    return { back: number.length, message: `${printable(found, 40)} ${fault(found)}` };
  }
  return undefined;
}

/** The number as JSON writes it. A sign that occurs once, after all others, is the decimal sign. */
function plain(number: string): string {
  const text = number.normalize('NFKC').replace(/[^\d.,-]/g, '');
  const last = Math.max(text.lastIndexOf('.'), text.lastIndexOf(','));
  const hasFraction = last !== -1 && text.indexOf(text.charAt(last)) === last;
  const whole = (hasFraction ? text.slice(0, last) : text)
    .replace(/[.,]/g, '')
    .replace(/^(-?)0+(?=\d)/, '$1')
    .replace(/^-?$/, '$&0');
  const fraction = hasFraction ? text.slice(last + 1) : '';
  return fraction ? `${whole}.${fraction}` : whole;
}
