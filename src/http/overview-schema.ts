import { type Static, Type } from '@sinclair/typebox';
import { NewsDetailSchema } from '../catalog/records.ts';
import { catalogs } from '../catalog/schemas.ts';

const titled = (title: string) => ({ additionalProperties: false, title });
const count = (description: string) => Type.Integer({ minimum: 0, description });

/** How many of the most read news are told. */
export const MOST_READ = 10;

export const OverviewSchema = Type.Object(
  {
    version: Type.String({ description: 'version of the program' }),
    products: Type.Array(
      Type.Object(
        { ...catalogs.products.row.properties, configurations: count('how many configurations it has') },
        titled('ProductOverview'),
      ),
      { description: 'in the order of their file' },
    ),
    news_types: Type.Array(
      Type.Object(
        { ...catalogs.news_types.row.properties, news: count('how many published news it has') },
        titled('NewsTypeOverview'),
      ),
      { description: 'the categories of news, in the order of their file' },
    ),
    news: count('how many published news there are'),
    most_read: Type.Array(
      Type.Object(
        {
          ...Type.Pick(catalogs.news.row, ['id', 'title']).properties,
          read: Type.Integer({ minimum: 1, description: 'read count' }),
        },
        titled('MostRead'),
      ),
      { maxItems: MOST_READ, description: 'the published news with the most reads, the most first' },
    ),
    feeds: Type.Array(Type.String(), {
      description: 'where feeds of the news are, below the place where the service is mounted',
    }),
  },
  titled('Overview'),
);
/** What `GET /overview` tells. */
export type Overview = Static<typeof OverviewSchema>;

export const NewsCardSchema = Type.Object(
  { type_id: catalogs.news.row.properties.type_id, ...NewsDetailSchema.properties },
  titled('NewsCard'),
);
/** A news item with all that is shown of it. */
export type NewsCard = Static<typeof NewsCardSchema>;
