import type { Static } from '@sinclair/typebox';
import * as Type from '@sinclair/typebox/type';
import { catalogs } from './columns.ts';
import { PageSchema } from './envelope.ts';
import { titled } from './records.ts';

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
