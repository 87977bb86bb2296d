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

function arrayOn(memory: ArrayBufferLike, type: ArrayType): Column {
  const ArrayOf: new (buffer: ArrayBufferLike) => Column = arrayTypes[type];
  return new ArrayOf(memory);
}

function typeOf(array: Column): ArrayType {
  if (array instanceof Float64Array) return 'Float64Array';
  return array instanceof Uint32Array ? 'Uint32Array' : 'Uint8Array';
}

/** The columns among the fields of a table whose memory threads share, each as one chunk that is not copied. */
export function* columnsIn(table: object): Generator<ColumnChunk> {
  for (const [column, array] of Object.entries(table)) {
    if (!ArrayBuffer.isView(array)) continue;
    const bytes = new Uint8Array(array.buffer);
    yield { column, type: typeOf(array as Column), start: 0, total: bytes.length, bytes };
  }
}

/**
 * Joins the chunks of {@link columnChunks}. Each byte is copied once, to the memory where it stays, which threads can share
 * if `isShared`. Then the chunks of {@link columnsIn} are taken as they are.
 */
export function openColumns<Table extends object>(isShared = false) {
  const columns = new Map<string, Column>();
  const memory = (bytes: number) => (isShared ? new SharedArrayBuffer(bytes) : new ArrayBuffer(bytes));
  return {
    add({ column, type, start, total, bytes }: ColumnChunk): void {
      const { buffer } = bytes;
      const isWhole = isShared && buffer instanceof SharedArrayBuffer;
      const array = columns.get(column) ?? arrayOn(isWhole ? buffer : memory(total), type);
      if (!isWhole) new Uint8Array(array.buffer).set(bytes, start);
      columns.set(column, array);
    },
    /** The columns are those of the table that was divided. */
    table: () => Object.fromEntries(columns) as Table,
  };
}
