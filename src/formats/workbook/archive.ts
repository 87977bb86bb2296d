import { crc32 } from 'node:zlib';
import { type Entry, fromBufferPromise } from 'yauzl';
import { damaged, failIn, WorkbookFault } from './stored-cells.ts';

/** A workbook as a ZIP archive, whose parts are mostly XML. */
export interface Archive {
  has(part: string): boolean;
  /** Unpacks a part piece by piece. @throws WorkbookFault if it is missing or damaged, or the workbook is too large. */
  read(part: string): AsyncGenerator<Buffer>;
}

/** Far more parts than any workbook has, pictures included. */
const MAX_PARTS = 10_000;
/** How many times its size a workbook may unpack to. Those of spreadsheet programs unpack to 10 to 28 times their size. */
const MAX_GROWTH = 40;
/** What even the smallest workbook may unpack to, in bytes. */
const MIN_UNPACKED = 4 * 1024 * 1024;
const TOO_LARGE =
  'the workbook is far larger once it is unpacked: delete empty rows and columns that have a format, and save it again';

/** @throws WorkbookFault if the archive is damaged. */
export async function openArchive(content: Buffer): Promise<Archive> {
  const opening = fromBufferPromise(content, { lazyEntries: true });
  const zip = await opening.catch(error => failIn('the archive', error));
  if (zip.entryCount > MAX_PARTS) throw damaged(`it has ${zip.entryCount} parts`);
  const parts = new Map<string, Entry>();
  try {
    for await (const entry of zip.eachEntry()) {
      const name = partName(entry.fileName);
      if (parts.has(name)) throw damaged(`it has the part ${name} twice`);
      parts.set(name, entry);
    }
  } catch (error) {
    failIn('the archive', error);
  }
  let bytesLeft = Math.max(MIN_UNPACKED, MAX_GROWTH * content.length);
  return {
    has: part => parts.has(partName(part)),
    async *read(part) {
      const entry = parts.get(partName(part));
      if (!entry) throw damaged(`${part} is missing`);
      // yauzl stops unpacking at the first byte beyond this size.
      bytesLeft -= entry.uncompressedSize;
      if (bytesLeft < 0) throw new WorkbookFault(TOO_LARGE, { code: 'FILE_TOO_BIG' });
      let sum = 0;
      try {
        for await (const bytes of await zip.openReadStreamPromise(entry)) {
          sum = crc32(bytes, sum);
          yield bytes;
        }
      } catch (error) {
        failIn(part, error);
      }
      if (sum !== entry.crc32) throw damaged(`${part} has a wrong checksum`);
    },
  };
}

/** Normalizes a name. Letter case does not matter (ECMA-376, part 2), and some programs write backslashes. */
function partName(name: string): string {
  return name.replaceAll('\\', '/').replace(/^\//, '').toLowerCase();
}
