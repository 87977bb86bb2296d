const arrayTypes = { Float64Array, Uint32Array, Uint8Array } as const;

type ArrayType = keyof typeof arrayTypes;
type Column = Float64Array | Uint32Array | Uint8Array;

/** Bytes of a typed array, from `start`, out of `total`. */
export interface ColumnChunk {
  column: string;
  type: ArrayType;
  start: number;
  total: number;
  bytes: Uint8Array;
}

/** The most bytes of a chunk: receiving them takes about a millisecond. */
const CHUNK_BYTES = 2 ** 20;

/** Divides the columns of a table into chunks, at least one a column, and deletes each column after its last chunk. */
export function* columnChunks<Name extends string>(table: Record<Name, Column>): Generator<ColumnChunk> {
  for (const column of Object.keys(table) as Name[]) {
    const array = table[column];
    const { buffer, byteOffset, byteLength: total } = array;
    let start = 0;
    do {
      const length = Math.min(CHUNK_BYTES, total - start);
      const bytes = new Uint8Array(buffer, byteOffset + start, length);
      yield { column, type: typeOf(array), start, total, bytes };
      start += length;
    } while (start < total);
    delete (table as Partial<typeof table>)[column];
  }
}

function typeOf(array: Column): ArrayType {
  if (array instanceof Float64Array) return 'Float64Array';
  return array instanceof Uint32Array ? 'Uint32Array' : 'Uint8Array';
}

/** Joins the chunks of {@link columnChunks}. Each byte is copied once, to the memory where it stays. */
export function openColumns<Table extends object>() {
  const columns = new Map<string, Column>();
  return {
    add({ column, type, start, total, bytes }: ColumnChunk): void {
      const ArrayOf: new (memory: ArrayBuffer) => Column = arrayTypes[type];
      const array = columns.get(column) ?? new ArrayOf(new ArrayBuffer(total));
      new Uint8Array(array.buffer).set(bytes, start);
      columns.set(column, array);
    },
    /** The columns are those of the table that was divided. */
    table: () => Object.fromEntries(columns) as Table,
  };
}
