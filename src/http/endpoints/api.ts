import type { FastifyPluginCallback } from 'fastify';
import type { CachingHeaders } from '../../answer/cache-control.ts';
import { requireCatalog } from '../plugins/catalog-version.ts';
import { sendRepresentations } from '../plugins/representations.ts';
import { newsTypeList, productList } from './catalog-lists.ts';
import { configurationList } from './configurations.ts';
import { newsDetail } from './news-detail.ts';
import { type NewsOptions, newsList } from './news-list.ts';
import { price } from './price.ts';

/** What the API needs in addition to the snapshot. */
export interface ApiOptions extends NewsOptions {
  /** The headers for shared caches; undefined if they keep nothing. */
  cachingHeaders?: CachingHeaders | undefined;
}

/** The four endpoints of the contract (SPEC 4), and the lists beside them. */
export const apiRoutes: FastifyPluginCallback<ApiOptions> = (app, { reads, now, cachingHeaders }, done) => {
  requireCatalog(app);
  sendRepresentations(app, cachingHeaders);
  app.register(configurationList);
  app.register(price);
  app.register(newsList, { reads, now });
  app.register(newsDetail, { reads, now });
  app.register(productList);
  app.register(newsTypeList);
  done();
};
