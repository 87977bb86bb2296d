import type { Static } from '@sinclair/typebox';
import * as Type from '@sinclair/typebox/type';
import { SHORT_LENGTH } from './changes.ts';
import { catalogs } from './columns.ts';
import { PageSchema } from './envelope.ts';
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

/** How many events the calendar has. */
export const CALENDAR_EVENTS = 8;

const CalendarEventSchema = Type.Object(
  {
    id: Type.Integer({ description: 'id of the news item', examples: [44] }),
    title: Type.String({ description: 'its title', examples: ['A second data centre'] }),
    time: Type.Integer({ description: 'when, in Unix seconds', examples: [1893456000] }),
    event: Type.Union([Type.Literal('appears'), Type.Literal('disappears')], {
      description: 'what visitors see of it then',
      examples: ['appears'],
    }),
  },
  titled('CalendarEvent'),
);
export type CalendarEvent = Static<typeof CalendarEventSchema>;

export const CalendarSchema = Type.Object(
  { list: Type.Array(CalendarEventSchema, { maxItems: CALENDAR_EVENTS, description: 'the soonest first' }) },
  titled('Calendar'),
);
/** The `data` of `GET /overview/calendar`: what news items do next. */
export type Calendar = Static<typeof CalendarSchema>;

/** A column of the matrix. Without a durations catalog, it has only `duration_id`. */
const MatrixDurationSchema = Type.Object(
  {
    duration_id: catalogs.prices.row.properties.duration_id,
    ...Type.Partial(Type.Pick(catalogs.durations.row, ['name', 'num', 'unit'])).properties,
  },
  titled('MatrixDuration'),
);
export type MatrixDuration = Static<typeof MatrixDurationSchema>;

const priceOrNull = (description: string, example: number) =>
  Type.Union([Type.Null(), Type.Number({ minimum: 0 })], { description, examples: [example] });

const MatrixPriceSchema = Type.Object(
  {
    price: priceOrNull('the price; null if the last change removed it', 21.89),
    was: Type.Optional(
      priceOrNull('the price before the last change; null for a new one, absent for an unchanged one', 19.9),
    ),
    percent: Type.Optional(
      Type.Number({ description: 'the change in percent, unless the price was 0', examples: [10] }),
    ),
  },
  titled('MatrixPrice'),
);
/** A cell of the matrix; null if the combination neither has a price nor lost it with the last change. */
export type MatrixPrice = Static<typeof MatrixPriceSchema> | null;

const MatrixRowSchema = Type.Object(
  {
    ...Type.Pick(catalogs.configurations.row, ['id', 'name', 'cpu', 'memory']).properties,
    prices: Type.Array(Type.Union([Type.Null(), MatrixPriceSchema]), {
      description:
        'one for each of `durations`; null for a combination without a price, unless the last change removed it',
    }),
    change: Type.Optional(
      Type.Union([Type.Literal('added'), Type.Literal('changed')], {
        description: 'what the last change did to the configuration itself; absent if it left it as it was',
        examples: ['changed'],
      }),
    ),
  },
  titled('MatrixRow'),
);
export type MatrixRow = Static<typeof MatrixRowSchema>;

export const PriceMatrixSchema = Type.Object(
  {
    ...PageSchema(MatrixRowSchema).properties,
    durations: Type.Array(MatrixDurationSchema, {
      description:
        'all durations for which the configurations of the product have prices, or had some before the last change; by unit, num and id. They are the same on every page',
    }),
  },
  titled('PriceMatrix'),
);
/** The `data` of `GET /overview/prices`. */
export type PriceMatrix = Static<typeof PriceMatrixSchema>;

const place = {
  file: Type.String({ description: 'file name', examples: ['prices.csv'] }),
  sheet: Type.Optional(
    Type.String({ description: 'sheet of a workbook; absent for other files', examples: ['prices'] }),
  ),
  row: Type.Optional(
    Type.Integer({ minimum: 1, description: 'row in a spreadsheet, from 1', examples: [17] }),
  ),
  line: Type.Optional(
    Type.Integer({
      minimum: 1,
      description: 'line of a JSON file in which the row begins, from 1',
      examples: [17],
    }),
  ),
};
const RowPlaceSchema = Type.Object(place, {
  ...titled('RowPlace'),
  description: 'where the row is, as problems name it; a Markdown file is one row',
});
export type RowPlace = Static<typeof RowPlaceSchema>;

const values = (description: string, example: object) =>
  Type.Unsafe<Record<string, string | number | boolean | null>>(
    Type.Object(
      {},
      {
        additionalProperties: Type.Union([Type.String(), Type.Number(), Type.Boolean(), Type.Null()]),
        description,
        examples: [example],
      },
    ),
  );

const RowSchema = Type.Object(
  {
    row: values(
      `the values by column, without empty ones; long texts end with … after ${SHORT_LENGTH} characters`,
      { id: 1, name: 'Cloud Server' },
    ),
    names: Type.Optional(
      Type.Unsafe<Record<string, string>>(
        Type.Object(
          {},
          {
            additionalProperties: Type.String(),
            description: 'the names that ids of the row stand for, by column',
            examples: [{ product_id: 'Cloud Server' }],
          },
        ),
      ),
    ),
    place: Type.Optional(RowPlaceSchema),
    change: Type.Optional(
      Type.Union([Type.Literal('added'), Type.Literal('changed')], {
        description: 'what the last change did to the row; absent if it left it as it was',
        examples: ['changed'],
      }),
    ),
    was: Type.Optional(
      values('of a changed row, the values before by column; null for none', { price: 19.9 }),
    ),
    problems: Type.Optional(
      Type.Integer({ minimum: 1, description: 'how many problems it has', examples: [1] }),
    ),
  },
  titled('CatalogRow'),
);
export type CatalogRow = Static<typeof RowSchema>;

export const RowsSchema = Type.Object(
  {
    ...PageSchema(RowSchema).properties,
    columns: Type.Array(Type.String(), { description: 'the columns that rows can have' }),
  },
  titled('CatalogRows'),
);
/** The `data` of `GET /overview/rows`. */
export type CatalogRowsPage = Static<typeof RowsSchema>;
