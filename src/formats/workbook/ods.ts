import { columnLetters, MAX_ROWS } from '../table.ts';
import type { Archive } from './archive.ts';
import { DATE_FORMAT, type NumberFormat, PERCENTAGE } from './number-format.ts';
import { collectStyles } from './ods-styles.ts';
import { addRange, collectRows, type Sheet, type SheetContent } from './sheet.ts';
import {
  type CellSource,
  checkColumn,
  checkRow,
  damaged,
  joinText,
  numberSource,
  PASSWORD,
  storedNumber,
  WorkbookFault,
} from './stored-cells.ts';
import { type Attributes, readXml, type XmlVisitor } from './xml.ts';

const MANIFEST = 'META-INF/manifest.xml';

/** Opens an OpenDocument workbook, all sheets at once. @throws WorkbookFault if it is damaged or has a password. */
export async function openOds(archive: Archive): Promise<Sheet[]> {
  if (archive.has(MANIFEST))
    await readXml(archive, MANIFEST, {
      open(name) {
        if (name.endsWith(':encryption-data')) throw new WorkbookFault(PASSWORD);
      },
    });
  const sheets: Sheet[] = [];
  try {
    const styles = collectStyles();
    if (archive.has('styles.xml')) await readXml(archive, 'styles.xml', styles);
    await readXml(archive, 'content.xml', tablesVisitor(sheets, styles));
  } catch (error) {
    if (error instanceof WorkbookFault) error.sheet = sheets.at(-1)?.name;
    throw error;
  }
  return sheets;
}

/** Elements that may contain cells but are not tables: deleted cells, copies of other documents, and pictures. */
const UNREAD: ReadonlySet<string> = new Set(['table:tracked-changes', 'table:dde-links', 'table:shapes']);
/** How many equal rows are kept. Two are enough to report a duplicate id. */
const MAX_EQUAL_ROWS = 2;

/** Far more columns than any catalog has. */
const MAX_STYLED_COLUMNS = 256;

type Styles = ReturnType<typeof collectStyles>;

/** Adds the tables of a document to `sheets`, and its styles to `styles`, which has those of the workbook already. */
function tablesVisitor(sheets: Sheet[], styles: Styles): XmlVisitor {
  const paragraphs = collectParagraphs();
  let ignored = 0;
  let table: ReturnType<typeof collectTable> | undefined;
  let cell: Attributes | undefined;
  return {
    open(name, attributes) {
      if (ignored > 0 || UNREAD.has(name)) ignored += 1;
      else if (cell) paragraphs.open(name, attributes);
      else if (name === 'table:table-cell') cell = attributes;
      else if (name === 'table:table') {
        const { isHidden } = styles.look(attributes['table:style-name'] ?? '');
        const content: SheetContent = { rows: [], merged: [], hiddenColumns: [] };
        sheets.push({ name: attributes['table:name'] ?? '', isHidden, read: async () => content });
        table = collectTable(content, styles);
      } else if (table) table.open(name, attributes);
      else styles.open(name, attributes);
    },
    text(text) {
      if (cell && ignored === 0) paragraphs.text(text);
      else if (!table) styles.text(text);
    },
    close(name) {
      if (ignored > 0) ignored -= 1;
      else if (paragraphs.isInside()) paragraphs.close();
      else if (name === 'table:table-row') table?.closeRow();
      else if (name === 'table:table-cell' && cell) {
        table?.addCell(cell, paragraphs.take());
        cell = undefined;
      } else if (!table) styles.close(name);
    },
  };
}

