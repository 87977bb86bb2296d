import type { Snapshot } from '../catalog/snapshot.ts';
import { packageVersion } from '../package-version.ts';
import { oncePerSnapshot } from '../query/once.ts';
import { largest, newsTypeCounts, productCounts } from '../query/overview.ts';
import { PageSchema } from '../query/paging.ts';
import { type PublishedNews, publishedNews } from '../query/published.ts';
import { NewsQuery, OverviewQuery } from '../query/queries.ts';
import { type Answer, type Endpoint, endpoint } from './answer.ts';
import { recordBody } from './bodies.ts';
import { strongTag } from './conditional.ts';
import { type NewsOptions, newsPage } from './news.ts';
import { cardPieces, listItems } from './news-pieces.ts';
import { MOST_READ, NewsCardSchema, type Overview, OverviewSchema } from './overview-schema.ts';

/** What the overview needs besides the set. */
export interface OverviewOptions extends NewsOptions {
  /** Where feeds of the news are, below the place where the service is mounted. */
  feeds: readonly string[];
}

/** What the page asks for, besides the health; none of it counts a read. */
export function overviewEndpoints(options: OverviewOptions): Endpoint[] {
  return [overview(options), newsCards(options)];
}

/** `GET /overview`, made anew only after a change of the counts or of what is published. */
function overview(options: OverviewOptions): Endpoint {
  const { reads, now } = options;
  const lookOf = oncePerSnapshot(snapshot => {
    let last: { published: PublishedNews; revision: number; answer: Answer } | undefined;
    return () => {
      const [published, revision] = [publishedNews(snapshot, now()), reads.revision()];
      if (last?.published !== published || last.revision !== revision)
        last = { published, revision, answer: answerOf(overviewOf(snapshot, published, options)) };
      return last.answer;
    };
  });
  return endpoint(
    '/overview',
    {
      operationId: 'getOverview',
      tags: ['Page'],
      summary: 'What there is, at a glance',
      errors: ['NOT_READY'],
      parameters: OverviewQuery,
      data: OverviewSchema,
      isTagged: true,
    },
    ({ snapshot }) => lookOf(snapshot)(),
  );
}

function overviewOf(
  snapshot: Snapshot,
  published: PublishedNews,
  { reads, feeds }: OverviewOptions,
): Overview {
  const { news } = snapshot;
  const countOf = (row: number) => reads.shown(news.id[row] ?? 0, news.read[row] ?? 0);
  const mostRead = largest(published.all, countOf, MOST_READ);
  const titles = listItems(
    news,
    mostRead.map(({ row }) => row),
  );
  return {
    version: packageVersion(),
    products: productCounts(snapshot),
    news_types: newsTypeCounts(snapshot, published),
    news: published.all.length,
    most_read: titles.map(({ id, title }, index) => ({ id, title, read: mostRead[index]?.count ?? 0 })),
    feeds: [...feeds],
  };
}

/** Caches may keep it if they ask each time, so that a page which asks every few seconds is mostly told "not modified". */
function answerOf(data: Overview): Answer {
  const json = JSON.stringify(data);
  return { tag: strongTag(json), body: () => recordBody(json) };
}

/** `GET /overview/news`: as `GET /api/news`, with images and categories. */
function newsCards(options: NewsOptions): Endpoint {
  return endpoint(
    '/overview/news',
    {
      operationId: 'listNewsCards',
      tags: ['Page'],
      summary: 'List the news with their images and categories',
      errors: ['INVALID_PARAMETER', 'NOT_READY'],
      parameters: NewsQuery,
      data: PageSchema(NewsCardSchema),
      isTagged: true,
    },
    question => newsPage(options, question, cardPieces),
  );
}
