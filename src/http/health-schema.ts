import { type Static, Type } from '@sinclair/typebox';
import { outcomes } from '../catalog/status.ts';
import { stores } from '../reads/counter.ts';

const titled = (title: string) => ({ additionalProperties: false, title });
const count = (description: string) => Type.Integer({ minimum: 0, description });
const place = {
  file: Type.String({ description: 'file name' }),
  line: Type.Optional(Type.Integer({ minimum: 1, description: 'line, from 1' })),
  column: Type.Optional(Type.Integer({ minimum: 1, description: 'column in characters, from 1' })),
};
const time = (description: string) =>
  Type.String({
    pattern: '^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\dZ$',
    description: `${description}, RFC 3339 in UTC`,
  });
const oneOf = <const Choice extends string>(choices: readonly Choice[], description: string) =>
  Type.Union(
    choices.map(choice => Type.Literal(choice)),
    { description },
  );

const FileSchema = Type.Object(
  {
    catalog: Type.String({ description: 'catalog name' }),
    file: place.file,
    rows: count('rows in the file, hidden ones too'),
    encoding: Type.String({ description: 'what the file is written in' }),
    delimiter: Type.Optional(Type.String({ description: 'what divides the cells of a CSV file' })),
  },
  titled('CatalogFile'),
);

const ProblemSchema = Type.Object(
  {
    severity: oneOf(['error', 'warning'], 'errors stop a set, warnings do not'),
    code: Type.String({ description: 'stable code' }),
    ...place,
    message: Type.String({ description: 'what is wrong, and what to write instead' }),
    also: Type.Optional(
      Type.Object(place, { ...titled('Place'), description: 'the other place of a clash' }),
    ),
  },
  titled('Problem'),
);

const ServedSchema = Type.Object(
  {
    version: Type.String({ description: 'short hash of the rows, as in `Catalog-Version`' }),
    loaded: time('when this set was loaded'),
    files: Type.Array(FileSchema, { description: 'what it was read from' }),
  },
  { ...titled('ServedCatalogs'), description: 'the set that is served; null before the first' },
);

const AttemptSchema = Type.Object(
  {
    outcome: oneOf(outcomes, '`pending`: it has errors, and more files may be on their way'),
    time: time('when the files were looked at'),
    errors: count('how many errors they have'),
    warnings: count('how many warnings they have'),
    problems: Type.Array(ProblemSchema, { description: 'the first 100 of them' }),
  },
  { ...titled('Attempt'), description: 'what became of the last change of the files; null before the first' },
);

const ReadsSchema = Type.Object(
  {
    store: oneOf(stores, 'where read counts are kept'),
    unsaved: count('reads that were counted and are not saved yet'),
    last_flush: Type.Union([Type.Null(), time('when all reads were saved last; null before the first time')]),
  },
  { ...titled('Reads'), description: 'the counting of reads' },
);

/** What the service says of itself. */
export const HealthSchema = Type.Object(
  {
    status: oneOf(['ok', 'degraded'], 'whether all is well'),
    reasons: Type.Array(Type.String(), { description: 'why the service is degraded, a sentence each' }),
    catalogs: Type.Union([Type.Null(), ServedSchema]),
    last_attempt: Type.Union([Type.Null(), AttemptSchema]),
    reads: ReadsSchema,
  },
  titled('Health'),
);
export type Health = Static<typeof HealthSchema>;
