import type { Static, TSchema } from '@sinclair/typebox';
import * as Type from '@sinclair/typebox/type';
import { oneOf } from './columns.ts';
import { count, textList, timestamp, titled } from './records.ts';

/** The maximum length of a message in health. Messages quote cells, which can be as long as their file. */
export const MAX_MESSAGE = 300;

const text = (description: string) => Type.String({ description });
const orNull = <Schema extends TSchema>(schema: Schema) => Type.Union([Type.Null(), schema]);
const place = {
  file: text('file name'),
  sheet: Type.Optional(text('sheet of a workbook; absent for other files')),
  line: Type.Optional(Type.Integer({ minimum: 1, description: 'line, from 1; absent in workbooks' })),
  column: Type.Optional(Type.Integer({ minimum: 1, description: 'column in characters, from 1' })),
  row: Type.Optional(
    Type.Integer({ minimum: 1, description: 'row in a spreadsheet, from 1; absent in JSON' }),
  ),
  cell: Type.Optional(text('cell in a spreadsheet, such as `E17`; absent in JSON')),
  heading: Type.Optional(text('heading of the column, or key of the JSON value')),
};
const PlaceSchema = (description: string) => titled('Place', description, place);
/**
 * A location in a catalog file: line and column for programs, row and cell of a spreadsheet for editors. A cell of several
 * lines is in one row. Columns count code points.
 */
export type SourceLocation = Static<ReturnType<typeof PlaceSchema>>;

/**
 * The outcome of the last change of the files. A set with errors is `pending` for ten seconds, because editors save one file
 * after the other, and then `failed`. A drastic set is `held` until somebody confirms it. `unchanged`: the content is already served.
 */
const outcomes = ['loaded', 'unchanged', 'held', 'pending', 'failed'] as const;
export type Outcome = (typeof outcomes)[number];

const FileSchema = titled('CatalogFile', '', {
  catalog: text('catalog name'),
  file: place.file,
  sheet: place.sheet,
  rows: count('rows of the catalog, including hidden ones'),
  encoding: text('encoding of the file'),
  delimiter: Type.Optional(text('delimiter of a CSV file')),
  decimal: Type.Optional(
    text('decimal sign of numbers in a CSV file, or of texts in a workbook, if it is a comma'),
  ),
});

export const ProblemSchema = titled('Problem', '', {
  severity: oneOf(['error', 'warning'], 'errors stop a set, warnings do not'),
  code: text('stable code'),
  ...place,
  message: Type.String({
    maxLength: MAX_MESSAGE + 1,
    description: 'what is wrong, then what to write instead; cut off if longer',
  }),
  also: Type.Optional(PlaceSchema('the other place of a clash')),
  count: Type.Optional(
    Type.Integer({ minimum: 2, description: 'how many cells of the column, or files, have this problem' }),
  ),
  last: Type.Optional(PlaceSchema('the last of these cells')),
  cells: Type.Optional(textList('all of these cells or rows, if there are at most five')),
  files: Type.Optional(
    textList('the files that have this problem, if there are several; in health, at most 100'),
  ),
});

const ReadingSchema = titled('Reading', 'how its files were read', {
  csv_encoding: text('encoding of CSV files that are not Unicode: `CSV_ENCODING`'),
  csv_decimal: oneOf(['.', ','], 'decimal sign of CSV files: `CSV_DECIMAL`'),
  time_zone: text('zone of local times: `TIME_ZONE`'),
  markdown_html: Type.Boolean({ description: 'whether HTML in Markdown is served: `MARKDOWN_HTML`' }),
});

const ServedSchema = titled('ServedCatalogs', 'the set that is served; null before the first', {
  version: text('short hash of the rows, as in `Catalog-Version`'),
  loaded: timestamp('when this set was loaded'),
  files: Type.Array(FileSchema, { description: 'its files' }),
  reading: ReadingSchema,
});

const AttemptSchema = titled('Attempt', 'outcome of the last change of the files; null before the first', {
  outcome: oneOf(
    outcomes,
    '`pending`: it has errors, but more files may follow; `held`: it waits to be confirmed',
  ),
  time: timestamp('when the files were read'),
  errors: count('number of errors'),
  warnings: count('number of warnings'),
  changes: Type.Optional(text('what the set changes, if the set before it is known')),
  problems: Type.Array(ProblemSchema, {
    description: 'the first 100, errors before warnings; equal ones of a column are one',
  }),
});

export type Attempt = Static<typeof AttemptSchema>;

export const HoldReasonsSchema = Type.Array(
  titled('HoldReason', '', {
    code: text('stable code of the rule'),
    message: Type.String({
      maxLength: MAX_MESSAGE + 1,
      description: 'what would happen, then what to do; cut off if longer',
    }),
  }),
  { description: 'why, one for each rule and file' },
);

const HeldSchema = titled('Held', 'a set without errors that waits for confirmation; null if there is none', {
  version: text('its version, as in `Catalog-Version`'),
  since: timestamp('since when it is held back'),
  reasons: HoldReasonsSchema,
});

const PinnedSchema = titled(
  'Pinned',
  'the version that is served whatever the files contain; null if changed files are loaded',
  {
    version: text('pinned version; if it cannot be served, as the file `pin` names it'),
    since: timestamp('since when it is pinned'),
    saved: Type.Optional(
      timestamp('when files were last saved that wait for the unpin; absent if none were'),
    ),
  },
);

const LoadingSchema = titled('Loading', 'progress of reading the files; null while none are read', {
  rows: count('rows read so far'),
  percent: Type.Integer({
    minimum: 0,
    maximum: 100,
    description: 'how much of the bytes of the files has been read; 100 while indexes are built',
  }),
});

const ReadsSchema = titled('Reads', 'state of the read counts', {
  store: oneOf(['file', 'redis'], 'where read counts are kept'),
  unsaved: count('counted reads that are not saved yet'),
  last_flush: orNull(timestamp('when all reads were last saved; null before the first time')),
});

const WebhookSchema = titled(
  'Webhook',
  'state of the webhooks; absent without `CHAT_URL` and `WEBHOOK_URL`',
  {
    waiting: count('receivers that have not accepted the last message yet'),
    last_delivery: orNull(
      timestamp('when a message was last delivered; null before the first since the start'),
    ),
  },
);

export const HealthSchema = titled('Health', '', {
  status: oneOf(['ok', 'degraded'], 'whether everything works'),
  reasons: textList('why the service is degraded, a sentence each'),
  catalogs: orNull(ServedSchema),
  last_attempt: orNull(AttemptSchema),
  held: orNull(HeldSchema),
  pinned: orNull(PinnedSchema),
  loading: orNull(LoadingSchema),
  reads: ReadsSchema,
  webhook: Type.Optional(WebhookSchema),
});
export type Health = Static<typeof HealthSchema>;
