import type { Static } from '@sinclair/typebox';
import * as Type from '@sinclair/typebox/type';
import { catalogs } from './columns.ts';
import { count, NewsDetailSchema, titled } from './records.ts';

/** How many of the most read news items the overview has. */
export const MOST_READ = 10;

export const OverviewSchema = Type.Object(
  {
    version: Type.String({ description: 'version of the program' }),
    products: Type.Array(
      Type.Object(
        { ...catalogs.products.row.properties, configurations: count('number of its configurations') },
        titled('ProductOverview'),
      ),
      { description: 'in the order of their file' },
    ),
    news_types: Type.Array(
      Type.Object(
        { ...catalogs.news_types.row.properties, news: count('number of its published news items') },
        titled('NewsTypeOverview'),
      ),
      { description: 'the news categories, in the order of their file' },
    ),
    news: count('number of published news items'),
    most_read: Type.Array(
      Type.Object(
        {
          ...Type.Pick(catalogs.news.row, ['id', 'title']).properties,
          read: Type.Integer({ minimum: 1, description: 'read count' }),
        },
        titled('MostRead'),
      ),
      { maxItems: MOST_READ, description: 'the published news items with the most reads, most read first' },
    ),
    feeds: Type.Array(Type.String(), {
      description: 'paths of the news feeds, relative to the base URL',
    }),
  },
  titled('Overview'),
);
/** The `data` of `GET /overview`. */
export type Overview = Static<typeof OverviewSchema>;

export const NewsCardSchema = Type.Object(
  {
    type_id: catalogs.news.row.properties.type_id,
    ...Type.Omit(NewsDetailSchema, ['content']).properties,
    paragraphs: Type.Array(Type.String({ minLength: 1 }), {
      description: 'the visible text of the content, in paragraphs',
    }),
  },
  titled('NewsCard'),
);
/** A news item of `GET /overview/news`, as the page shows it. */
export type NewsCard = Static<typeof NewsCardSchema>;

export const NewsArticleSchema = Type.Object(
  {
    type_id: catalogs.news.row.properties.type_id,
    ...NewsDetailSchema.properties,
    html: Type.Boolean({ description: 'whether the content is HTML, and not plain text' }),
  },
  titled('NewsArticle'),
);
/** The `data` of `GET /overview/news/{id}`: a news item as visitors see it. */
export type NewsArticle = Static<typeof NewsArticleSchema>;
