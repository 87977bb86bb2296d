/** Rows of any catalog as a list for each column: numbers as an array of their bytes, which takes no time to read. */
export type RowColumns = Readonly<Record<string, Float64Array | readonly unknown[]>>;

type AnyRow = Readonly<Record<string, unknown>>;

export function columnsOfRows(rows: readonly AnyRow[], names: readonly string[]): RowColumns {
  const columns = names.map(name => [name, columnOf(rows.map(row => row[name]))] as const);
  return Object.fromEntries(columns);
}

function columnOf(values: readonly unknown[]): RowColumns[string] {
  return values.every(value => typeof value === 'number') ? Float64Array.from(values) : values;
}

/** The rows of columns. All are copies of the same one, so that they share one V8 hidden class. */
export function rowsOfColumns(columns: RowColumns): AnyRow[] {
  const lists = Object.entries(columns);
  const empty: AnyRow = Object.fromEntries(lists.map(([name]) => [name, undefined]));
  const [, first = []] = lists[0] ?? [];
  return Array.from(first, (_value, index) => {
    const row: Record<string, unknown> = { ...empty };
    for (const [name, list] of lists) row[name] = list[index];
    return row;
  });
}
