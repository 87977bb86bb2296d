import { columnLetters } from '../column-names.ts';
import { checkColumn, checkRow } from '../sheet/cell-names.ts';
import { addRange, collectRows, type Sheet, type SheetContent } from '../sheet/collect-rows.ts';
import { MAX_ROWS } from '../table.ts';
import { damaged } from '../workbook/fault.ts';
import type { XmlVisitor } from '../workbook/xml.ts';
import { odsSource } from './ods-source.ts';
import { collectParagraphs } from './paragraphs.ts';

type Attributes = Readonly<Record<string, string>>;

/** What is no table although it may have cells: deleted ones, copies of other documents, and pictures. */
const IGNORED: ReadonlySet<string> = new Set(['tracked-changes', 'dde-links', 'shapes']);
/** How many of equal rows are kept: two have an id twice already. */
const MAX_EQUAL_ROWS = 2;

/** A sheet with what it holds. */
export interface OdsSheet extends Sheet {
  content: SheetContent;
}

/** Adds the tables of a document to `sheets`. */
export function tablesVisitor(sheets: OdsSheet[]): XmlVisitor {
  const hiddenStyles = new Set<string>();
  const paragraphs = collectParagraphs();
  let style = '';
  let ignored = 0;
  let content: SheetContent | undefined;
  let rows = collectRows([]);
  let row = { first: 0, times: 1 };
  let column = 0;
  let cell: Attributes | undefined;

  const openTable = (attributes: Attributes) => {
    const isHidden = hiddenStyles.has(attributes['table:style-name'] ?? '');
    content = { rows: [], merged: [], hiddenColumns: [] };
    sheets.push({ name: attributes['table:name'] ?? '', isHidden, content });
    rows = collectRows(content.rows);
    row = { first: 0, times: 1 };
    column = 0;
  };
  const openColumns = (attributes: Attributes) => {
    const times = repeats(attributes['table:number-columns-repeated']);
    if (isHidden(attributes) && content) addRange(content.hiddenColumns, [column, column + times - 1]);
    column += times;
  };
  const openRow = (attributes: Attributes) => {
    row = { first: row.first + row.times, times: repeats(attributes['table:number-rows-repeated']) };
    rows.open(row.first, isHidden(attributes));
    column = 0;
  };
  const closeRow = () => {
    if (!rows.close()) return;
    checkRow(row.first + row.times - 1);
    const last = content?.rows.at(-1);
    for (let time = 1; last && time < Math.min(row.times, MAX_EQUAL_ROWS); time += 1)
      content?.rows.push({ ...last, number: row.first + time });
  };
  const closeCell = (attributes: Attributes) => {
    const times = repeats(attributes['table:number-columns-repeated']);
    const source = odsSource(attributes, paragraphs.take());
    const name = `${columnLetters(column)}${row.first}`;
    if (source !== '') checkColumn(column + times - 1, name);
    const width = repeats(attributes['table:number-columns-spanned']);
    const height = repeats(attributes['table:number-rows-spanned']);
    if (content && (width > 1 || height > 1)) {
      const last = { row: row.first + height - 1, column: column + width - 1 };
      const range = `${name}:${columnLetters(last.column)}${last.row}`;
      addRange(content.merged, { name: range, first: { row: row.first, column }, last });
    }
    rows.add(column, source, times);
    column += times;
  };

  return {
    open(name, attributes) {
      if (ignored > 0 || IGNORED.has(name)) ignored += 1;
      else if (cell) paragraphs.open(name, attributes);
      else if (name === 'style') style = attributes['style:name'] ?? '';
      else if (name === 'table-properties' && attributes['table:display'] === 'false')
        hiddenStyles.add(style);
      else if (name === 'table') openTable(attributes);
      else if (name === 'table-column') openColumns(attributes);
      else if (name === 'table-row') openRow(attributes);
      else if (name === 'table-cell') cell = attributes;
      // What it holds is not shown.
      else if (name === 'covered-table-cell') column += repeats(attributes['table:number-columns-repeated']);
    },
    text(text) {
      if (cell && ignored === 0) paragraphs.text(text);
    },
    close(name) {
      if (ignored > 0) ignored -= 1;
      else if (paragraphs.isInside()) paragraphs.close();
      else if (name === 'table-row') closeRow();
      else if (name === 'table-cell' && cell) {
        closeCell(cell);
        cell = undefined;
      }
    },
  };
}

function repeats(attribute = '1'): number {
  const times = Number(attribute);
  if (!(Number.isInteger(times) && times > 0 && times <= MAX_ROWS))
    throw damaged(`${attribute} is no number of cells`);
  return times;
}

function isHidden({ 'table:visibility': visibility = 'visible' }: Attributes): boolean {
  return visibility !== 'visible';
}
