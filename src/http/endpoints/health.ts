import * as Type from '@sinclair/typebox/type';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { success } from '../../answer/envelope.ts';
import { Envelope } from '../../contract/envelope.ts';
import { type Health, HealthSchema } from '../../contract/health.ts';
import type { ProblemCode } from '../../contract/problems.ts';
import { ApiError } from '../../errors.ts';
import type { LiveCatalog } from '../../live/live.ts';
import { holdReasons, howToConfirm, jsonReport, newChanges, problemsOf } from '../../live/report.ts';
import type { CatalogStatus, Pinned } from '../../live/status.ts';
import { printable } from '../../messages.ts';
import { STALLED_SECONDS } from '../../reader/limits.ts';
import type { SetReport } from '../../reader/read-set.ts';
import type { ReadCounter, ReadHealth } from '../../reads/counts.ts';
import { holdRules } from '../../set/hold-back/hold-back.ts';
import { DAY, rfc3339 } from '../../time-zone.ts';
import type { WebhookHealth } from '../../webhook/webhook.ts';
import type { RouteSchema } from '../endpoint.ts';
import { notReady, whyNotReady } from '../plugins/catalog-version.ts';
import type { Phase } from '../server/drain.ts';

/** What health and metrics report on. */
export interface HealthSources {
  catalog: LiveCatalog;
  reads: ReadCounter;
  /** Undefined without `CHAT_URL` and `WEBHOOK_URL`. */
  webhook?: { health(): WebhookHealth } | undefined;
  /** The time in Unix seconds. */
  now(): number;
}

/**
 * What the status of the catalogs, of counting and of webhooks means to an operator at `now` (Unix seconds). Without
 * `hasCells`, no message quotes a cell: it may be that of a row that is hidden or still to come.
 */
export function healthOf(
  catalogs: CatalogStatus,
  reads: ReadHealth,
  now: number,
  webhook?: WebhookHealth,
  hasCells = false,
): Health {
  const { served, attempt, loading, held, pinned, waitingSince } = catalogs;
  const others = [...reads.reasons, ...(webhook?.reasons ?? [])];
  const reasons = [...catalogReasons(catalogs, now, hasCells), ...others.map(reason => printable(reason))];
  return {
    status: reasons.length === 0 ? 'ok' : 'degraded',
    reasons,
    catalogs: served ? servedOf(served) : null,
    last_attempt: attempt ? attemptOf(attempt, hasCells) : null,
    held: held
      ? { version: held.version, since: rfc3339(held.since), reasons: reasonsOf(held.report, hasCells) }
      : null,
    pinned: pinned
      ? {
          version: printable(pinned.version),
          since: rfc3339(pinned.since),
          ...(waitingSince !== undefined && { saved: rfc3339(waitingSince) }),
        }
      : null,
    loading: loading ? { rows: loading.rows, percent: loading.percent } : null,
    reads: { store: reads.store, unsaved: reads.unsaved, last_flush: timeOrNull(reads.lastFlush) },
    ...(webhook && {
      webhook: { waiting: webhook.waiting, last_delivery: timeOrNull(webhook.lastDelivery) },
    }),
  };
}

function servedOf({ snapshot, since, report }: NonNullable<CatalogStatus['served']>): Health['catalogs'] {
  const { csvEncoding: csv_encoding, csvDecimal: csv_decimal, timeZone: time_zone } = report.reading;
  const reading = { csv_encoding, csv_decimal, time_zone, markdown_html: report.reading.markdownHtml };
  const { files } = jsonReport(report);
  return { version: snapshot.version, loaded: rfc3339(since), files, reading };
}

function attemptOf(
  { outcome, time, report }: NonNullable<CatalogStatus['attempt']>,
  hasCells: boolean,
): Health['last_attempt'] {
  const changes = outcome === 'loaded' || outcome === 'held' ? newChanges(report, hasCells) : undefined;
  const { problems, ...counts } = problemsOf(report);
  const shown = problems.flatMap(problem => {
    if (hasCells || ofWholeFiles.includes(problem.code)) return problem;
    return ofComingPrices.includes(problem.code) ? [] : { ...problem, message: UNQUOTED };
  });
  return { outcome, time: rfc3339(time), ...(changes && { changes }), ...counts, problems: shown };
}

/** In place of a message that may quote cells. */
const UNQUOTED = 'the message may quote cells: see the log, or send PREVIEW_TOKEN';
/** Problems whose messages name files and no cells. */
const ofWholeFiles: readonly ProblemCode[] = ['NO_DIRECTORY', 'MISSING_FILE', 'UNREADABLE_FILE'];

/** Problems that only prices to come have, whose rows are not public. */
const ofComingPrices: readonly ProblemCode[] = ['NO_PRICE_YET', 'FAR_DATE', 'SAME_PRICE'];

