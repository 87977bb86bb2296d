import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyRequest } from 'fastify';
import pLimit from 'p-limit';
import { success } from '../answer/envelope.ts';
import { pageLinks } from '../answer/page.ts';
import type { Action, Control, History } from '../contract/history.ts';
import { ListQuery, VersionQuery } from '../contract/queries.ts';
import { ApiError } from '../errors.ts';
import { type Entry, historyIn } from '../history/entries.ts';
import { describeVersion, readEntryPage } from '../history/versions.ts';
import { pinVersion, publishHeld, unpinVersion } from '../live/control.ts';
import type { LiveCatalog } from '../live/live.ts';
import { holdReasons, newChanges } from '../live/report.ts';
import type { Held } from '../live/status.ts';
import { printable, reasonOf } from '../messages.ts';
import type { CatalogSource } from '../reader/read-set.ts';
import { undocumented } from './endpoint.ts';
import { HISTORY_PATH } from './plugins/access.ts';
import { clientOf } from './plugins/clients.ts';

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

  // One after the other, since all write the same files.
  const queue = pLimit(1);
  const act = async (action: Action, request: FastifyRequest, write: () => Promise<string | undefined>) => {
    const version = await queue(write).catch(error => {
      throw asApiError(error, request);
    });
    const client = clientOf(request.ips ?? [request.ip]);
    request.log.info({ client, version }, `${action} requested through the history`);
    return success({ action, version: version ?? null } satisfies Control);
  };
  app.addHook('onSend', (_request, reply, payload, next) => {
    reply.header('cache-control', 'no-store');
    next(null, payload);
  });
  const schema = { ...undocumented, params: VersionQuery };
  const actOn = (action: Action, write: (version: string) => Promise<string>) =>
    app.post(`${HISTORY_PATH}/:version/${action}`, { schema }, request =>
      act(action, request, () => write(request.params.version)),
    );
  actOn('pin', version => pinVersion(history, version, isWhole));
  actOn('publish', version => publishHeld(source, version, catalog.status().held?.version));
  app.post(`${HISTORY_PATH}/unpin`, { schema: undocumented }, request =>
    act('unpin', request, () => unpinVersion(source, 'a file pin beside the catalogs')),
  );
  app.get(HISTORY_PATH, { schema: { ...undocumented, querystring: ListQuery } }, async (request, reply) => {
    const { query } = request;
    const page = await readEntryPage(history, query).catch(error => {
      throw asApiError(error, request);
    });
    const { served, held, pinned } = catalog.status();
    const current = served && page.newestOf(served.snapshot.version);
    const state = pinned && pinned.fault === undefined ? 'pinned' : 'served';
    const list: History['list'] = page.entries.map(entry => ({
      ...describeVersion(entry),
      ...(entry === current && { state }),
    }));
    const pagination = { current_page: query.page, total: page.total };
    const link = pageLinks(ListQuery, query, pagination);
    if (link) reply.header('link', link);
    return success({ list, pagination, held: held ? heldVersion(held) : null } satisfies History);
  });
};

function heldVersion({ version, since, report }: Held): History['held'] {
  const set = { version, since, files: report.files, summary: newChanges(report) };
  return { ...describeVersion(set), reasons: holdReasons(report) };
}

/** What a request cannot have from the history, for its client. Any other error goes to the log. */
function asApiError(error: unknown, request: FastifyRequest): ApiError {
  if (error instanceof ApiError) return error;
  if (error instanceof Error && error.name === 'AbortError') return new ApiError('STOPPING');
  request.log.error({ err: error }, 'a request for the history failed');
  return new ApiError('HISTORY_UNAVAILABLE', { reason: reasonOf(error) });
}
