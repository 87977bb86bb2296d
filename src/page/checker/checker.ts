import { reasonOf } from '../../messages.ts';
import { countRows } from '../../reader/progress.ts';
import { answerTo } from './answers.ts';
import { type CheckedSet, checkFiles } from './check-files.ts';
import type { CheckerMessage, CheckerRequest } from './protocol.ts';

// The program of the worker that checks files; see open-checker.ts for the other end.

/** The set that was checked last, or is checked. */
let latest: Promise<CheckedSet> | undefined;

self.onmessage = ({ data: request }: MessageEvent<CheckerRequest>) => {
  const { id } = request;
  answer(request).then(
    result => send({ id, result }),
    error => send({ id, error: reasonOf(error) }),
  );
};

async function answer(request: CheckerRequest): Promise<unknown> {
  if (request.task === 'ask') {
    const snapshot = (await latest)?.snapshot;
    if (!snapshot) throw new Error('there are no files without errors to ask about');
    return answerTo(request.path, request.query, snapshot);
  }
  const { id, files, options } = request;
  const { onRow } = countRows(progress => send({ id, progress }));
  latest = checkFiles(files, options, onRow);
  return (await latest).report;
}

function send(message: CheckerMessage): void {
  self.postMessage(message);
}
