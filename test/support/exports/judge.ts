import type { TestContext } from 'node:test';
import { type CatalogName, columnsOf } from '../../../src/contract/columns.ts';
import { formatProblem, isError, type Problem, type SourceLocation } from '../../../src/contract/problems.ts';
import type { ReadSet } from '../../../src/reader/read-set.ts';
import type { Settings } from '../../../src/settings/settings.ts';
import { readSource } from '../catalog/read-source.ts';
import { sourceIn, writeFiles } from '../catalogs.ts';
import type { Cell, Grid } from './grid.ts';
import type { Written } from './programs.ts';
import type { Value } from './workbook.ts';

/** A workbook that somebody has exported: what its cells show and mean, and the files. */
export interface Export {
  name: string;
  tables: { grid: Pick<Grid, 'catalog' | 'rows'>; written: Written }[];
  options?: Partial<Settings>;
}

/**
 * Reads an export, and returns what is wrong with the outcome: a cell that is served with another value than it shows,
 * a cell that is refused or warned of for no reason, or one that is not refused. Empty for a sound outcome.
 */
export async function judge(t: TestContext, { name, tables, options }: Export): Promise<string[]> {
  const files = tables.map(({ grid, written }) => [`${grid.catalog}.csv`, written.bytes]);
  const read = await readSource(sourceIn(await writeFiles(t, Object.fromEntries(files)), options));
  const { problems } = read.report;
  const faults = [
    ...(read.rows ? misreadCells(tables, read.rows) : []),
    ...tables.flatMap(table => faultsOfProblems(table, problems)),
    ...problems.filter(({ line }) => line === undefined).map(formatProblem),
  ];
  return faults.map(fault => `${name}: ${fault}`);
}

/** The cells whose served value is not the one that they show. */
function misreadCells(tables: Export['tables'], served: NonNullable<ReadSet['rows']>): string[] {
  const rows = tables.map(({ grid: { catalog, rows } }) => ({ catalog, rows: rows.filter(hasValues) }));
  const isHidden = (cells: Cell[]) => valueIn(cells, 'hidden') === true;
  const configurations = rows.find(({ catalog }) => catalog === 'configurations')?.rows ?? [];
  const withoutPrices = new Set(configurations.filter(isHidden).map(cells => valueIn(cells, 'id')));
  return rows.flatMap(({ catalog, rows }) => {
    const visible = rows.filter(cells => !isHidden(cells) && !withoutPrices.has(valueIn(cells, 'rel_id')));
    const found: ReadonlyMap<unknown, Record<string, unknown>> = new Map(
      (served[catalog] ?? []).map(row => [row.id, row]),
    );
    return [
      ...(found.size === visible.length ? [] : [`MISREAD ${catalog}: ${found.size} rows are served`]),
      ...visible.flatMap(cells => misreadIn(catalog, cells, found.get(valueIn(cells, 'id')))),
    ];
  });
}

const hasValues = (cells: Cell[]) => cells.some(({ column }) => column !== undefined);

function misreadIn(catalog: CatalogName, cells: Cell[], row: Record<string, unknown> | undefined): string[] {
  if (!row) return [`MISREAD ${catalog}: no row with the id ${valueIn(cells, 'id')}`];
  const defaults = new Map(columnsOf(catalog).map(({ name, schema }) => [name, schema.default]));
  return cells
    .filter(({ column, value = null }) => {
      return column !== undefined && row[column] !== servedValue(value, defaults.get(column));
    })
    .map(({ column = '', text, value }) => {
      const [shown, wrong] = [JSON.stringify(text), JSON.stringify(row[column])];
      return `MISREAD ${catalog} ${column} ${shown}, which is ${JSON.stringify(value)}, is served as ${wrong}`;
    });
}

function valueIn(cells: Cell[], name: string): Value | undefined {
  return cells.find(({ column }) => column === name)?.value;
}

function servedValue(value: Value, whenEmpty: unknown): unknown {
  if (value === null) return whenEmpty;
  return value instanceof Date ? value.getTime() / 1000 : value;
}

/** The problems that are at the wrong cells, and the cells without the problem that they should have. */
function faultsOfProblems(
  { grid, written }: Export['tables'][number],
  problems: readonly Problem[],
): string[] {
  const file = `${grid.catalog}.csv`;
  const found = problems
    .filter(problem => problem.file === file && problem.line !== undefined)
    .map(problem => ({ problem, ...cellAt(written, problem) }));
  const isAt = (place: SourceLocation, problem: Problem, { cell, address } = cellAt(written, place)) =>
    cell?.problem === (isError(problem) ? 'error' : 'warning') &&
    (place.cell ?? address) === address &&
    (place.row ?? rowOf(address)) === rowOf(address);
  const wrong = found.filter(
    ({ problem }) => !isAt(problem, problem) || (problem.last && !isAt(problem.last, problem)),
  );
  const missing = (['error', 'warning'] as const).flatMap(severity => {
    const expected = written.cells.filter(({ cell }) => cell.problem === severity);
    // Equal problems of a column are one, at its first cell.
    const first = expected.filter(
      ({ address }, index) => expected.findIndex(other => other.address[0] === address[0]) === index,
    );
    return first
      .filter(({ address }) => !found.some(other => other.address === address))
      .map(({ address, cell }) => `no ${severity} at ${file} ${address} ${JSON.stringify(cell.text)}`);
  });
  return [
    ...wrong.map(({ problem, address }) => `needless at ${address}: ${formatProblem(problem)}`),
    ...missing,
  ];
}

const rowOf = (address = '') => Number(address.slice(1));

/** The cell in which a problem is, by its line and column in the text. */
function cellAt(
  { text, cells }: Written,
  { line = 1, column = 1 }: SourceLocation,
): Partial<Written['cells'][number]> {
  const lines = text.split(/(?<=\r\n|\n|\r(?!\n))/);
  const before = lines.slice(0, line - 1).join('').length;
  const within = Array.from(lines[line - 1] ?? '')
    .slice(0, column - 1)
    .join('').length;
  return cells.findLast(({ start }) => start <= before + within) ?? {};
}
