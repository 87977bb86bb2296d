import type { FastifyPluginCallback } from 'fastify';
import { requireCatalog } from '../plugins/catalog-version.ts';
import { sendRepresentations } from '../response/representation.ts';
import { newsTypeList, productList } from './catalog-lists.ts';
import { configurationList } from './configuration-list.ts';
import { newsDetail } from './news-detail.ts';
import { type NewsOptions, newsList } from './news-list.ts';
import { price } from './price.ts';

/** The four endpoints of the contract (SPEC 4), and the lists beside them. */
export const apiRoutes: FastifyPluginCallback<NewsOptions> = (app, { reads, now }, done) => {
  requireCatalog(app);
  sendRepresentations(app);
  app.register(configurationList);
  app.register(price);
  app.register(newsList, { reads, now });
  app.register(newsDetail, { reads, now });
  app.register(productList);
  app.register(newsTypeList);
  done();
};
