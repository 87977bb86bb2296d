import { recordBody } from '../../answer/body.ts';
import { inTurn } from '../../answer/in-turn.ts';
import { type Representation, strongTag } from '../../answer/representation.ts';
import type { Overview } from '../../contract/overview.ts';
import { PriceMatrixQuery, RowsQuery } from '../../contract/queries.ts';
import type { CatalogStatus } from '../../live/status.ts';
import { packageVersion } from '../../package-version.ts';
import { publishedNews } from '../../query/news.ts';
import { overviewOf, priceMatrix } from '../../query/overview.ts';
import { pricesAt } from '../../query/prices.ts';
import { catalogRows } from '../../query/rows.ts';
import type { ReadCounter } from '../../reads/counts.ts';
import { type Endpoint, endpoint } from '../endpoint.ts';

/**
 * What the page for people asks for that the API does not have. It is no contract, and counts no read. `feeds` are the paths
 * of the news feeds, relative to the mount point of the service.
 */
export function pageEndpoints(
  reads: ReadCounter,
  feeds: readonly string[],
  status: () => CatalogStatus,
): Endpoint[] {
  const overview = endpoint({
    url: '/overview',
    schema: {},
    handler({ snapshot, now }) {
      const { id, read } = snapshot.news;
      const [published, revision] = [publishedNews(snapshot, now()), reads.revision()];
      const countOf = (row: number) => reads.shown(id[row] ?? 0, read[row] ?? 0);
      const { all } = published;
      const data: Overview = { version: packageVersion(), ...overviewOf(snapshot, all, countOf), feeds };
      const isCurrent = () => publishedNews(snapshot, now()) === published && reads.revision() === revision;
      return { ...recordOf(data), isCurrent };
    },
  });
  const prices = endpoint({
    url: '/overview/prices',
    schema: { querystring: PriceMatrixQuery },
    handler({ query, snapshot, now }) {
      const prices = pricesAt(snapshot, now());
      const isCurrent = () => pricesAt(snapshot, now()) === prices;
      return { ...recordOf(priceMatrix(snapshot, prices, query)), isCurrent };
    },
  });
  const rows = endpoint({
    url: '/overview/rows',
    schema: { querystring: RowsQuery },
    async handler({ query, snapshot, now }) {
      // What is around the files of a set that is served or held back can change its problems.
      const { served, held } = status();
      const set = [served, held].find(set => set?.report.version === snapshot.version);
      const counts = new Map(set?.report.rowProblems?.[query.catalog]);
      const page = await inTurn(catalogRows(snapshot, query, counts, now()));
      return { ...recordOf(page), isCurrent: () => false };
    },
  });
  return [overview, prices, rows];
}

/** Tagged, so that a page that polls every few seconds mostly gets 304. */
function recordOf(data: object): Representation {
  const json = JSON.stringify(data);
  return { tag: strongTag(json), body: recordBody(Buffer.from(json)) };
}
