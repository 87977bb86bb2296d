import type { FastifyPluginCallbackTypebox } from '@fastify/type-provider-typebox';
import type { TObject } from '@sinclair/typebox';
import type { FastifyPluginCallback } from 'fastify';
import { assemble } from '../../answer/body.ts';
import { strongTag } from '../../answer/conditional.ts';
import { pageBodyWith } from '../../answer/json-bodies.ts';
import { pageLinks } from '../../answer/page.ts';
import type { Representation } from '../../answer/representation.ts';
import { type ChangesHead, ChangesSchema } from '../../contract/changes.ts';
import { NotModified } from '../../contract/envelope.ts';
import { ListQuery } from '../../contract/queries.ts';
import { namedChanges } from '../../query/changes.ts';
import type { ChangeTable } from '../../set/compare/changes.ts';
import type { Snapshot } from '../../snapshot/snapshot.ts';
import { requireCatalog } from '../plugins/catalog-version.ts';
import { RepresentationOf, type RouteSchema, sendRepresentations } from '../plugins/representations.ts';

const schema = {
  operationId: 'listChanges',
  tags: ['Operation'],
  summary: 'List what the served catalogs changed',
  description:
    'A page of the differences between what visitors see of the served set and what they saw of the one before, catalog by catalog. Hidden rows and news items before their time are not in it. The list holds up to 100,000 changes; `catalogs` counts all of them. A `Link` header leads to the next and the previous page.',
  querystring: ListQuery,
  errors: ['INVALID_PARAMETER', 'NOT_READY'],
  response: { 200: RepresentationOf(ChangesSchema), 304: NotModified },
} satisfies RouteSchema;

/** The report of what changed. */
export const changesRoutes: FastifyPluginCallback = (app, _options, done) => {
  requireCatalog(app);
  sendRepresentations(app);
  app.register(changes);
  done();
};

/** `GET /changes`. */
const changes: FastifyPluginCallbackTypebox = (app, _options, done) => {
  app.get('/changes', { schema }, ({ query, snapshot }) => {
    const page = changesPage(snapshot.changes ?? unknown, snapshot, ListQuery, query);
    const body = assemble(page.body);
    return { ...page, tag: strongTag(body), body: [body] };
  });
  done();
};

/** The report of a set without a known one before it. */
const unknown: ChangeTable = {
  head: Buffer.from(JSON.stringify({ from: null, to: null, time: null, catalogs: [] } satisfies ChangesHead)),
  json: new Uint8Array(),
  itemOffsets: new Uint32Array(1),
};

/** A page of a report of changes with names of the served set, whose parameters are those of a query. */
export function changesPage(
  table: ChangeTable,
  served: Snapshot | undefined,
  query: TObject,
  parameters: { page: number; limit: number },
) {
  const { page, limit } = parameters;
  const total = table.itemOffsets.length - 1;
  const first = Math.min((page - 1) * limit, total);
  const list = namedChanges(table, first, Math.min(first + limit, total), served);
  const pagination = { current_page: page, total };
  return {
    link: pageLinks(query, parameters, pagination),
    body: pageBodyWith(table.head, list, pagination),
  } satisfies Representation;
}
