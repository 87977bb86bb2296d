import type { Endpoint } from '../endpoint.ts';
import { newsTypeList, productList } from './catalog-lists.ts';
import { configurationList } from './configurations.ts';
import { newsDetail } from './news-detail.ts';
import { type NewsOptions, newsList } from './news-list.ts';
import { price } from './price.ts';

/** The four endpoints of the contract (SPEC 4), and the lists beside them. */
export function apiEndpoints(options: NewsOptions): Endpoint[] {
  return [configurationList, price, newsList(options), newsDetail(options), productList, newsTypeList];
}