/** Adds the rows of a table to `content`, and what its layout may hide. */
function collectTable(content: SheetContent, styles: Styles) {
  const rows = collectRows(content.rows);
  let row = { first: 0, times: 1, style: undefined as string | undefined };
  let column = 0;
  /** For cells without a style. */
  const columnStyles: (string | undefined)[] = [];
  return {
    open(name: string, attributes: Attributes) {
      const { 'table:default-cell-style-name': style } = attributes;
      if (name === 'table:table-row') {
        const times = repeats(attributes['table:number-rows-repeated']);
        row = { first: row.first + row.times, times, style };
        rows.open(row.first, isHidden(attributes));
        column = 0;
      } else if (name === 'table:table-column') {
        const times = repeats(attributes['table:number-columns-repeated']);
        if (isHidden(attributes)) addRange(content.hiddenColumns, [column, column + times - 1]);
        for (let at = column; at < Math.min(column + times, MAX_STYLED_COLUMNS); at += 1)
          columnStyles[at] = style;
        column += times;
      } else if (name === 'table:covered-table-cell') {
        // Its content is not shown.
        column += repeats(attributes['table:number-columns-repeated']);
      }
    },
    addCell(attributes: Attributes, text: string) {
      const times = repeats(attributes['table:number-columns-repeated']);
      const source = odsSource(attributes, text);
      const name = `${columnLetters(column)}${row.first}`;
      if (source !== '') checkColumn(column + times - 1, name);
      const width = repeats(attributes['table:number-columns-spanned']);
      const height = repeats(attributes['table:number-rows-spanned']);
      if (width > 1 || height > 1) {
        const last = { row: row.first + height - 1, column: column + width - 1 };
        const range = `${name}:${columnLetters(last.column)}${last.row}`;
        addRange(content.merged, { name: range, first: { row: row.first, column }, last });
      }
      const style = attributes['table:style-name'] ?? row.style ?? columnStyles[column] ?? '';
      const { format, isStruck } = styles.look(style);
      rows.add(column, source, { format: shownAs(attributes['office:value-type'], format), isStruck }, times);
      column += times;
    },
    closeRow() {
      if (!rows.close()) return;
      checkRow(row.first + row.times - 1);
      const last = content.rows.at(-1);
      for (let time = 1; last && time < Math.min(row.times, MAX_EQUAL_ROWS); time += 1)
        content.rows.push({ ...last, number: row.first + time });
    },
  };
}

function repeats(attribute: string | undefined): number {
  return countOf(attribute, 'cells', 1, MAX_ROWS);
}

function countOf(attribute = '1', what: string, least: number, most: number): number {
  const count = Number(attribute);
  if (Number.isInteger(count) && count >= least && count <= most) return count;
  throw damaged(`${attribute} is not a number of ${what}`);
}

function isHidden({ 'table:visibility': visibility = 'visible' }: Attributes): boolean {
  return visibility !== 'visible';
}

function shownAs(type: string | undefined, format: NumberFormat | undefined): NumberFormat | undefined {
  if (type === 'date' || type === 'time') return DATE_FORMAT;
  if (type === 'percentage') return format ?? PERCENTAGE;
  return type === 'float' || type === 'currency' ? format : undefined;
}

function odsSource(attributes: Attributes, text: string): CellSource {
  const formula = attributes['table:formula'];
  if (attributes['calcext:value-type'] === 'error') return /^(?:#|Err:)/.test(text) ? text : `#${text}`;
  const { 'office:value-type': type = '', 'office:value': value = '' } = attributes;
  switch (type) {
    case 'float':
    case 'currency':
    case 'percentage':
      return numberSource(storedNumber(value));
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
      return written === '' ? '' : JSON.stringify(written);
    }
    default:
      return formula === undefined ? '' : `=${formula.replace(/^of:=/, '')}`;
  }
}

/** More consecutive spaces are an accident or an attack. */
const MAX_SPACES = 1_000;

/** Collects the paragraphs of a cell as lines. Spaces and line breaks are elements (OpenDocument 1.3, 6.1). */
function collectParagraphs() {
  let text = '';
  let paragraphs = 0;
  /** The depth of the element: 1 for a paragraph, 0 outside. */
  let depth = 0;
  let isText = false;
  const add = (piece: string) => {
    if (isText) text = joinText(text, piece);
  };
  return {
    open(name: string, attributes: Readonly<Record<string, string>>) {
      depth += 1;
      if (depth === 1) {
        isText = name === 'text:p';
        if (isText && paragraphs > 0) add('\n');
        if (isText) paragraphs += 1;
      } else if (name === 'text:s') add(' '.repeat(countOf(attributes['text:c'], 'spaces', 0, MAX_SPACES)));
      else if (name === 'text:tab') add('\t');
      else if (name === 'text:line-break') add('\n');
    },
    text(piece: string) {
      // Against 6.1.2, LibreOffice keeps consecutive spaces, and versions before 7.5 write them.
      if (depth > 0) add(piece.replace(/ *[\t\n\r][\t\n\r ]*/g, ' '));
    },
    close() {
      depth -= 1;
    },
    isInside: () => depth > 0,
    take(): string {
      const taken = text;
      text = '';
      paragraphs = 0;
      return taken;
    },
  };
}
