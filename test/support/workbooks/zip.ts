import { crc32, deflateRawSync } from 'node:zlib';

/** One file of an archive, and what its headers say about it if that is not true. */
export interface ZipPart {
  name: string;
  data: string | Buffer;
  isStored?: boolean;
  crc?: number;
  size?: number;
  compressedSize?: number;
  /** Its compression, by number. */
  method?: number;
  flags?: number;
}

type Field = [bytes: 2 | 4, value: number];

const IS_UTF8 = 0x800;

/** Writes a ZIP archive. */
export function zip(parts: readonly ZipPart[]): Buffer {
  const pieces: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const part of parts) {
    const name = Buffer.from(part.name);
    const data = Buffer.from(part.data);
    const body = part.isStored ? data : deflateRawSync(data);
    const { crc = crc32(data), size = data.length, compressedSize = body.length } = part;
    const { method = part.isStored ? 0 : 8, flags = 0 } = part;
    const kind: Field[] = [
      [2, flags | IS_UTF8],
      [2, method],
      [2, 0],
      [2, 0x21],
    ];
    const sizes: Field[] = [
      [4, crc],
      [4, compressedSize],
      [4, size],
      [2, name.length],
      [2, 0],
    ];
    const local = Buffer.concat([uints([4, 0x04034b50], [2, 20], ...kind, ...sizes), name, body]);
    const place = uints([2, 0], [2, 0], [2, 0], [4, 0], [4, offset]);
    directory.push(uints([4, 0x02014b50], [2, 20], [2, 20], ...kind, ...sizes), place, name);
    pieces.push(local);
    offset += local.length;
  }
  const central = Buffer.concat(directory);
  const counts: Field[] = [
    [2, parts.length],
    [2, parts.length],
  ];
  const end = uints([4, 0x06054b50], [4, 0], ...counts, [4, central.length], [4, offset], [2, 0]);
  return Buffer.concat([...pieces, central, end]);
}

function uints(...fields: Field[]): Buffer {
  return Buffer.concat(
    fields.map(([bytes, value]) => {
      const field = Buffer.alloc(bytes);
      field.writeUIntLE(value, 0, bytes);
      return field;
    }),
  );
}
