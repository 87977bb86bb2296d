import type { FastifyPluginCallbackTypebox } from '@fastify/type-provider-typebox';
import { ComparisonSchema } from '../../contract/changes.ts';
import { ComparisonQuery } from '../../contract/queries.ts';
import { ApiError } from '../../errors.ts';
import { systemFs } from '../../files/atomic-write.ts';
import { historyPath, type OnDamage } from '../../history/entries.ts';
import { findVersion } from '../../history/versions.ts';
import type { HistoryReader } from '../../live/history-reader.ts';
import type { LiveCatalog } from '../../live/live.ts';
import { keptFiles } from '../../reader/load-set.ts';
import type { ComparedSide } from '../../reader/sides.ts';
import { changesPage } from '../endpoints/changes.ts';
import { notReady } from '../plugins/catalog-version.ts';
import { RepresentationOf, type RouteSchema } from '../plugins/representations.ts';
import { HISTORY_PATH, refusalOf } from './access.ts';

const schema = {
  operationId: 'compareVersions',
  tags: ['History'],
  summary: 'Compare two sets',
  description:
    'A page of all changes from one set to another, with whole values, hidden rows and news items before their time included, as `vitrine diff --json` writes them. A process of its own compares, one pair at a time, and the last result is kept for its further pages. The list holds up to 100,000 changes; `catalogs` counts all of them. A `Link` header leads to the next and the previous page.',
  querystring: ComparisonQuery,
  security: [{ previewToken: [] }],
  errors: [
    ...(['INVALID_PARAMETER', 'ROUTE_NOT_FOUND', 'VERSION_NOT_FOUND', 'NOTHING_HELD'] as const),
    ...(['VERSION_DAMAGED', 'COMPARISON_FAILED', 'NOT_READY', 'COMPARING'] as const),
  ],
  response: { 200: RepresentationOf(ComparisonSchema) },
} satisfies RouteSchema;

/** What is compared. */
interface ComparisonOptions {
  catalog: LiveCatalog;
  stateDir: string;
  reader: HistoryReader;
  onDamage: OnDamage;
}

/** `GET /history/changes`. */
export const comparisonRoute: FastifyPluginCallbackTypebox<ComparisonOptions> = (
  app,
  { catalog, stateDir, reader, onDamage },
  done,
) => {
  const dir = historyPath(stateDir);
  /** @throws ApiError, and as `findVersion` does. */
  const sideNamed = async (text: string): Promise<ComparedSide> => {
    const { held, served, loading } = catalog.status();
    if (text === 'held') {
      if (!held) throw new ApiError('NOTHING_HELD');
      return { held: keptFiles(held.report) };
    }
    if (text !== 'served') return findVersion(systemFs, dir, text, onDamage);
    if (!served) throw notReady({ loading });
    return findVersion(systemFs, dir, served.snapshot.version, onDamage);
  };
  app.get(`${HISTORY_PATH}/changes`, { schema }, async request => {
    const { from, to, page, limit } = request.query;
    try {
      const [before, after] = [await sideNamed(from), await sideNamed(to)];
      const table = await reader.compare(before, after);
      // Further pages are of the same two, whatever is served by then.
      const parameters = { page, limit, from: nameOf(before), to: nameOf(after) };
      return changesPage(table, catalog.status().served?.snapshot, ComparisonQuery, parameters);
    } catch (error) {
      throw refusalOf(error, request, 'COMPARISON_FAILED');
    }
  });
  done();
};

function nameOf(side: ComparedSide): string {
  return 'held' in side ? 'held' : side.version;
}
