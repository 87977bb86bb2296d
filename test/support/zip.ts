import { Zip, ZipDeflate, type ZipOptions, zipSync } from 'fflate';

export interface ZipPart {
  name: string;
  data: string | Buffer;
  isStored?: boolean;
}

export function zip(parts: readonly ZipPart[]): Buffer {
  const files = parts.map(({ name, data, isStored }): [string, [Buffer, ZipOptions]] => [
    name,
    [Buffer.from(data), { level: isStored ? 0 : 6 }],
  ]);
  return Buffer.from(zipSync(Object.fromEntries(files), { mtime: '2026-01-01' }));
}

/** Writes one with the sizes and checksums behind the data, as programs do that write a stream. */
export function zipStream(parts: readonly ZipPart[]): Buffer {
  const pieces: Uint8Array[] = [];
  const archive = new Zip((_error, piece) => pieces.push(piece));
  for (const { name, data } of parts) {
    const file = new ZipDeflate(name);
    archive.add(file);
    file.push(Buffer.from(data), true);
  }
  archive.end();
  return Buffer.concat(pieces);
}

/** The fields that the directory of an archive has for each part: their places before its name, and their bytes. */
const fields = {
  flags: [38, 2],
  method: [36, 2],
  crc: [30, 4],
  compressedSize: [26, 4],
  size: [22, 4],
} as const;

/** The archive with another value in a field of a part. */
export function withField(archive: Buffer, part: string, field: keyof typeof fields, value: number): Buffer {
  const changed = Buffer.from(archive);
  const [before, bytes] = fields[field];
  changed.writeUIntLE(value, changed.lastIndexOf(part) - before, bytes);
  return changed;
}
