import { Readable } from 'node:stream';
import type { FastifyPluginAsync } from 'fastify';
import { success } from '../../answer/envelope.ts';
import { type CheckAnswer, MAX_LISTED } from '../../contract/history.ts';
import { ApiError, malformed } from '../../errors.ts';
import type { Check, LiveCatalog } from '../../live/live.ts';
import { NoFilesError, OvertakenError } from '../../live/readers.ts';
import { plural, printable } from '../../messages.ts';
import type { SetReport } from '../../reader/read-set.ts';
import type { Snapshot } from '../../snapshot/snapshot.ts';
import { firstChanges } from '../endpoints/changes.ts';
import { holdReasons, problemsOf } from '../endpoints/health.ts';
import { CHECK_PATH } from '../plugins/access.ts';
import { BROKEN_BODY } from '../server/client-errors.ts';

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
  app.post(CHECK_PATH, async (request, reply) => {
    reply.header('cache-control', 'no-store');
    const { headers, raw } = request;
    if (Number(headers['content-length']) > limit * 2 ** 20) throw new ApiError('FORM_TOO_LARGE', { limit });
    if (isChecking) throw new ApiError('CHECK_BUSY', { what: 'another check is under way' });
    isChecking = true;
    try {
      const broken = new AbortController();
      raw.once(BROKEN_BODY, error => broken.abort(error));
      if (headers.expect) reply.raw.writeContinue();
      const form = Readable.from(bounded(raw, limit, broken));
      const closed = AbortSignal.any([closing.signal, broken.signal]);
      const check = await catalog.check(form, headers['content-type'] ?? '', closed);
      return success(answerOf(check, catalog.snapshot()));
    } catch (error) {
      throw refusalOf(error);
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

function refusalOf(error: unknown): unknown {
  if (error instanceof OvertakenError) return new ApiError('CHECK_BUSY', { what: error.message });
  if (error instanceof NoFilesError)
    return malformed('send the files as multipart/form-data, in fields named files');
  return error;
}

function answerOf({ outcome, report, changes }: Check, served: Snapshot | undefined): CheckAnswer {
  const reasons = holdReasons(report);
  return {
    outcome,
    verdict: verdictOf(outcome, report),
    version: report.version ?? null,
    ...problemsOf(report),
    reasons,
    changes: changes ? firstChanges(changes, served, MAX_LISTED) : null,
  };
}

function verdictOf(outcome: Check['outcome'], { errors, changes, holds = [] }: SetReport): string {
  switch (outcome) {
    case 'loaded':
      return `These files would go live${changes ? `: ${changes.summary}` : ''}.`;
    case 'unchanged':
      return 'These files match what is already live.';
    case 'held':
      return `These files would be held back: ${printable(holds[0]?.message ?? '')}`;
    case 'failed':
      return `These files would be refused: ${plural(errors, 'error')}.`;
    case 'pinned':
      return 'These files would wait: a version is pinned.';
  }
}
