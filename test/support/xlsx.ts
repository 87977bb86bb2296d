import { columnLetters } from '../../src/formats/table.ts';
import { type Files, shop } from './catalogs.ts';
import { zip } from './zip.ts';

/** A cell: a value, or the XML of its element's content and its attributes, such as `{ t: 'b', xml: '<v>1</v>' }`. */
export type Cell = string | number | boolean | null | { t?: string; s?: number; xml: string };

/** The rows of a sheet from the first one; or the XML of what is in its `worksheet` element. */
export type SheetRows = readonly (readonly Cell[])[] | string;

export interface XlsxOptions {
  /** The number formats of the styles from 1 on; style 0 is General. */
  formats?: readonly string[];
  /** The content of the `si` elements of the shared strings. */
  strings?: readonly string[];
  date1904?: boolean;
  /** The attributes of each `sheet` element by the name of the sheet. */
  states?: Readonly<Record<string, string>>;
  /** Other parts, or others in the place of those. */
  parts?: Readonly<Record<string, string>>;
}

const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const MAIN_TYPE = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml';
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006/relationships';

export function xlsx(sheets: Readonly<Record<string, SheetRows>>, options: XlsxOptions = {}): Buffer {
  return zip(xlsxParts(sheets, options));
}

export function xlsxParts(
  sheets: Readonly<Record<string, SheetRows>>,
  { formats = [], strings = [], date1904 = false, states = {}, parts = {} }: XlsxOptions = {},
): { name: string; data: string }[] {
  const names = Object.keys(sheets);
  const all: Record<string, string> = {
    '[Content_Types].xml': `<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="${MAIN_TYPE}"/></Types>`,
    '_rels/.rels': relationships([['rId1', 'officeDocument', 'xl/workbook.xml']]),
    'xl/workbook.xml': element(
      'workbook',
      `<workbookPr date1904="${date1904}"/><sheets>${names
        .map(
          (name, index) =>
            `<sheet name="${escapeXml(name)}" sheetId="${index + 1}" ${states[name] ?? ''} r:id="rId${index + 1}"/>`,
        )
        .join('')}</sheets>`,
    ),
    'xl/_rels/workbook.xml.rels': relationships([
      ...names.map(
        (_, index) => [`rId${index + 1}`, 'worksheet', `worksheets/sheet${index + 1}.xml`] as const,
      ),
      ['rId98', 'styles', 'styles.xml'],
      ['rId99', 'sharedStrings', 'sharedStrings.xml'],
    ]),
    'xl/styles.xml': element(
      'styleSheet',
      `<numFmts>${formats.map((code, index) => `<numFmt numFmtId="${164 + index}" formatCode="${escapeXml(code)}"/>`).join('')}</numFmts><cellStyleXfs><xf numFmtId="14"/></cellStyleXfs><cellXfs><xf numFmtId="0"/>${formats.map((_, index) => `<xf numFmtId="${164 + index}"/>`).join('')}</cellXfs>`,
    ),
    'xl/sharedStrings.xml': element('sst', strings.map(string => `<si>${string}</si>`).join('')),
    ...Object.fromEntries(
      names.map((name, index) => [`xl/worksheets/sheet${index + 1}.xml`, worksheet(sheets[name] ?? [])]),
    ),
    ...parts,
  };
  return Object.entries(all).map(([name, data]) => ({ name, data }));
}

function worksheet(rows: SheetRows): string {
  return element(
    'worksheet',
    typeof rows === 'string' ? rows : `<sheetData>${rows.map(rowXml).join('')}</sheetData>`,
  );
}

function rowXml(cells: readonly Cell[], index: number): string {
  return `<row r="${index + 1}">${cells.map((cell, column) => cellXml(cell, `${columnLetters(column)}${index + 1}`)).join('')}</row>`;
}

function cellXml(cell: Cell, place: string): string {
  if (cell === null) return '';
  if (typeof cell === 'string')
    return `<c r="${place}" t="inlineStr"><is><t xml:space="preserve">${escapeXml(cell)}</t></is></c>`;
  if (typeof cell === 'number') return `<c r="${place}"><v>${Number(cell).toPrecision(17)}</v></c>`;
  if (typeof cell === 'boolean') return `<c r="${place}" t="b"><v>${Number(cell)}</v></c>`;
  const { t = 'n', s = 0, xml } = cell;
  return `<c r="${place}" t="${t}" s="${s}">${xml}</c>`;
}

function element(name: string, content: string): string {
  return `<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n<${name} xmlns="${MAIN}" xmlns:r="${OFFICE}">${content}</${name}>`;
}

function relationships(list: readonly (readonly [id: string, type: string, target: string])[]): string {
  return `<Relationships xmlns="${PACKAGE}">${list
    .map(([id, type, target]) => `<Relationship Id="${id}" Type="${OFFICE}/${type}" Target="${target}"/>`)
    .join('')}</Relationships>`;
}

export function escapeXml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('"', '&quot;')
    .replaceAll('\r', '_x000D_');
}

/** The sheets of the shop, by the names of their catalogs. */
export function shopSheets(): Record<string, SheetRows> {
  return Object.fromEntries(
    Object.entries(shop).map(([file, content]) => [file.split('.')[0] ?? '', sheetOf(content ?? '')]),
  );
}

/** No file of the shop, so that workbooks take their places. */
export const noFiles: Files = Object.fromEntries(Object.keys(shop).map(file => [file, null]));

/** The cells of a file of the shop, numbers as numbers. */
export function sheetOf(content: string | Buffer | object[]): Cell[][] {
  if (Array.isArray(content)) {
    const names = [...new Set(content.flatMap(row => Object.keys(row)))];
    return [names, ...content.map(row => names.map(name => (row as Record<string, Cell>)[name] ?? null))];
  }
  const lines = content.toString().trimEnd().split('\n');
  return lines.map(line => line.split(',').map(cell => (/^\d/.test(cell) ? Number(cell) : cell || null)));
}
