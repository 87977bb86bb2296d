import { crc32, createInflateRaw } from 'node:zlib';
import { type Entry, fromBufferPromise, type ZipFile } from 'yauzl';
import { reasonOf } from '../../messages.ts';
import { damaged, WorkbookFault } from './cells.ts';

/** The parts of a workbook: it is a ZIP archive of XML files. */
export interface Archive {
  has(part: string): boolean;
  /** The most bytes that a part has; 0 if it is missing. */
  size(part: string): number;
  /** The bytes of a part in pieces. @throws WorkbookFault if it is missing or damaged, or the workbook is too large. */
  read(part: string): AsyncGenerator<Buffer>;
}

/** Far more parts than any workbook has, with all its pictures. */
const MAX_PARTS = 10_000;
/** How much larger a workbook may be once it is unpacked. Those of spreadsheet programs have 10 to 28 times their size. */
const MAX_GROWTH = 40;
/** In bytes: what even the smallest workbook may unpack to. */
const MIN_UNPACKED = 4 * 1024 * 1024;

/** Opens a workbook. @throws WorkbookFault if it is damaged. */
export async function openArchive(content: Buffer): Promise<Archive> {
  const zip = await fromBufferPromise(content, { lazyEntries: true }).catch(error => fail(error));
  if (zip.entryCount > MAX_PARTS) throw damaged(`it has ${zip.entryCount} parts`);
  const parts = new Map<string, Entry>();
  try {
    for await (const entry of zip.eachEntry()) {
      const name = partName(entry.fileName);
      if (parts.has(name)) throw damaged(`it has the part ${name} twice`);
      parts.set(name, entry);
    }
  } catch (error) {
    fail(error);
  }
  let bytesLeft = Math.max(MIN_UNPACKED, MAX_GROWTH * content.length);
  return {
    has: part => parts.has(partName(part)),
    size: part => parts.get(partName(part))?.uncompressedSize ?? 0,
    async *read(part) {
      const entry = parts.get(partName(part));
      if (!entry) throw damaged(`${part} is missing`);
      // Unpacking stops at the first byte beyond this size.
      bytesLeft -= entry.uncompressedSize;
      if (bytesLeft < 0) throw tooLarge();
      let sum = 0;
      try {
        for await (const bytes of unpack(content, zip, entry)) {
          sum = crc32(bytes, sum);
          yield bytes;
        }
      } catch (error) {
        fail(error, part);
      }
      if (sum !== entry.crc32) throw damaged(`${part} has a wrong checksum`);
    },
  };
}

/**
 * The bytes of an entry in pieces. Not the stream of yauzl, so that this works where there are no streams of Node.
 * @throws Error if it cannot be unpacked, or has another size than it says.
 */
async function* unpack(content: Buffer, zip: ZipFile, entry: Entry): AsyncGenerator<Buffer> {
  const { uncompressedSize: expected, compressedSize, compressionMethod: method } = entry;
  if (entry.isEncrypted()) throw new Error('it is encrypted');
  if (!entry.canDecodeFileData()) throw new Error(`unsupported compression method: ${method}`);
  const { fileDataStart: start } = await zip.readLocalFileHeaderPromise(entry, { minimal: true });
  const packed = content.subarray(start, start + compressedSize);
  let size = 0;
  for await (const bytes of entry.isCompressed() ? inflate(packed) : piecesOf(packed)) {
    size += bytes.length;
    if (size > expected) throw new Error(`more than the ${expected} bytes that it should have`);
    yield bytes;
  }
  if (size < expected) throw new Error(`${size} bytes instead of ${expected}`);
}

/** In bytes. */
const PIECE_LENGTH = 2 ** 16;

function* piecesOf(bytes: Buffer): Generator<Buffer> {
  for (let start = 0; start < bytes.length; start += PIECE_LENGTH)
    yield bytes.subarray(start, start + PIECE_LENGTH);
}

/** Names are compared without letter case (ECMA-376, part 2), and some programs write them with backslashes. */
function partName(name: string): string {
  return name.replaceAll('\\', '/').replace(/^\//, '').toLowerCase();
}

function tooLarge(): WorkbookFault {
  const message =
    'the workbook is far larger once it is unpacked: delete empty rows and columns that have a format, and save it again';
  return new WorkbookFault(message, { code: 'FILE_TOO_BIG' });
}

function fail(error: unknown, part = 'the archive'): never {
  throw error instanceof WorkbookFault ? error : damaged(`${part}: ${reasonOf(error)}`);
}

/** The bytes of a DEFLATE stream (RFC 1951) in pieces. @throws Error of zlib if it is damaged or cut off. */
export async function* inflate(packed: Buffer): AsyncGenerator<Buffer> {
  const stream = createInflateRaw();
  stream.end(packed);
  yield* stream;
}
