import type { FastifyPluginCallbackTypebox } from '@fastify/type-provider-typebox';
import { type Static, Type } from '@sinclair/typebox';
import type { LiveCatalog } from '../catalog/live.ts';
import { jsonReport } from '../catalog/report.ts';
import type { SetReport } from '../catalog/set.ts';
import { type CatalogStatus, outcomes } from '../catalog/status.ts';
import { type ReadCounter, type ReadHealth, stores } from '../reads/counter.ts';
import { Envelope, success } from './envelope.ts';

const closed = { additionalProperties: false };
const count = (description: string) => Type.Integer({ minimum: 0, description });
const place = {
  file: Type.String({ description: 'file name' }),
  line: Type.Optional(Type.Integer({ minimum: 1, description: 'line, from 1' })),
  column: Type.Optional(Type.Integer({ minimum: 1, description: 'column in characters, from 1' })),
};
const time = (description: string) =>
  Type.String({ pattern: '^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\dZ$', description });

const FileSchema = Type.Object(
  {
    catalog: Type.String({ description: 'catalog name' }),
    file: place.file,
    rows: count('rows in the file, hidden ones too'),
    encoding: Type.String({ description: 'what the file is written in' }),
    delimiter: Type.Optional(Type.String({ description: 'what divides the cells of a CSV file' })),
  },
  closed,
);

const ProblemSchema = Type.Object(
  {
    severity: Type.Union([Type.Literal('error'), Type.Literal('warning')]),
    code: Type.String({ description: 'stable code' }),
    ...place,
    message: Type.String({ description: 'what is wrong, and what to write instead' }),
    also: Type.Optional(Type.Object(place, { ...closed, description: 'the other place of a clash' })),
  },
  closed,
);

const HealthSchema = Type.Object(
  {
    status: Type.Union([Type.Literal('ok'), Type.Literal('degraded')]),
    reasons: Type.Array(Type.String(), { description: 'why the service is degraded' }),
    catalogs: Type.Union([
      Type.Null({ description: 'nothing has been loaded yet' }),
      Type.Object(
        {
          version: Type.String({ description: 'what `Catalog-Version` says' }),
          loaded: time('when this set was loaded'),
          files: Type.Array(FileSchema),
        },
        closed,
      ),
    ]),
    last_attempt: Type.Union([
      Type.Null(),
      Type.Object(
        {
          outcome: Type.Union(outcomes.map(outcome => Type.Literal(outcome))),
          time: time('when the files were looked at'),
          errors: count('how many errors they have'),
          warnings: count('how many warnings'),
          problems: Type.Array(ProblemSchema, { description: 'the first 100 of them' }),
        },
        closed,
      ),
    ]),
    reads: Type.Object(
      {
        store: Type.Union(
          stores.map(store => Type.Literal(store)),
          { description: 'where read counts are kept' },
        ),
        unsaved: count('reads that were counted and are not saved yet'),
      },
      closed,
    ),
  },
  closed,
);
type Health = Static<typeof HealthSchema>;

const healthSchema = {
  summary: 'What is served, what became of the last change of the catalogs, and whether reads are saved',
  response: { 200: Envelope(HealthSchema) },
};

/** What is reported on. */
export interface HealthOptions {
  catalog: LiveCatalog;
  reads: ReadCounter;
}

/** `GET /health`: always 200, since the service that answers is alive; `data.status` says whether all is well. */
export const healthRoute: FastifyPluginCallbackTypebox<HealthOptions> = (app, { catalog, reads }, done) => {
  app.get('/health', { schema: healthSchema }, (_request, reply) => {
    reply.header('cache-control', 'no-store');
    return success(healthOf(catalog.status(), reads.health()));
  });
  done();
};

/** What the status of the catalogs and of counting means to an operator. */
export function healthOf({ served, attempt }: CatalogStatus, reads: ReadHealth): Health {
  const reasons = [...reasonsOf({ served, attempt }), ...reads.reasons];
  return {
    status: reasons.length === 0 ? 'ok' : 'degraded',
    reasons,
    catalogs: served
      ? {
          version: served.snapshot.version,
          loaded: formatTime(served.since),
          files: jsonReport(served.report).files,
        }
      : null,
    last_attempt: attempt
      ? { outcome: attempt.outcome, time: formatTime(attempt.time), ...problemsOf(attempt.report) }
      : null,
    reads: { store: reads.store, unsaved: reads.unsaved },
  };
}

function reasonsOf({ served, attempt }: CatalogStatus): string[] {
  if (!served) return ['no catalogs have been loaded yet'];
  return attempt?.outcome === 'failed'
    ? ['the last change of the catalogs was refused, and the set before it is served']
    : [];
}

function problemsOf(report: SetReport) {
  const { errors, warnings, problems } = jsonReport(report);
  return { errors, warnings, problems };
}

function formatTime(seconds: number): string {
  return `${new Date(seconds * 1000).toISOString().slice(0, 19)}Z`;
}
