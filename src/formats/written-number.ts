/** A number as people write it, in its readings as JSON writes them. */
export interface WrittenNumber {
  /** If signs between its digits separate thousands. */
  grouped: string | undefined;
  /** If the only sign between its digits, or none, is the decimal sign. */
  decimal: string | undefined;
  /** What stands before or behind it, such as € or GB; empty if nothing does. */
  unit: string;
}

const UNIT = String.raw`(\p{L}*\p{Sc}|\p{L}+\.?|%)`;
const NUMBER = new RegExp(String.raw`^(?:${UNIT}\s?)?([-+]?)([\d.,'’_\s]*\d[.,]?)(?:\s?${UNIT})?$`, 'u');
/** Groups of three digits or, with commas as in India, of two before the last one. */
const GROUPED =
  /^([1-9]\d{0,2}(?:([.,'’_\s])\d{3})(?:\2\d{3})*|[1-9]\d?(?:,\d\d)+,\d{3})(?:(?!\2)[.,](\d+))?$/;
const DECIMAL = /^0*(\d*)(?:[.,](\d*))?$/;

/** Reads a number with at most one unit; undefined for other texts. Signs as in `1.2.3` leave it without a reading. */
export function readNumber(text: string): WrittenNumber | undefined {
  const halfWidth = text.replace(/[！-～]/g, character => character.normalize('NFKC'));
  const [, before = '', sign = '', digits = '', behind = ''] = NUMBER.exec(halfWidth) ?? [];
  if (digits === '' || (before && behind)) return undefined;
  const plain = (whole: string, fraction = '') =>
    sign.replace('+', '') + (whole || '0') + (fraction && `.${fraction}`);
  const [, groups, , rest] = GROUPED.exec(digits) ?? [];
  const [, whole, fraction] = DECIMAL.exec(digits) ?? [];
  const grouped = groups && plain(groups.replace(/\D/g, ''), rest);
  const decimal = whole === undefined ? undefined : plain(whole, fraction);
  return { grouped, decimal, unit: before + behind };
}

/** In lower case, what people add to the numbers of a column in its own unit. */
export const UNITS: Readonly<Record<string, ReadonlySet<string>>> = {
  memory: new Set('mb mib mo m megabyte megabytes ram'.split(' ')),
  cpu: new Set(
    `cpu cpus vcpu vcpus core cores vcore vcores kern kerne cœur cœurs coeur coeurs núcleo núcleos nucleo nucleos
    rdzeń rdzenie 核 核心 個 个`.split(/\s+/),
  ),
  price: new Set([
    ...Intl.supportedValuesOf('currency').map(code => code.toLowerCase()),
    ...`kr zł kč ft lei fr sfr руб р грн лв ден дин din tl rs rp rm km kn euro euros eur dollar dollars yuan yen
    元 円 원 圓 块`.split(/\s+/),
  ]),
};

const BYTES = /^([mgt])(?:i?b|o|(?:eg|ig|er)abytes?)?$/i;
const BITS = /^[MGT]b$/;
/** Not ¢, nor k€ and M$. */
const CURRENCY = /^(?![KM]\p{Sc})[A-Z]{0,3}(?!¢)\p{Sc}$/u;

/** What a number with its unit may mean in a column, in the unit of the column; nothing if that cannot be known. */
export function valuesIn(column: string, { grouped, decimal, unit }: WrittenNumber): string[] {
  const values = [grouped, decimal].filter(value => value !== undefined);
  if (unit === '') return values;
  if (column === 'memory') {
    const [, letter = ''] = (!BITS.test(unit) && BYTES.exec(unit)) || [];
    const factor = letter && 1024 ** 'mgt'.indexOf(letter.toLowerCase());
    return factor ? values.map(value => String(Number((Number(value) * factor).toPrecision(15)))) : [];
  }
  const isOwn = UNITS[column]?.has(unit.toLowerCase().replace('.', ''));
  return isOwn || (column === 'price' && CURRENCY.test(unit)) ? values : [];
}
