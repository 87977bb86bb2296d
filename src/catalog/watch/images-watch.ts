import { hasImage } from '../../contract/catalog-files.ts';
import { listChanged } from '../../set/system-directory.ts';

/** Notices when images arrive in their directory, also if that stops answering. */
export interface ImagesWatch {
  /** Whether one of the images was there at the last look. Starts another look, whose result the next call uses. */
  hasOneOf(images: readonly string[]): boolean;
}

/** Looks once at a time, so that a directory that does not answer occupies one thread of libuv's pool and delays nothing. */
export function openImagesWatch(dir: string, look = listChanged): ImagesWatch {
  let isLooking = false;
  let state: string | undefined;
  let names: ReadonlySet<string> = new Set();
  return {
    hasOneOf(images) {
      if (!isLooking) {
        isLooking = true;
        void look(dir, state).then(listing => {
          isLooking = false;
          if (listing) ({ state, names } = listing);
        });
      }
      return images.some(image => hasImage(names, image));
    },
  };
}
