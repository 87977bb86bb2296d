import { imagesState } from '../read/directory/images.ts';

/** Notices when images arrive in their directory, also if that stops answering. */
export interface ImagesWatch {
  /** Whether the directory was last seen in another state than this. Starts another look, which the next call returns. */
  hasChangedSince(state: string): boolean;
}

/** Looks once at a time, so that a directory that does not answer occupies one thread of libuv's pool and delays nothing. */
export function openImagesWatch(dir: string, look = imagesState): ImagesWatch {
  let isLooking = false;
  let changedSince: string | undefined;
  return {
    hasChangedSince(state) {
      if (!isLooking) {
        isLooking = true;
        void look(dir).then(latest => {
          isLooking = false;
          changedSince = latest === state ? undefined : state;
        });
      }
      return changedSince === state;
    },
  };
}
