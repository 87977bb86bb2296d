import { imageFileNames, imageKind, imageKinds } from '../../contract/columns.ts';
import { printable } from '../../messages.ts';
import type { Reporter } from '../problems/problems.ts';
import { placeIn } from '../read/table.ts';
import type { ValidatedTable } from './validate-table.ts';

/**
 * Warns of images that are not served, because of their kind or because they are not among the files of the images
 * directory. Returns whether files are missing. Without `files`, they count as present.
 */
export function checkImages(
  { table, entries }: ValidatedTable<'news'>,
  files: ReadonlySet<string> | undefined,
  report: Reporter,
): boolean {
  let isIncomplete = false;
  for (const { raw, row } of entries) {
    if (!row.img) continue;
    const place = placeIn(table, raw, 'img');
    const name = printable(row.img, 100);
    if (!imageKind(row.img)) {
      const message = `img ${name} is not served, because of its file type: use one of ${imageKinds.join(', ')}`;
      report(place, 'UNKNOWN_IMAGE_KIND', message);
    } else if (files && !imageFileNames(row.img).some(file => files.has(file))) {
      const message = `img ${name} is not in the images directory: add the file, or correct the name`;
      report(place, 'NO_IMAGE', message);
      isIncomplete = true;
    }
  }
  return isIncomplete;
}
