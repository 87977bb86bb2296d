import { type Column, contentFormats, durationUnits } from '../../contract/columns.ts';
import type { WrittenCatalog } from './written-catalog.ts';

/** `A`, `B` and so on: no catalog has more than 26 columns. */
export function columnLetter(column: number): string {
  return String.fromCharCode(65 + column);
}

/** The list of values that a program offers in the cells of a column below its heading. */
export interface Validation {
  formula: string;
  /** Whether a program asks before it takes another value. */
  isComplete: boolean;
  cells: string;
}

/** The lists of the columns of a catalog. `catalogs` are those that have a sheet. */
export function validationsOf(
  { columns }: WrittenCatalog,
  catalogs: readonly WrittenCatalog[],
): Validation[] {
  return columns.flatMap((column, index): Validation[] => {
    const cells = `${columnLetter(index)}2:${columnLetter(index)}${LAST_ROW}`;
    const { references, choices, cellType } = column.schema;
    const target = catalogs.find(({ catalog }) => catalog === (references ?? choices));
    // Rows are offered, and ids are taken too.
    if (target) return [{ formula: choices ? choicesOf(target) : namesOf(target), isComplete: false, cells }];
    const values = cellType && VALUES[cellType];
    return values ? [{ formula: `"${values.join(',')}"`, isComplete: true, cells }] : [];
  });
}

const VALUES: Partial<Record<NonNullable<Column['schema']['cellType']>, readonly string[]>> = {
  unit: durationUnits,
  contentFormat: contentFormats,
  flag: ['TRUE', 'FALSE'],
};

const LAST_ROW = 2 ** 20;

/** The names in a sheet, without the empty cells below them. */
function namesOf(written: WrittenCatalog): string {
  const letter = letterOf(written, 'name');
  const cells = `${written.catalog}!$${letter}$2`;
  return listOf(cells, `COUNTA(${cells}:$${letter}$${LAST_ROW})`);
}

/** Those of {@link choicesSheet}. */
function choicesOf(written: WrittenCatalog): string {
  const letter = letterOf(written, 'id');
  return listOf(`${CHOICES}!$A$2`, `COUNT(${written.catalog}!$${letter}$2:$${letter}$${LAST_ROW})`);
}

function listOf(first: string, count: string): string {
  return `OFFSET(${first},0,0,MAX(1,${count}),1)`;
}

function letterOf({ columns }: WrittenCatalog, column: string): string {
  return columnLetter(columns.findIndex(({ name }) => name === column));
}

/** The hidden sheet that has ids with names: a list can only show what a range of cells has. */
export const CHOICES = 'choices';
/** How many rows more than now it has room for. */
const SPARE_ROWS = 1_000;

/** The cells of the first column of that sheet from row 2, each with its formula and its value: the id and the name of a row. */
export function choicesSheet(written: WrittenCatalog): { formula: string; value: string }[] {
  const { catalog, columns, rows } = written;
  const [id, name] = ['id', 'name'].map(column => {
    const letter = letterOf(written, column);
    return `INDEX(${catalog}!$${letter}:$${letter},ROW())`;
  });
  const formula = `IF(${id}="","",${id}&" "&${name})`;
  const indexes = ['id', 'name'].map(column => columns.findIndex(({ name }) => name === column));
  return Array.from({ length: rows.length + SPARE_ROWS }, (_, index) => ({
    formula,
    value: indexes.flatMap(at => rows[index]?.[at] ?? []).join(' '),
  }));
}
