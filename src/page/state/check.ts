import { effect, signal } from '@preact/signals';
import type { CheckAnswer } from '../../contract/history.ts';
import { Refusal, request } from './ask.ts';
import { hasToken } from './token.ts';

/** A file that was dropped or chosen, by its name, or its path in a folder. */
export interface DroppedFile {
  path: string;
  file: File;
}

/** What came of the files that were dropped last. */
export type Check =
  | { state: 'asking' }
  | { state: 'failed'; reason: string }
  | { state: 'answered'; answer: CheckAnswer };

export const check = signal<Check | undefined>();
/** The files of the last check, which waits for the token. */
export const dropped = signal<readonly DroppedFile[]>([]);

effect(() => {
  if (dropped.value.length > 0 && hasToken.value) void run(dropped.value);
});

/** Another drop in the meantime has its own answer. */
async function run(files: readonly DroppedFile[]): Promise<void> {
  check.value = { state: 'asking' };
  const isLatest = () => dropped.value === files;
  try {
    const answer = await sendFiles(files, isLatest);
    if (isLatest()) check.value = { state: 'answered', answer };
  } catch (error) {
    const reason = error instanceof Refusal ? error.message : undefined;
    if (isLatest()) check.value = { state: 'failed', reason: reason ?? '' };
  }
}

/** A check takes as long as reading the set, in milliseconds. */
const CHECK_MS = 600_000;
/** The service takes one check at a time, and none while it reads a save. In milliseconds. */
const RETRY_MS = 1_000;

/** Asks what would happen if these files were saved, as long as anybody `isWaiting`. @throws Refusal */
async function sendFiles(files: readonly DroppedFile[], isWaiting: () => boolean): Promise<CheckAnswer> {
  const body = new FormData();
  for (const { path, file } of files) body.append('files', file, path);
  for (;;) {
    try {
      return await request('check', { method: 'POST', body }, CHECK_MS);
    } catch (error) {
      if (!(error instanceof Refusal) || error.code !== 'CHECK_BUSY' || !isWaiting()) throw error;
      await new Promise(resolve => setTimeout(resolve, RETRY_MS));
    }
  }
}
