import { strToU8, zipSync } from 'fflate';
import type { Column } from '../../contract/columns.ts';
import { DAY } from '../../time-zone.ts';
import { columnLetters } from '../table.ts';
import { DAYS_TO_1970 } from '../workbook/stored-cells.ts';
import { CHOICES, choicesSheet, validationsOf } from './validations.ts';
import type { WrittenCatalog, WrittenValue } from './written-catalog.ts';

const PROLOG = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';

/** Characters that XML forbids, changes or discourages, and text that looks like their escape. */
const UNSAFE_CHARACTERS = /(?![\t\n])[\p{Cc}\p{Noncharacter_Code_Point}]|_(?=x[\da-f]{4}_)/giu;

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

function xmlText(text: string): string {
  return text.replace(/[&<>"]/g, character => ENTITIES[character] ?? '');
}

/** Escapes the text of a cell. Unsafe characters become escapes such as `_x000D_` (ECMA-376, 22.9.2.19). */
function cellXml(text: string): string {
  const escaped = (unit: string) => `_x${unit.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}_`;
  return xmlText(text.replace(UNSAFE_CHARACTERS, character => character.replace(/./gs, escaped)));
}

function part(name: string, content: string): string {
  return `${PROLOG}<${name} xmlns="${MAIN}" xmlns:r="${OFFICE}">${content}</${name}>`;
}

function validationXml(written: WrittenCatalog, catalogs: readonly WrittenCatalog[]): string {
  const validations = validationsOf(written, catalogs).map(({ rule, formula, title, prompt, cells }) => {
    const formulas = formula === undefined ? '' : `<formula1>${xmlText(formula)}</formula1>`;
    return `<dataValidation ${rule} errorStyle="warning" allowBlank="1" showInputMessage="1" promptTitle="${title}" prompt="${xmlText(prompt)}" sqref="${cells}">${formulas}</dataValidation>`;
  });
  return `<dataValidations count="${validations.length}">${validations.join('')}</dataValidations>`;
}

function choicesXml(written: WrittenCatalog): string {
  const { formula, values } = choicesSheet(written);
  const rows = values.map(
    (value, index) =>
      `<row r="${index + 2}"><c r="A${index + 2}" t="str"><f>${xmlText(formula)}</f><v>${cellXml(value)}</v></c></row>`,
  );
  return `<sheetData>${rows.join('')}</sheetData>`;
}

/** The ids of the formats (ECMA-376, 18.8.30): General, text, and times. The index is the style of a cell. */
const FORMATS = [0, 49, 164];
const [GENERAL, TEXT, TIME, HEADING] = [0, 1, 2, 3];

/** The maximum length of a text in a cell of Excel, in UTF-16 units. */
export const MAX_CELL_LENGTH = 32_767;

/** Writes the sheet of a catalog: its headings stay in view. `catalogs` are those that have a sheet. */
function sheetXml(written: WrittenCatalog, catalogs: readonly WrittenCatalog[]): string {
  const { columns, rows } = written;
  const styles = columns.map(styleOf);
  const cols = columns.map(
    (column, index) =>
      `<col min="${index + 1}" max="${index + 1}" width="${widthOf(column)}" style="${styles[index]}" customWidth="1"/>`,
  );
  const headings = columns.map(({ name }, index) => textCell(name, `${columnLetters(index)}1`, HEADING));
  const lines = rows.map((row, index) => {
    const cells = row.map((value, column) =>
      cell(value, `${columnLetters(column)}${index + 2}`, styles[column] ?? 0),
    );
    return `<row r="${index + 2}">${cells.join('')}</row>`;
  });
  return [
    '<sheetViews><sheetView workbookViewId="0"><pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews>',
    `<cols>${cols.join('')}</cols>`,
    `<sheetData><row r="1">${headings.join('')}</row>${lines.join('')}</sheetData>`,
    validationXml(written, catalogs),
  ].join('');
}

/** A column of text keeps what is typed into it, such as 1-2, which would otherwise become a date. */
function styleOf({ schema }: Column): number {
  const { cellType = 'text' } = schema;
  if (cellType === 'time' || cellType === 'timeOrZero') return TIME;
  return ['text', 'terms', 'fileName'].includes(cellType) ? TEXT : GENERAL;
}

/** In characters, wide enough for the heading and for most values. */
function widthOf(column: Column): number {
  const usual = { [GENERAL]: 10, [TEXT]: 32, [TIME]: 20 }[styleOf(column)] ?? 0;
  return Math.max(usual, column.name.length + 4);
}

function cell(value: WrittenValue, place: string, style: number): string {
  if (value === undefined) return '';
  if (typeof value === 'string') return textCell(value, place, style);
  if (typeof value === 'boolean') return `<c r="${place}" t="b"><v>${Number(value)}</v></c>`;
  const number = value instanceof Date ? value.getTime() / (1000 * DAY) + DAYS_TO_1970[1900] : value;
  return `<c r="${place}" s="${style}"><v>${number}</v></c>`;
}

function textCell(text: string, place: string, style: number): string {
  return `<c r="${place}" s="${style}" t="inlineStr"><is><t xml:space="preserve">${cellXml(text)}</t></is></c>`;
}

/** Whether all texts of a catalog fit into cells. */
export function fitsCells({ rows }: WrittenCatalog): boolean {
  return rows.every(row => row.every(value => typeof value !== 'string' || value.length <= MAX_CELL_LENGTH));
}

const PACKAGE = 'http://schemas.openxmlformats.org/package/2006';
const CONTENT = 'application/vnd.openxmlformats-officedocument.spreadsheetml';

/** Writes a workbook with a sheet for each catalog (ECMA-376, part 1). The same catalogs give the same bytes. */
export function xlsxOf(catalogs: readonly WrittenCatalog[]): Buffer {
  const offered = catalogs.filter(({ catalog }) =>
    catalogs.some(({ columns }) => columns.some(({ schema }) => schema.choices === catalog)),
  );
  const sheets = [
    ...catalogs.map(written => ({ name: written.catalog, state: '', xml: sheetXml(written, catalogs) })),
    ...offered.map(written => ({ name: CHOICES, state: ' state="hidden"', xml: choicesXml(written) })),
  ];
  const targets = sheets.map((_, index) => `worksheets/sheet${index + 1}.xml`);
  const parts = {
    '[Content_Types].xml': contentTypes(targets),
    '_rels/.rels': relationships([['officeDocument', 'xl/workbook.xml']]),
    'xl/workbook.xml': part(
      'workbook',
      `<sheets>${sheets.map(({ name, state }, index) => `<sheet name="${name}" sheetId="${index + 1}"${state} r:id="rId${index + 1}"/>`).join('')}</sheets>`,
    ),
    'xl/_rels/workbook.xml.rels': relationships([
      ...targets.map(target => ['worksheet', target] as const),
      ['styles', 'styles.xml'],
    ]),
    'xl/styles.xml': part('styleSheet', STYLES),
    ...Object.fromEntries(sheets.map(({ xml }, index) => [`xl/${targets[index]}`, part('worksheet', xml)])),
  };
  const files = Object.fromEntries(Object.entries(parts).map(([name, xml]) => [name, strToU8(xml)]));
  return Buffer.from(zipSync(files, { mtime: '1980-01-01T00:00:00' }));
}

/** A style for each format, and a bold one for headings. */
const STYLES = [
  '<numFmts count="1"><numFmt numFmtId="164" formatCode="yyyy-mm-dd hh:mm:ss"/></numFmts>',
  '<fonts count="2"><font><sz val="11"/><name val="Calibri"/></font><font><b/><sz val="11"/><name val="Calibri"/></font></fonts>',
  '<fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills>',
  '<borders count="1"><border/></borders>',
  '<cellStyleXfs count="1"><xf/></cellStyleXfs>',
  `<cellXfs count="${FORMATS.length + 1}">${FORMATS.map(id => `<xf numFmtId="${id}" applyNumberFormat="1"/>`).join('')}<xf fontId="1" applyFont="1"/></cellXfs>`,
  '<cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles>',
].join('');

function contentTypes(targets: readonly string[]): string {
  const types = [
    ['/xl/workbook.xml', 'sheet.main'],
    ['/xl/styles.xml', 'styles'],
    ...targets.map(target => [`/xl/${target}`, 'worksheet']),
  ];
  return `${PROLOG}<Types xmlns="${PACKAGE}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/>${types
    .map(([name, type]) => `<Override PartName="${name}" ContentType="${CONTENT}.${type}+xml"/>`)
    .join('')}</Types>`;
}

function relationships(list: readonly (readonly [type: string, target: string])[]): string {
  const targets = list.map(
    ([type, target], index) =>
      `<Relationship Id="rId${index + 1}" Type="${OFFICE}/${type}" Target="${target}"/>`,
  );
  return `${PROLOG}<Relationships xmlns="${PACKAGE}/relationships">${targets.join('')}</Relationships>`;
}
