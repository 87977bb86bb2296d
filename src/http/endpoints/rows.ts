import { Readable } from 'node:stream';
import { setImmediate as breathe } from 'node:timers/promises';
import type { FastifyPluginCallbackTypebox } from '@fastify/type-provider-typebox';
import { Type } from '@sinclair/typebox';
import { inTurn } from '../../answer/in-turn.ts';
import { wholePage } from '../../answer/page.ts';
import type { Column } from '../../contract/columns.ts';
import { NotModified } from '../../contract/envelope.ts';
import { RowsSchema } from '../../contract/page.ts';
import { RowsFileQuery, RowsQuery } from '../../contract/queries.ts';
import { csvPieces, jsonPieces } from '../../formats/write/write.ts';
import { columnsNamed, type WrittenValue, writtenValue } from '../../formats/write/written-catalog.ts';
import type { CatalogStatus } from '../../live/status.ts';
import { type RowTable, rowTable } from '../../query/row-table.ts';
import { catalogRows, columnsOfRows, foundRows } from '../../query/rows.ts';
import type { Snapshot } from '../../snapshot/snapshot.ts';
import type { RowProblems } from '../../snapshot/sources.ts';
import type { TimeZone } from '../../time-zone.ts';
import { invalid, zoneNamed } from '../plugins/parameters.ts';
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
    checkSort(snapshot, query);
    const counts = new Map(problems(snapshot)[query.catalog]);
    return wholePage(RowsQuery, query, await inTurn(catalogRows(snapshot, query, counts, now())));
  });
  done();
};

/** @throws ApiError if the rows are to be sorted by a column that they do not have. */
function checkSort(snapshot: Snapshot, { catalog, sort }: RowsFileQuery): void {
  const columns = columnsOfRows(snapshot, catalog);
  if (sort === undefined || columns.includes(sort)) return;
  const message = `must be a column of these rows: ${columns.join(' or ')}`;
  throw invalid([{ parameter: 'sort', message }]);
}

/** About how many characters are written between two yields to the event loop: at most a few milliseconds' work. */
const PIECE_LENGTH = 2 ** 14;

const row = Type.Object(
  {},
  { additionalProperties: Type.Union([Type.String(), Type.Number(), Type.Boolean()]) },
);
const formats = {
  csv: { operationId: 'getRowsAsCsv', type: 'text/csv', data: Type.String(), write: csvPieces },
  json: { operationId: 'getRowsAsJson', type: 'application/json', data: Type.Array(row), write: jsonPieces },
} as const;
type Format = keyof typeof formats;

/** `GET /overview/rows.csv` and `GET /overview/rows.json`. */
export const rowsFilesRoutes: FastifyPluginCallbackTypebox<RowsOptions> = (app, options, done) => {
  const { now, problems } = options;
  for (const format of ['csv', 'json'] as const) {
    const { type, write } = formats[format];
    app.get(`/overview/rows.${format}`, { schema: schemaOf(format) }, async (request, reply) => {
      const { method, query, snapshot } = request;
      const { catalog } = query;
      checkSort(snapshot, query);
      reply.headers({
        'content-type': `${type}; charset=utf-8`,
        'content-disposition': `attachment; filename="${catalog}.${format}"`,
        'cache-control': 'no-store',
      });
      if (method === 'HEAD') return reply.send(Readable.from([]));
      const table = rowTable(snapshot, catalog);
      const columns = columnsNamed(catalog, columnsOfRows(snapshot, catalog));
      const counts = new Map(problems(snapshot)[catalog]);
      const found = await inTurn(foundRows(snapshot, table, query, counts, now()));
      const texts = write(columns, writtenRows(table, found, columns, zoneNamed(snapshot.timeZone)));
      return reply.send(Readable.from(pieces(texts), { objectMode: false }));
    });
  }
  done();
};

function schemaOf(format: Format) {
  const { operationId, type, data } = formats[format];
  const name = format.toUpperCase();
  const response: object = { 200: { description: 'the file', content: { [type]: { schema: data } } } };
  return {
    operationId,
    tags: ['Page'],
    summary: `Download the rows of a catalog as ${name}`,
    description: `The rows of \`listRows\`, all of them and with whole texts, as a ${name} file that can be a catalog file. A preview has all columns, so that its file has the same rows as the catalog.`,
    querystring: RowsFileQuery,
    errors: ['INVALID_PARAMETER', 'NOT_READY'],
    response,
  } satisfies RouteSchema;
}

function* writtenRows(
  table: RowTable,
  rows: readonly number[],
  columns: readonly Column[],
  zone: TimeZone,
): Generator<WrittenValue[]> {
  for (const row of rows) {
    const record = table.record(row);
    yield columns.map(column => writtenValue(record[column.name], column, zone));
  }
}

/** Joins texts to pieces of about {@link PIECE_LENGTH}, and answers other requests between them. */
async function* pieces(texts: Iterable<string>): AsyncGenerator<Buffer> {
  let piece = '';
  for (const text of texts) {
    piece += text;
    if (piece.length < PIECE_LENGTH) continue;
    yield Buffer.from(piece);
    piece = '';
    await breathe();
  }
  if (piece !== '') yield Buffer.from(piece);
}

/** Tells which rows of a set have problems. */
type ProblemsOf = (snapshot: Snapshot) => RowProblems;

/** The rows with problems of a set that is served or held back. What is around its files can change them. */
export function problemsIn({ served, held }: CatalogStatus, { version }: Snapshot): RowProblems {
  const report = [served, held].find(set => set?.report.version === version)?.report;
  return report?.rowProblems ?? {};
}
