import type { Static } from '@sinclair/typebox';
import * as Type from '@sinclair/typebox/type';
import { PageSchema } from './envelope.ts';
import { HoldReasonsSchema } from './health.ts';
import { count, titled } from './records.ts';

const FileSchema = Type.Object(
  {
    catalog: Type.String({ description: 'catalog name', examples: ['prices'] }),
    file: Type.String({ description: 'file name', examples: ['prices.csv'] }),
    sheet: Type.Optional(
      Type.String({ description: 'sheet of a workbook; absent for other files', examples: ['prices'] }),
    ),
    rows: count('rows of the catalog, including hidden ones', { examples: [247] }),
    bytes: count('size of the file', { examples: [4354] }),
  },
  titled('VersionFile'),
);

const version = {
  version: Type.String({ description: 'its version, as in `Catalog-Version`', examples: ['790948ef4deb'] }),
  since: Type.String({
    pattern: '^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\dZ$',
    description: 'since when it was served or held back, RFC 3339 in UTC',
    examples: ['2026-11-22T05:22:53Z'],
  }),
  rows: count('rows of all files, including hidden ones', { examples: [351] }),
  files: Type.Array(FileSchema, { description: 'its files' }),
  changes: Type.Union([Type.Null(), Type.String()], {
    description: 'what it changed, or would change, in one line; null if that is not known',
    examples: ['1 price changed'],
  }),
};

const states = ['served', 'pinned'] as const;

const HistoryVersionSchema = Type.Object(
  {
    ...version,
    state: Type.Optional(
      Type.Union(
        states.map(state => Type.Literal(state)),
        {
          description:
            '`pinned`: it is served, and changed files are not loaded; absent if it is not served now',
          examples: ['served'],
        },
      ),
    ),
  },
  titled('HistoryVersion'),
);
/** A set that was served. */
export type HistoryVersion = Static<typeof HistoryVersionSchema>;

const HeldVersionSchema = Type.Object(
  { ...version, reasons: HoldReasonsSchema },
  {
    ...titled('HeldVersion'),
    description: 'a set without errors that waits until somebody confirms it; null if there is none',
  },
);

export const HistorySchema = Type.Object(
  { ...PageSchema(HistoryVersionSchema).properties, held: Type.Union([Type.Null(), HeldVersionSchema]) },
  titled('History'),
);
/** The `data` of `GET /history`. */
export type History = Static<typeof HistorySchema>;

/** What people can do with versions, as in `POST /history/{version}/pin`. */
const actions = ['pin', 'unpin', 'publish'] as const;
export type Action = (typeof actions)[number];

export const ControlSchema = Type.Object(
  {
    action: Type.Union(
      actions.map(action => Type.Literal(action)),
      { description: 'what was asked for; the service follows within a second' },
    ),
    version: Type.Union([Type.Null(), Type.String()], {
      description:
        'the whole version that is pinned, not pinned any more, or confirmed; null if none was pinned',
      examples: ['790948ef4deb'],
    }),
  },
  titled('Control'),
);
/** The `data` of what changes what is served. */
export type Control = Static<typeof ControlSchema>;
