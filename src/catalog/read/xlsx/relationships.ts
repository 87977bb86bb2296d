import { posix } from 'node:path';
import type { Archive } from '../workbook/archive.ts';
import { damaged } from '../workbook/fault.ts';
import { readXml } from '../workbook/xml.ts';

/** A part that another one refers to. */
export interface Relationship {
  id: string;
  /** The last word of its type, such as `sharedStrings`; the rest differs between the versions of the standard. */
  type: string;
  /** The name of the part. */
  target: string;
}

/** The parts that a part refers to, or the whole archive for the part ''. Links to other files are left out. */
export async function relationshipsOf(archive: Archive, part: string): Promise<Relationship[]> {
  const { dir, base } = posix.parse(part);
  const file = posix.join(dir, '_rels', `${base}.rels`);
  const found: Relationship[] = [];
  if (!archive.has(file)) throw damaged(`${file} is missing`);
  await readXml(archive, file, {
    open(name, { Id: id = '', Type: type = '', Target: target = '', TargetMode: mode }) {
      if (name !== 'Relationship' || mode === 'External') return;
      found.push({ id, type: posix.basename(type), target: posix.resolve('/', dir, target).slice(1) });
    },
  });
  return found;
}
