import { imageKind, imageKinds } from '../../contract/columns.ts';
import { printable } from '../../messages.ts';
import type { Reporter } from '../problems/problems.ts';
import { hasImage } from '../read/directory/images.ts';
import { placeIn } from '../read/table.ts';
import type { ValidatedCatalog } from './validate-catalog.ts';

/** The most missing images whose arrival is awaited, and the longest name of a file, in UTF-16 units. */
const MAX_AWAITED = 1_000;
const MAX_NAME_LENGTH = 255;

/**
 * Warns of images that are not served, because of their kind or because they are not among the files of the images
 * directory. Returns the first 1,000 that are missing. Without `files`, all count as present.
 */
export function checkImages(
  { entries }: ValidatedCatalog<'news'>,
  files: ReadonlySet<string> | undefined,
  report: Reporter,
): string[] {
  const missing: string[] = [];
  for (const { table, raw, row } of entries) {
    if (!row.img) continue;
    const place = placeIn(table, raw, 'img');
    const name = printable(row.img, 100);
    if (!imageKind(row.img)) {
      const message = `img ${name} is not served, because of its file type: use one of ${imageKinds.join(', ')}`;
      report(place, 'UNKNOWN_IMAGE_KIND', message);
    } else if (files && !hasImage(files, row.img)) {
      const message = `img ${name} is not in the images directory: add the file, or correct the name`;
      report(place, 'NO_IMAGE', message);
      if (missing.length < MAX_AWAITED && row.img.length <= MAX_NAME_LENGTH) missing.push(row.img);
    }
  }
  return missing;
}
