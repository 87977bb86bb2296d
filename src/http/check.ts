import { Readable } from 'node:stream';
import type { FastifyPluginAsync } from 'fastify';
import { success } from '../answer/envelope.ts';
import { type CheckAnswer, MAX_LISTED } from '../contract/history.ts';
import { ApiError, malformed } from '../errors.ts';
import type { Check, LiveCatalog } from '../live/live.ts';
import { NoFilesError, OvertakenError } from '../live/readers.ts';
import { holdReasons, problemsOf, shorten } from '../live/report.ts';
import { plural, printable } from '../messages.ts';
import type { SetReport } from '../reader/read-set.ts';
import { undocumented } from './endpoint.ts';
import { firstChanges } from './endpoints/changes.ts';
import { CHECK_PATH } from './plugins/access.ts';
import { BROKEN_BODY } from './server/client-errors.ts';

/**
 * `POST /check`: what would happen if the files of the form were saved in the catalog folder in place of their namesakes. One
 * check at a time, and none while a save is read.
 */
export const checkRoute: FastifyPluginAsync<{
  catalog: LiveCatalog;
  maxFileMb: number;
}> = async (app, { catalog, maxFileMb }) => {
  const limit = 2 * maxFileMb;
  const closing = new AbortController();
  let isChecking = false;
  app.addHook('preClose', async () => closing.abort(new ApiError('STOPPING')));
  // The reader process reads the form.
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', (_request, payload, next) => next(null, payload));
  app.post(CHECK_PATH, { schema: undocumented }, async (request, reply) => {
    reply.header('cache-control', 'no-store');
    const { headers, raw } = request;
    if (Number(headers['content-length']) > limit * 2 ** 20) throw new ApiError('FORM_TOO_LARGE', { limit });
    if (isChecking) throw new ApiError('CHECK_BUSY', { what: 'another check is under way' });
    isChecking = true;
    try {
      const broken = new AbortController();
      raw.once(BROKEN_BODY, error => broken.abort(error));
      reply.raw.once('close', () => broken.abort(malformed('the client has left')));
      if (headers.expect) reply.raw.writeContinue();
      const form = Readable.from(bounded(raw, limit, broken));
      const closed = AbortSignal.any([closing.signal, broken.signal]);
      const check = await catalog.check(form, headers['content-type'] ?? '', closed);
      return success(answerOf(check));
    } catch (error) {
      if (error instanceof OvertakenError) throw new ApiError('CHECK_BUSY', { what: error.message });
      if (error instanceof NoFilesError)
        throw malformed('send the files as multipart/form-data, in fields named files');
      throw error;
    } finally {
      isChecking = false;
      // What is left of the form must not keep the connection from the next request.
      raw.resume();
    }
  });
};

/** The chunks of a body, which stays open for its answer. Aborts if that is cut off, or has more than `limit` MB. */
async function* bounded(body: Readable, limit: number, broken: AbortController): AsyncGenerator<Buffer> {
  let bytes = 0;
  try {
    for await (const chunk of body.iterator({ destroyOnReturn: false })) {
      bytes += chunk.length;
      if (bytes > limit * 2 ** 20) throw new ApiError('FORM_TOO_LARGE', { limit });
      yield chunk;
    }
  } catch (error) {
    broken.abort(error instanceof ApiError ? error : malformed('the files have not arrived'));
  }
}

function answerOf({ outcome, report, changes, form }: Check): CheckAnswer {
  const notRead = form?.notRead.slice(0, MAX_LISTED) ?? [];
  return {
    outcome,
    verdict: verdictOf(outcome, report, form),
    complete: form?.isComplete ?? null,
    not_read: notRead.map(({ file, message }) => ({ file: printable(file), message: shorten(message) })),
    version: report.version ?? null,
    ...problemsOf(report),
    reasons: holdReasons(report),
    changes: changes ? firstChanges(changes, MAX_LISTED) : null,
  };
}

/** Says nothing about files that are not read, except how many they are, and of images only that they are there. */
function verdictOf(outcome: Check['outcome'], report: SetReport, form: Check['form']): string {
  const { isComplete, files = 0, catalogFiles = 0, notRead = [] } = form ?? {};
  if (catalogFiles === 0 && files > 0 && !isComplete)
    return notRead.length < files
      ? 'News items name these images, and find them. The catalog files stay as they are.'
      : 'None of these files would be read.';
  const subject = catalogFiles === files ? 'These files' : 'The catalog files among these';
  const rest = notRead.length > 0 ? `Not read: ${plural(notRead.length, 'file')}. ` : '';
  return `${rest}${subject} ${fateOf(outcome, report)}`;
}

function fateOf(outcome: Check['outcome'], { errors, changes, holds = [] }: SetReport): string {
  switch (outcome) {
    case 'loaded':
      return `would go live${changes ? `: ${changes.summary}` : ''}.`;
    case 'unchanged':
      return 'match what is already live.';
    case 'held':
      return `would be held back: ${printable(holds[0]?.message ?? '')}`;
    case 'failed':
      return `would be refused: ${plural(errors, 'error')}.`;
    case 'pinned':
      return 'would wait: a version is pinned.';
  }
}
