import { crc32, deflateRawSync } from 'node:zlib';

/** One file of an archive, and what its headers say about it if that is not true. */
export interface ZipPart {
  name: string;
  data: string | Buffer;
  isStored?: boolean;
  /** Writes sizes and checksum behind the data, as programs do that write a stream. */
  hasDescriptor?: boolean;
  crc?: number;
  /** The size of the data. */
  size?: number;
  compressedSize?: number;
  /** Its compression, by number. */
  method?: number;
  flags?: number;
}

const LOCAL = 0x04034b50;
const CENTRAL = 0x02014b50;
const END = 0x06054b50;
const IS_UTF8 = 0x800;
const HAS_DESCRIPTOR = 8;

/** Writes a ZIP archive. */
export function zip(parts: readonly ZipPart[], { comment = '' } = {}): Buffer {
  const pieces: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const part of parts) {
    const { body, ...fields } = encode(part);
    const local = header(part, fields);
    const descriptor = part.hasDescriptor
      ? uints([4, 0x08074b50], [4, fields.crc], [4, fields.compressedSize], [4, fields.size])
      : Buffer.alloc(0);
    pieces.push(local, body, descriptor);
    directory.push(header(part, fields, offset));
    offset += local.length + body.length + descriptor.length;
  }
  const central = Buffer.concat(directory);
  const counts: Field[] = [
    [2, parts.length],
    [2, parts.length],
  ];
  const end = uints(
    [4, END],
    [2, 0],
    [2, 0],
    ...counts,
    [4, central.length],
    [4, offset],
    [2, comment.length],
  );
  return Buffer.concat([...pieces, central, end, Buffer.from(comment)]);
}

type Fields = Required<Pick<ZipPart, 'crc' | 'size' | 'compressedSize' | 'method' | 'flags'>>;

function encode(part: ZipPart): Fields & { body: Buffer } {
  const data = Buffer.from(part.data);
  const body = part.isStored ? data : deflateRawSync(data);
  return {
    body,
    crc: part.crc ?? crc32(data),
    size: part.size ?? data.length,
    compressedSize: part.compressedSize ?? body.length,
    method: part.method ?? (part.isStored ? 0 : 8),
    flags: IS_UTF8 | (part.flags ?? 0) | (part.hasDescriptor ? HAS_DESCRIPTOR : 0),
  };
}

/** The header of a part: in the directory if it has the `offset` of the part, else the one before the part. */
function header(
  { name, hasDescriptor }: ZipPart,
  { crc, size, compressedSize, method, flags }: Fields,
  offset?: number,
): Buffer {
  const isLocal = offset === undefined;
  const [sum, packed, whole] = isLocal && hasDescriptor ? [0, 0, 0] : [crc, compressedSize, size];
  const fileName = Buffer.from(name);
  return Buffer.concat([
    isLocal ? uints([4, LOCAL], [2, 20]) : uints([4, CENTRAL], [2, 20], [2, 20]),
    uints([2, flags], [2, method], [2, 0], [2, 0x21], [4, sum], [4, packed], [4, whole]),
    uints([2, fileName.length], [2, 0]),
    isLocal ? Buffer.alloc(0) : uints([2, 0], [2, 0], [2, 0], [4, 0], [4, offset]),
    fileName,
  ]);
}

type Field = [bytes: 2 | 4, value: number];

function uints(...fields: Field[]): Buffer {
  return Buffer.concat(
    fields.map(([bytes, value]) => {
      const field = Buffer.alloc(bytes);
      field.writeUIntLE(value, 0, bytes);
      return field;
    }),
  );
}
