import { Readable } from 'node:stream';
import { setImmediate as breathe } from 'node:timers/promises';
import type { FastifyPluginCallbackTypebox } from '@fastify/type-provider-typebox';
import { Type } from '@sinclair/typebox';
import { inTurn } from '../../../answer/in-turn.ts';
import type { Column } from '../../../contract/columns.ts';
import { RowsFileQuery } from '../../../contract/queries.ts';
import { csvPieces, jsonPieces } from '../../../formats/write/write.ts';
import { columnsNamed, type WrittenValue, writtenValue } from '../../../formats/write/written-catalog.ts';
import { type RowTable, rowTable } from '../../../query/row-table.ts';
import { columnsOfRows, foundRows } from '../../../query/rows.ts';
import type { TimeZone } from '../../../time-zone.ts';
import { zoneNamed } from '../../plugins/parameter-values.ts';
import type { RouteSchema } from '../../response/route-schema.ts';
import { checkSort, type RowsOptions } from './rows.ts';

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
