import { type FixedFormat, type Formats, fixedFormats, type NumberFormat } from '../formats.ts';
import type { Grid } from '../grid.ts';
import { type Locale, type LocaleName, locales } from '../locales.ts';
import type { Kind, Value } from '../workbook.ts';
import { typeOf, type Workbook } from './workbooks.ts';

const namespace = 'urn:oasis:names:tc:opendocument:xmlns';
const namespaces = Object.entries({
  office: 'office',
  table: 'table',
  text: 'text',
  style: 'style',
  number: 'datastyle',
}).map(([prefix, name]) => `xmlns:${prefix}="${namespace}:${name}:1.0"`);

/** A workbook as a flat OpenDocument file, with cells of their true types, and formats of its country. */
export function openDocument(book: Workbook): string {
  return `<?xml version="1.0" encoding="UTF-8"?>
<office:document ${namespaces.join(' ')} office:version="1.3" office:mimetype="application/vnd.oasis.opendocument.spreadsheet">
<office:automatic-styles>${stylesOf(book.formats, book.locale)}</office:automatic-styles>
<office:body><office:spreadsheet>${book.grids.map(grid => tableOf(book, grid)).join('\n')}</office:spreadsheet></office:body>
</office:document>`;
}

function tableOf(book: Workbook, grid: Grid): string {
  const lines = grid.rows.map(cells => {
    const elements = cells.map(cell => {
      const column = typeOf(cell, book, grid);
      return column ? cellElement(cell.value ?? null, column.kind) : cellElement(cell.text, 'text');
    });
    return `<table:table-row>${elements.join('')}</table:table-row>`;
  });
  return `<table:table table:name="${grid.catalog}">\n${lines.join('\n')}\n</table:table>`;
}

function cellElement(value: Value, kind: Kind): string {
  if (value === null || value === '') return '<table:table-cell/>';
  const cell = (attributes: string, content = '') =>
    `<table:table-cell table:style-name="${kind}" ${attributes}>${content}</table:table-cell>`;
  if (typeof value === 'string') {
    const lines = value.split('\n').map(line => `<text:p>${escapeText(line)}</text:p>`);
    return cell('office:value-type="string"', lines.join(''));
  }
  if (typeof value === 'number') return cell(`office:value-type="float" office:value="${value}"`);
  if (typeof value === 'boolean') return cell(`office:value-type="boolean" office:boolean-value="${value}"`);
  return cell(`office:value-type="date" office:date-value="${value.toISOString().slice(0, 19)}"`);
}

function escapeText(text: string): string {
  return text.replace(/[&<>"]/g, sign => `&#${sign.charCodeAt(0)};`).replace(/^ | $/g, '<text:s/>');
}

/** A style for each kind of column. */
function stylesOf({ amount, id, date }: Formats, name: LocaleName): string {
  const [language, country] = name.split('-');
  const locale: Locale = locales[name];
  const place = `number:language="${language}" number:country="${country}"`;
  const dates = (kind: Kind) =>
    date === 'serial'
      ? ['number', general]
      : ['date', datePattern(kind, date === 'iso' ? 'yyyy-mm-dd' : locale.date)];
  const formats: [kind: Kind, format: string[]][] = [
    ['amount', numberElement(amount, locale)],
    ['id', numberElement(id, locale)],
    ['count', numberElement(id, locale)],
    ['flag', ['boolean', '<number:boolean/>']],
    ['date', dates('date')],
    ['time', dates('time')],
  ];
  const styles = formats.map(
    ([kind, [element = '', content = '']]) =>
      `<number:${element}-style style:name="N${kind}" ${place}>${content}</number:${element}-style>` +
      `<style:style style:name="${kind}" style:family="table-cell" style:data-style-name="N${kind}"/>`,
  );
  return styles.join('\n');
}

const general = '<number:number number:min-integer-digits="1"/>';
const text = (content: string) => `<number:text>${content}</number:text>`;

/** The kind of a number's style, and what is in it. */
function numberElement(format: NumberFormat, { currency }: Locale): string[] {
  switch (format) {
    case 'General':
      return ['number', general];
    case 'currency': {
      const [before = '', after = ''] = currency.split('#');
      return ['number', text(before) + fixed('#,##0.00') + text(after)];
    }
    case 'percent':
      return ['percentage', fixed('0.00') + text('%')];
    case '0E+00':
      return [
        'number',
        '<number:scientific-number number:decimal-places="0" number:min-integer-digits="1" number:min-exponent-digits="2"/>',
      ];
    default:
      return ['number', fixed(format)];
  }
}

function fixed(format: FixedFormat): string {
  const { places, isGrouped } = fixedFormats[format];
  return `<number:number number:decimal-places="${places}" number:min-decimal-places="${places}" number:min-integer-digits="1" number:grouping="${isGrouped}"/>`;
}

const dateParts: Record<string, string> = {
  yyyy: '<number:year number:style="long"/>',
  mm: '<number:month number:style="long"/>',
  m: '<number:month/>',
  dd: '<number:day number:style="long"/>',
  d: '<number:day/>',
};

function datePattern(kind: Kind, pattern: string): string {
  const date = pattern.replace(/[a-z]+|[^a-z]+/g, part => dateParts[part] ?? text(part));
  if (kind !== 'time') return date;
  return `${date}${text(' ')}<number:hours number:style="long"/>${text(':')}<number:minutes number:style="long"/>`;
}