function reasonsOf(report: SetReport, hasCells: boolean) {
  if (hasCells) return holdReasons(report);
  return (report.holds ?? []).map(({ code }) => ({ code, message: holdRules[code].meaning }));
}

function timeOrNull(seconds: number | undefined): string | null {
  return seconds === undefined ? null : rfc3339(seconds);
}

/** Why the loading of catalogs is degraded at `now` (Unix seconds), one sentence each; empty if it is not. */
export function catalogReasons(status: CatalogStatus, now: number, hasCells = false): string[] {
  const { served, attempt, loading, held, pinned, silentSeconds, unstableSeconds, unkept, faults } = status;
  const stalled = loading?.stalledSeconds;
  const reasons = [
    !served && whyNotReady({ loading }),
    ...faults.map(fault => printable(fault)),
    served &&
      attempt?.outcome === 'failed' &&
      `the last change of the catalogs was refused, and the set of ${rfc3339(served.since)} is served`,
    held && `version ${held.version} is held back: ${howToConfirm(held)}`,
    pinned && pinReason(pinned, now, hasCells),
    served?.report.holds?.length &&
      'drastic changes could not be recognised, because the set that was served before cannot be read: check what is served',
    unkept !== undefined && `the served set is not in the history: ${printable(unkept)}`,
    stalled !== undefined &&
      `reading the catalogs has made no progress for ${stalled} s: check that the disk or the network mount responds`,
    unstableSeconds > STALLED_SECONDS &&
      `the changed files have not been complete and still for ${unstableSeconds} s: the set before them is served`,
    silentSeconds > STALLED_SECONDS &&
      `the catalog directory has not answered for ${silentSeconds} s: changed files are not loaded`,
  ];
  return reasons.filter(reason => typeof reason === 'string');
}

/** A pin is meant to be for a while, of at most a day. */
function pinReason({ version, since, fault }: Pinned, now: number, hasCells: boolean): string | undefined {
  // The fault of an entry of the history is a problem of its files.
  const reason = hasCells ? fault : UNQUOTED;
  if (fault !== undefined) return printable(`version ${version} is pinned, but cannot be served: ${reason}`);
  if (now - since < DAY) return undefined;
  return `version ${version} has been pinned since ${rfc3339(since)}: changed files are not loaded`;
}

const tags = ['Operation'];
const healthSchema: RouteSchema = {
  operationId: 'getHealth',
  tags,
  summary: 'Get the served catalogs, the result of the last change, and whether reads are saved',
  description:
    'For people and monitoring. The status is 200 even if the service is `degraded`; `reasons` says why. Problems of the last change of the files come with file, line and column, and those of CSV files with the cell. Messages quote cells only for clients with `PREVIEW_TOKEN` or, if there is none, on a loopback address without a trusted proxy.',
  response: { 200: Envelope(HealthSchema) },
};
const probe = (status: string) => {
  const always = Type.Literal(status, { description: 'the only value' });
  const options = { additionalProperties: false, description: 'the result of the probe' };
  return { tags, response: { 200: Envelope(Type.Object({ status: always }, options)) } };
};
const liveSchema: RouteSchema = {
  ...probe('live'),
  operationId: 'isLive',
  summary: 'Check whether the process responds',
  description: 'A liveness probe: 200 as long as the process responds at all.',
};
const readySchema: RouteSchema = {
  ...probe('ready'),
  operationId: 'isReady',
  summary: 'Check whether the service takes requests',
  description:
    'A readiness probe: 503 before the first catalogs are loaded, and from the moment the service starts to stop.',
  errors: ['NOT_READY'],
};

/**
 * `GET /health`: always 200, since the service that answers is alive; `data.status` says whether all is well. `GET
 * /health/live` is 200 while the process responds, `GET /health/ready` while the service takes requests.
 */
export function healthRoutes(
  app: FastifyInstance,
  { catalog, reads, webhook, now }: HealthSources,
  phase: () => Phase,
  mayReadCells: (request: FastifyRequest) => boolean,
): void {
  const get = (url: string, schema: RouteSchema, dataOf: (request: FastifyRequest) => object) =>
    app.get(url, { schema }, (request, reply) => {
      reply.header('cache-control', 'no-store');
      return success(dataOf(request));
    });
  get('/health', healthSchema, request =>
    healthOf(catalog.status(), reads.health(), now(), webhook?.health(), mayReadCells(request)),
  );
  get('/health/live', liveSchema, () => ({ status: 'live' }));
  get('/health/ready', readySchema, () => {
    if (phase() !== 'serving') throw new ApiError('STOPPING');
    if (!catalog.snapshot() || !catalog.status().isDecided) throw notReady(catalog.status());
    return { status: 'ready' };
  });
}
