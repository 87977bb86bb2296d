import type { Static } from '@sinclair/typebox';
import * as Type from '@sinclair/typebox/type';
import { SHORT_LENGTH } from './changes.ts';
import { PageSchema } from './envelope.ts';
import { titled } from './records.ts';

/** What visitors do not see of a row that a preview shows. */
export const rowStates = ['hidden', 'scheduled', 'expired'] as const;
export type RowState = (typeof rowStates)[number];

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
    state: Type.Optional(
      Type.Union(
        rowStates.map(state => Type.Literal(state)),
        {
          description:
            'in a preview, why visitors do not see the row: it is hidden, before its time, or after it',
          examples: ['hidden'],
        },
      ),
    ),
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
    columns: Type.Array(Type.String(), {
      description: 'the columns that rows can have; previews have all, visitors those that are served',
    }),
  },
  titled('CatalogRows'),
);
/** The `data` of `GET /overview/rows`. */
export type CatalogRowsPage = Static<typeof RowsSchema>;
