import type { FastifyPluginCallbackTypebox } from '@fastify/type-provider-typebox';
import { inTurn } from '../../answer/in-turn.ts';
import { wholePage } from '../../answer/page.ts';
import { NotModified } from '../../contract/envelope.ts';
import { RowsSchema } from '../../contract/page.ts';
import { RowsQuery } from '../../contract/queries.ts';
import type { CatalogStatus } from '../../live/status.ts';
import { catalogRows } from '../../query/rows.ts';
import type { Snapshot } from '../../snapshot/snapshot.ts';
import type { RowProblems } from '../../snapshot/sources.ts';
import { RepresentationOf, type RouteSchema } from '../plugins/representations.ts';

/** What the rows need in addition to the snapshot. */
export interface RowsOptions {
  /** The time, in Unix seconds. */
  now(): number;
  problems: ProblemsOf;
}

const schema = {
  operationId: 'listRows',
  tags: ['Page'],
  summary: 'List the rows of a catalog',
  description:
    'A page of the rows of a catalog as a table: the values that are served, where the row is in its file, what the last change of the files did to it, and how many problems it has. A preview also has hidden rows, news items before and after their time, and the columns that are not served. Of more than 100,000 changes, the first ones are marked; of more than 10,000 rows with problems, the first ones.',
  querystring: RowsQuery,
  errors: ['INVALID_PARAMETER', 'NOT_READY'],
  response: { 200: RepresentationOf(RowsSchema), 304: NotModified },
} satisfies RouteSchema;

/** `GET /overview/rows`. */
export const rowsRoute: FastifyPluginCallbackTypebox<RowsOptions> = (app, { now, problems }, done) => {
  app.get('/overview/rows', { schema }, async ({ query, snapshot }) => {
    const counts = new Map(problems(snapshot)[query.catalog]);
    return wholePage(RowsQuery, query, await inTurn(catalogRows(snapshot, query, counts, now())));
  });
  done();
};

/** The rows of a set that have problems. */
type ProblemsOf = (snapshot: Snapshot) => RowProblems;

/** The rows with problems of a set that is served or held back. What is around its files can change them. */
export function problemsIn({ served, held }: CatalogStatus, { version }: Snapshot): RowProblems {
  const report = [served, held].find(set => set?.report.version === version)?.report;
  return report?.rowProblems ?? {};
}
