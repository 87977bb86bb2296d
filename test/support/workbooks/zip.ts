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

/** Writes a ZIP archive; with `zip64`, all sizes and places are in the fields for large files. */
export function zip(parts: readonly ZipPart[], { zip64 = false, comment = '' } = {}): Buffer {
  const pieces: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const part of parts) {
    const { body, ...fields } = encode(part);
    const local = header(part, fields, undefined, zip64);
    const descriptor = part.hasDescriptor
      ? uints([4, 0x08074b50], [4, fields.crc], [4, fields.compressedSize], [4, fields.size])
      : Buffer.alloc(0);
    pieces.push(local, body, descriptor);
    directory.push(header(part, fields, offset, zip64));
    offset += local.length + body.length + descriptor.length;
  }
  const central = Buffer.concat(directory);
  const count = parts.length;
  const large = zip64
    ? Buffer.concat([
        uints([4, 0x06064b50], [8, 44], [2, 45], [2, 45], [4, 0], [4, 0]),
        uints([8, count], [8, count], [8, central.length], [8, offset]),
        uints([4, 0x07064b50], [4, 0], [8, offset + central.length], [4, 1]),
      ])
    : Buffer.alloc(0);
  const end = zip64
    ? uints([4, END], [2, 0], [2, 0], [2, 0xffff], [2, 0xffff], [4, 0xffffffff], [4, 0xffffffff])
    : uints([4, END], [2, 0], [2, 0], [2, count], [2, count], [4, central.length], [4, offset]);
  const last = Buffer.concat([uints([2, comment.length]), Buffer.from(comment)]);
  return Buffer.concat([...pieces, central, large, end, last]);
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
  offset: number | undefined,
  zip64: boolean,
): Buffer {
  const isLocal = offset === undefined;
  const known = !(isLocal && hasDescriptor);
  const large = zip64
    ? uints(
        [2, 1],
        [2, isLocal ? 16 : 24],
        [8, size],
        [8, compressedSize],
        ...(isLocal ? [] : [[8, offset] as Field]),
      )
    : Buffer.alloc(0);
  const sizes: Field[] = zip64
    ? [
        [4, 0xffffffff],
        [4, 0xffffffff],
      ]
    : [
        [4, known ? compressedSize : 0],
        [4, known ? size : 0],
      ];
  const fileName = Buffer.from(name);
  return Buffer.concat([
    uints(
      [4, isLocal ? LOCAL : CENTRAL],
      ...(isLocal ? [] : [[2, 45] as Field]),
      [2, 45],
      [2, flags],
      [2, method],
    ),
    uints([2, 0], [2, 0x21], [4, known ? crc : 0], ...sizes, [2, fileName.length], [2, large.length]),
    isLocal ? Buffer.alloc(0) : uints([2, 0], [2, 0], [2, 0], [4, 0], [4, zip64 ? 0xffffffff : offset]),
    fileName,
    large,
  ]);
}

type Field = [bytes: 2 | 4 | 8, value: number];

function uints(...fields: Field[]): Buffer {
  return Buffer.concat(
    fields.map(([bytes, value]) => {
      const field = Buffer.alloc(bytes);
      if (bytes === 8) field.writeBigUInt64LE(BigInt(value));
      else field.writeUIntLE(value, 0, bytes);
      return field;
    }),
  );
}
