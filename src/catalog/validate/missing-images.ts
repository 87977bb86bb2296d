import { hasImage, imageKind, imageKinds } from '../../contract/catalog-files.ts';
import type { Reporter } from '../../contract/problems.ts';
import { placeIn } from '../../formats/table.ts';
import { printable } from '../../messages.ts';
import type { ContentImage } from './contents.ts';
import type { ValidatedCatalog } from './validate-catalog.ts';

/** The most missing images whose arrival is awaited, and the longest name of a file, in UTF-16 units. */
const MAX_AWAITED = 1_000;
const MAX_NAME_LENGTH = 255;

/**
 * Warns of images of news items, and of those in their contents, that are not served, because of their kind or because they
 * are not among the files of the images directory. Returns the first 1,000 that are missing. Without `files`, all count as
 * present.
 */
export function checkImages(
  { entries }: ValidatedCatalog<'news'>,
  inContents: readonly ContentImage[],
  files: ReadonlySet<string> | undefined,
  report: Reporter,
): string[] {
  const missing: string[] = [];
  const check = ({ name, place, subject }: ContentImage) => {
    const image = `${subject} ${printable(name, 100)}`;
    if (!imageKind(name)) {
      const message = `${image} is not served, because of its file type: use one of ${imageKinds.join(', ')}`;
      report(place, 'UNKNOWN_IMAGE_KIND', message);
    } else if (files && !hasImage(files, name)) {
      const message = `${image} is not in the images directory: add the file, or correct the name`;
      report(place, 'NO_IMAGE', message);
      if (missing.length < MAX_AWAITED && name.length <= MAX_NAME_LENGTH) missing.push(name);
    }
  };
  for (const { table, raw, row } of entries)
    if (row.img) check({ name: row.img, place: placeIn(table, raw, 'img'), subject: 'img' });
  inContents.forEach(check);
  return missing;
}
