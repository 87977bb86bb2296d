import type { FastifyPluginCallbackTypebox } from '@fastify/type-provider-typebox';
import type { FastifyPluginCallback } from 'fastify';
import { inTurn } from '../../answer/in-turn.ts';
import { recordBody } from '../../answer/json-bodies.ts';
import { wholePage } from '../../answer/page.ts';
import type { Representation } from '../../answer/representation.ts';
import { strongTag } from '../../answer/representation.ts';
import { NotModified } from '../../contract/envelope.ts';
import { type Overview, OverviewSchema, PriceMatrixSchema } from '../../contract/page.ts';
import { OverviewQuery, PriceMatrixQuery } from '../../contract/queries.ts';
import { packageVersion } from '../../package-version.ts';
import { type PublishedNews, publishedNews } from '../../query/news.ts';
import { overviewOf } from '../../query/overview.ts';
import { priceMatrix } from '../../query/price-matrix.ts';
import { memoizePerSnapshot, type Snapshot } from '../../snapshot/snapshot.ts';
import { requireCatalog } from '../plugins/catalog-version.ts';
import { RepresentationOf, type RouteSchema, sendRepresentations } from '../plugins/representations.ts';
import { newsArticle, newsCards } from './news-cards.ts';
import type { NewsOptions } from './news-list.ts';
import { type RowsOptions, rowsRoute } from './rows.ts';

/** What the overview needs in addition to the snapshot. */
interface OverviewOptions extends NewsOptions, RowsOptions {
  /** Paths of the news feeds, relative to the mount point of the service. */
  feeds: readonly string[];
}

/** The routes of the page for people. None of them counts a read. */
export const overviewRoutes: FastifyPluginCallback<OverviewOptions> = (app, options, done) => {
  const { reads, now, problems } = options;
  requireCatalog(app);
  sendRepresentations(app);
  app.register(overview, options);
  app.register(newsCards, { reads, now });
  app.register(priceMatrixRoute);
  app.register(newsArticle, { reads, now });
  app.register(rowsRoute, { now, problems });
  done();
};

const overviewSchema = {
  operationId: 'getOverview',
  tags: ['Page'],
  summary: 'Get an overview of the catalogs',
  description:
    'What the page for people shows first: products, categories, the most read news, and the version of Vitrine.',
  querystring: OverviewQuery,
  errors: ['NOT_READY'],
  response: { 200: RepresentationOf(OverviewSchema), 304: NotModified },
} satisfies RouteSchema;

/** `GET /overview`, built again only after a change of the counts or of the published news. */
const overview: FastifyPluginCallbackTypebox<OverviewOptions> = (app, options, done) => {
  const { reads, now, feeds } = options;
  const overviewNow = (snapshot: Snapshot, published: PublishedNews) => {
    const site = { version: packageVersion(), feeds: [...feeds] };
    return overviewOf(snapshot, published, (id, floor) => reads.shown(id, floor), site);
  };
  const latestOf = memoizePerSnapshot(snapshot => {
    let last: { published: PublishedNews; revision: number; made: Representation } | undefined;
    return () => {
      const [published, revision] = [publishedNews(snapshot, now()), reads.revision()];
      if (last?.published !== published || last.revision !== revision)
        last = { published, revision, made: represent(overviewNow(snapshot, published)) };
      return last.made;
    };
  });
  app.get('/overview', { schema: overviewSchema }, ({ snapshot }) => latestOf(snapshot)());
  done();
};

/** Tagged, so that a page that polls every few seconds mostly gets 304. */
function represent(data: Overview): Representation {
  const json = JSON.stringify(data);
  return { tag: strongTag(json), body: recordBody(json) };
}

const pricesSchema = {
  operationId: 'getPriceMatrix',
  tags: ['Page'],
  summary: 'Get the prices of a product as a matrix',
  description:
    'A page of the configurations of a product, each with its prices in the order of `durations`, and with what the last change of the files did to them. Of more than 100,000 changes, the first ones are marked.',
  querystring: PriceMatrixQuery,
  errors: ['INVALID_PARAMETER', 'NOT_READY'],
  response: { 200: RepresentationOf(PriceMatrixSchema), 304: NotModified },
} satisfies RouteSchema;

/** `GET /overview/prices`. */
const priceMatrixRoute: FastifyPluginCallbackTypebox = (app, _options, done) => {
  app.get('/overview/prices', { schema: pricesSchema }, async ({ query, snapshot }) => {
    return wholePage(PriceMatrixQuery, query, await inTurn(priceMatrix(snapshot, query)));
  });
  done();
};
