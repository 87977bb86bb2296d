import type { FastifyPluginCallbackTypebox } from '@fastify/type-provider-typebox';
import type { FastifyPluginCallback } from 'fastify';
import { recordBody } from '../../answer/json-bodies.ts';
import { pageLinks } from '../../answer/page.ts';
import { type History, HistorySchema, type HistoryVersion } from '../../contract/history.ts';
import { ListQuery } from '../../contract/queries.ts';
import { systemFs } from '../../files/atomic-write.ts';
import { historyPath, type OnDamage } from '../../history/entries.ts';
import type { Entry } from '../../history/entry.ts';
import { describeVersion, type EntryPage, readEntryPage } from '../../history/versions.ts';
import type { Held } from '../../live/control.ts';
import type { LiveCatalog } from '../../live/live.ts';
import { newChanges } from '../../live/report.ts';
import type { CatalogStatus } from '../../live/status.ts';
import { printable } from '../../messages.ts';
import type { CatalogSource } from '../../reader/read-set.ts';
import { holdReasons } from '../endpoints/health.ts';
import { RepresentationOf, type RouteSchema, sendRepresentations } from '../plugins/representations.ts';
import { HISTORY_PATH, refusalOf, requireToken } from './access.ts';
import { controlRoutes } from './control.ts';

/** What the history needs. */
interface HistoryOptions {
  catalog: LiveCatalog;
  source: CatalogSource;
  previewToken: string;
}

/** The history for those who have the token: what was served, what changed, and what is to be served. */
export const historyRoutes: FastifyPluginCallback<HistoryOptions> = (
  app,
  { catalog, source, previewToken },
  done,
) => {
  const onDamage = (sentence: string) => app.log.warn(printable(sentence));
  const closing = new AbortController();
  const isWhole = (entry: Entry) => catalog.isWhole(entry, closing.signal);
  const { stateDir, catalogDir } = source;
  requireToken(app, previewToken);
  app.addHook('preClose', async () => closing.abort());
  app.register((lists, _options, next) => {
    sendRepresentations(lists);
    lists.register(versionsRoute, { catalog, stateDir, onDamage });
    next();
  });
  app.register(controlRoutes, { stateDir, catalogDir, catalog, isWhole, onDamage });
  done();
};

const schema = {
  operationId: 'listHistory',
  tags: ['History'],
  summary: 'List the sets that were served',
  description:
    'A page of the versions in the history, newest first, as `vitrine history` lists them, and the set that is held back. A version that was served more than once is listed each time. A `Link` header leads to the next and the previous page.',
  querystring: ListQuery,
  security: [{ previewToken: [] }],
  errors: ['INVALID_PARAMETER', 'ROUTE_NOT_FOUND', 'HISTORY_UNAVAILABLE'],
  response: { 200: RepresentationOf(HistorySchema) },
} satisfies RouteSchema;

/** What the history is listed from. */
interface VersionsOptions {
  catalog: LiveCatalog;
  stateDir: string;
  onDamage: OnDamage;
}

/** `GET /history`. */
const versionsRoute: FastifyPluginCallbackTypebox<VersionsOptions> = (
  app,
  { catalog, stateDir, onDamage },
  done,
) => {
  const dir = historyPath(stateDir);
  app.get(HISTORY_PATH, { schema }, async request => {
    const { query } = request;
    const page = await readEntryPage(systemFs, dir, query, onDamage).catch(error => {
      throw refusalOf(error, request);
    });
    const { held, ...status } = catalog.status();
    const pagination = { current_page: query.page, total: page.total };
    const list = versionsOf(page, status);
    const data: History = { list, pagination, held: held ? heldVersion(held) : null };
    const body = recordBody(JSON.stringify(data));
    return app.answers.prepare(undefined, '', { link: pageLinks(ListQuery, query, pagination), body });
  });
  done();
};

function versionsOf(
  { entries, newestOf }: EntryPage,
  { served, pinned }: Pick<CatalogStatus, 'served' | 'pinned'>,
): HistoryVersion[] {
  const current = served && newestOf(served.snapshot.version);
  const state = pinned && pinned.fault === undefined ? 'pinned' : 'served';
  return entries.map(entry => ({ ...describeVersion(entry), ...(entry === current && { state }) }));
}

function heldVersion({ version, since, report }: Held): History['held'] {
  const set = { version, since, files: report.files, summary: newChanges(report) };
  return { ...describeVersion(set), reasons: holdReasons(report) };
}
