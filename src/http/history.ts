import { Readable } from 'node:stream';
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyPluginAsync, FastifyRequest } from 'fastify';
import { success } from '../answer/envelope.ts';
import { pageLinks } from '../answer/page.ts';
import {
  type Action,
  type CheckAnswer,
  type Control,
  type History,
  MAX_LISTED,
} from '../contract/history.ts';
import { ListQuery, VersionQuery } from '../contract/queries.ts';
import { ApiError, malformed } from '../errors.ts';
import { type Entry, historyIn } from '../history/entries.ts';
import { describeVersion, type EntryPage, readEntryPage } from '../history/versions.ts';
import { pinVersion, publishHeld, unpinVersion } from '../live/control.ts';
import type { Check, LiveCatalog } from '../live/live.ts';
import { NoFilesError, OvertakenError } from '../live/readers.ts';
import { holdReasons, newChanges, problemsOf, shorten } from '../live/report.ts';
import type { CatalogStatus, Held } from '../live/status.ts';
import { plural, printable, reasonOf } from '../messages.ts';
import type { CatalogSource, SetReport } from '../reader/read-set.ts';
import { unlisted } from './endpoint.ts';
import { firstChanges } from './endpoints/changes.ts';
import { CHECK_PATH, HISTORY_PATH } from './plugins/access.ts';
import { clientOf } from './plugins/clients.ts';
import { BROKEN_BODY } from './server/client-errors.ts';

/**
 * The history for those who have the token: `GET /history` lists what was served, and the actions below it change what is
 * served, by files that the service watches: it follows within a second.
 */
export const historyRoutes: FastifyPluginAsyncTypebox<{
  catalog: LiveCatalog;
  source: CatalogSource;
}> = async (app, { catalog, source }) => {
  const history = historyIn(source.stateDir, sentence => app.log.warn(printable(sentence)));
  const closing = new AbortController();
  const isWhole = (entry: Entry) => catalog.isWhole(entry, closing.signal);
  app.addHook('preClose', async () => closing.abort());
  // Bodies are not read.
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', (_request, _payload, next) => next(null));

  let last: Promise<unknown> = Promise.resolve();
  /** Acts once all earlier requests have, since they write the same files. */
  const act = async (action: Action, request: FastifyRequest, write: () => Promise<string | undefined>) => {
    const acting = last.then(write);
    last = acting.catch(() => {});
    const version = await acting.catch(error => {
      throw refusalOf(error, request);
    });
    const client = clientOf(request.ips ?? [request.ip]);
    request.log.info({ client, version }, `${action} requested through the history`);
    return success({ action, version: version ?? null } satisfies Control);
  };
  app.addHook('onSend', (_request, reply, payload, next) => {
    reply.header('cache-control', 'no-store');
    next(null, payload);
  });
  const schema = { ...unlisted, params: VersionQuery };
  app.post(`${HISTORY_PATH}/:version/pin`, { schema }, request =>
    act('pin', request, () => pinVersion(history, request.params.version, isWhole)),
  );
  app.post(`${HISTORY_PATH}/unpin`, { schema: unlisted }, request =>
    act('unpin', request, () => unpinVersion(source, 'a file pin beside the catalogs')),
  );
  app.post(`${HISTORY_PATH}/:version/publish`, { schema }, request =>
    act('publish', request, () =>
      publishHeld(source, request.params.version, catalog.status().held?.version),
    ),
  );
  app.get(HISTORY_PATH, { schema: { ...unlisted, querystring: ListQuery } }, async (request, reply) => {
    const { query } = request;
    const page = await readEntryPage(history, query).catch(error => {
      throw refusalOf(error, request);
    });
    const { held, ...status } = catalog.status();
    const pagination = { current_page: query.page, total: page.total };
    const link = pageLinks(ListQuery, query, pagination);
    if (link) reply.header('link', link);
    const list = versionsOf(page, status);
    return success({ list, pagination, held: held ? heldVersion(held) : null } satisfies History);
  });
};

function versionsOf(
  { entries, newestOf }: EntryPage,
  { served, pinned }: Pick<CatalogStatus, 'served' | 'pinned'>,
): History['list'] {
  const current = served && newestOf(served.snapshot.version);
  const state = pinned && pinned.fault === undefined ? 'pinned' : 'served';
  return entries.map(entry => ({ ...describeVersion(entry), ...(entry === current && { state }) }));
}

function heldVersion({ version, since, report }: Held): History['held'] {
  const set = { version, since, files: report.files, summary: newChanges(report) };
  return { ...describeVersion(set), reasons: holdReasons(report) };
}

/** What a request cannot have from the history, for its client. Any other error goes to the log. */
function refusalOf(error: unknown, request: FastifyRequest): ApiError {
  if (error instanceof ApiError) return error;
  if (error instanceof Error && error.name === 'AbortError') return new ApiError('STOPPING');
  request.log.error({ err: error }, 'a request for the history failed');
  return new ApiError('HISTORY_UNAVAILABLE', { reason: reasonOf(error) });
}

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
  app.post(CHECK_PATH, { schema: unlisted }, async (request, reply) => {
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
