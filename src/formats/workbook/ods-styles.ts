import { type NumberFormat, parseNumberFormat } from './number-format.ts';
import type { CellLook } from './sheet.ts';
import type { Attributes } from './xml.ts';

type OdsLook = CellLook & { isHidden: boolean };

/** A style as it is written. What is undefined is inherited from the parent. */
interface OdsStyle {
  parent?: string | undefined;
  data?: string | undefined;
  isStruck?: boolean | undefined;
  isHidden?: boolean | undefined;
}

/** A style for numbers: the code of its format, and other styles for numbers that meet a condition. */
interface DataStyle {
  code: string;
  others: { condition: string; style: string }[];
}

const DATA_STYLE = /^number:(?:number|currency|percentage|text)-style$/;
/** Limits hostile styles that are each other's parents. */
const MAX_PARENTS = 16;

/** Collects the styles of a workbook, and translates those of numbers into Excel's format codes (OpenDocument 1.3, 16). */
export function collectStyles() {
  const styles = new Map<string, OdsStyle>();
  const dataStyles = new Map<string, DataStyle>();
  const looks = new Map<string, OdsLook>();
  let style: OdsStyle = {};
  let data: DataStyle | undefined;
  let kind = '';
  let isLiteral = false;

  const formatOf = (name: string): NumberFormat | undefined => {
    const { code = '', others = [] } = dataStyles.get(name) ?? {};
    const codes = others.map(other => `[${other.condition}]${dataStyles.get(other.style)?.code ?? ''}`);
    return parseNumberFormat([...codes, code].join(';'));
  };
  const lookOf = (name: string): OdsLook => {
    const look: OdsStyle = {};
    let next = styles.get(name);
    for (let depth = 0; next && depth < MAX_PARENTS; depth += 1) {
      look.data ??= next.data;
      look.isStruck ??= next.isStruck;
      look.isHidden ??= next.isHidden;
      next = styles.get(next.parent ?? '');
    }
    const format = look.data === undefined ? undefined : formatOf(look.data);
    return { format, isStruck: look.isStruck === true, isHidden: look.isHidden === true };
  };
  return {
    open(name: string, attributes: Attributes) {
      const named = attributes['style:name'] ?? '';
      if (DATA_STYLE.test(name)) {
        kind = name;
        data = { code: '', others: [] };
        dataStyles.set(named, data);
      } else if (name === 'style:map') {
        const { 'style:condition': condition = '', 'style:apply-style-name': style = '' } = attributes;
        data?.others.push({ condition: condition.replace('value()', '').replace('!=', '<>'), style });
      } else if (name === 'style:style') {
        style = { parent: attributes['style:parent-style-name'], data: attributes['style:data-style-name'] };
        if (/^table(?:-cell)?$/.test(attributes['style:family'] ?? '')) styles.set(named, style);
      } else if (name === 'style:table-properties') {
        style.isHidden = attributes['table:display'] === 'false';
      } else if (name === 'style:text-properties') {
        const line = attributes['style:text-line-through-style'];
        if (line !== undefined) style.isStruck = line !== 'none';
      } else if (data) {
        isLiteral = name === 'number:text' || name === 'number:currency-symbol';
        data.code += formatCodeOf(name, attributes, kind === 'number:currency-style');
      }
    },
    text(text: string) {
      if (!data || !isLiteral) return;
      // In a percentage style, the sign is a text.
      data.code +=
        kind === 'number:percentage-style' && text.includes('%') ? '%' : `"${text.replaceAll('"', '')}"`;
    },
    close(name: string) {
      isLiteral = false;
      if (DATA_STYLE.test(name)) data = undefined;
    },
    look(name: string): OdsLook {
      const look = looks.get(name) ?? lookOf(name);
      looks.set(name, look);
      return look;
    },
  };
}

/** Excel has no more digits. */
const MAX_DIGITS = 30;

function formatCodeOf(name: string, attributes: Attributes, isCurrency: boolean): string {
  const { 'number:decimal-places': written, 'number:min-decimal-places': min } = attributes;
  // LibreOffice shows two decimals of each currency.
  const places = written ?? (isCurrency ? (min ?? '2') : undefined);
  const least = min ?? places;
  if (name === 'number:text-content') return '@';
  if (name === 'number:fraction') return '# ?/?';
  if (name !== 'number:number' && name !== 'number:scientific-number') return '';
  // It shows all decimals of the value.
  if (places === undefined) return 'General';
  const zeros = (count?: string) => '0'.repeat(Math.max(0, Math.min(Number(count) || 0, MAX_DIGITS)));
  const whole = zeros(attributes['number:min-integer-digits']) || '#';
  const decimals = zeros(least).padEnd(zeros(places).length, '#');
  const thousands = Math.log10(Number(attributes['number:display-factor'] ?? 1)) / 3;
  return [
    attributes['number:grouping'] === 'true' ? `#,##${whole}` : whole,
    decimals && `.${decimals}`,
    thousands >= 1 && thousands < MAX_DIGITS ? ','.repeat(thousands) : '',
    name === 'number:scientific-number' ? 'E+00' : '',
  ].join('');
}
