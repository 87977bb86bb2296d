// The contract: schemas and tables from which types, validation, messages and the OpenAPI document come.
//
// `columns.ts` has the catalogs, their columns and the schemas of their rows; `catalog-files.ts` which files they are read
// from; `problems.ts` every problem of a file. `queries.ts` has the parameters of the endpoints, `records.ts` and `envelope.ts`
// their answers. `changes.ts`, `health.ts`, `history.ts`, `webhook.ts` and `overview.ts` describe what else the service sends.
//
import type { SchemaOptions, Static, TObject } from '@sinclair/typebox';
import * as Type from '@sinclair/typebox/type';

/** The types of cells; each has its own parser. */
export type CellType = NumberType | TextType | 'flag' | 'time' | 'timeOrZero';
type NumberType = 'id' | 'count' | 'reads' | 'size' | 'price';
type TextType = 'text' | 'terms' | 'fileName' | 'unit' | 'contentFormat';

declare module '@sinclair/typebox' {
  interface SchemaOptions {
    cellType?: CellType;
    /** The value that means the same as an empty cell. */
    none?: number | false;
    /** The catalog whose ids are the values. In a file, unique names may replace ids. */
    references?: NamedCatalog;
    /** The catalog whose ids are the values, alone or before the name of the row: `12 Small`. */
    choices?: 'configurations';
  }
}

export type NamedCatalog = 'products' | 'durations' | 'news_types';
export type ReferredCatalog = NamedCatalog | 'configurations';

/** The `rel_type` of the price of a recommended configuration. Other prices are not served. */
export const CONFIGURATION_PRICE = 1;
const MAX_ID = Number.MAX_SAFE_INTEGER;
/** The largest `read` in a file. With counted reads, it stays below the largest count, 2^53 - 1. */
export const MAX_READ = 1_000_000_000_000_000;
/** The last second of 9999, the last year with four digits. */
export const MAX_TIME = 253_402_300_799;

/** In UTF-16 units. No news item is as long, and a set of such texts can still be loaded and refused. */
export const MAX_TEXT_LENGTH = 1_000_000;

/** In the order in which durations are sorted. */
export const durationUnits = ['hour', 'day', 'week', 'month', 'year'] as const;

/** The formats of the content of news items. Other formats than `html` are served as HTML. */
export const contentFormats = ['html', 'text', 'markdown'] as const;

const integer = (cellType: CellType, minimum: number, description: string, more: SchemaOptions = {}) =>
  Type.Integer({ cellType, minimum, maximum: MAX_ID, description, ...more });
const id = (description: string) => integer('id', 1, description);
const reference = (references: NamedCatalog, description: string) =>
  integer('id', 1, description, { references });
const time = (cellType: 'time' | 'timeOrZero', description: string, more: SchemaOptions = {}) =>
  Type.Integer({ cellType, minimum: 0, maximum: MAX_TIME, description, ...more });
/** Absent for what 0 means, so that rows without a value keep their version. */
const optionalTime = (description: string) => Type.Optional(time('timeOrZero', description, { none: 0 }));
const text = (description: string, more: SchemaOptions = {}) =>
  Type.String({ cellType: 'text', maxLength: MAX_TEXT_LENGTH, description, ...more });
const size = (description: string) => Type.Number({ cellType: 'size', minimum: 0, description });
export const oneOf = <const Name extends string>(
  names: readonly Name[],
  description: string,
  more: SchemaOptions = {},
) =>
  Type.Union(
    names.map(name => Type.Literal(name)),
    { description, ...more },
  );
const hidden = (more: SchemaOptions = { default: false }) =>
  Type.Boolean({ cellType: 'flag', description: 'true: the row is not served', ...more });
/** Without a default, so that rows without a value keep the version that they had before the column existed. */
const optionallyHidden = () => Type.Optional(hidden({ none: false }));

/**
 * The catalogs and the schemas of their parsed rows, each before those that refer to it. Columns with a default and optional
 * ones may be missing. A catalog may be missing unless one of `neededBy` is present. `noun` is the word for a row.
 */
export const catalogs = {
  products: {
    noun: 'product',
    neededBy: ['configurations', 'prices'],
    row: Type.Object({
      id: id('product id'),
      name: text('product name'),
      description: text('product description', { default: '' }),
      hidden: optionallyHidden(),
    }),
  },
  configurations: {
    noun: 'configuration',
    neededBy: ['prices'],
    row: Type.Object({
      id: id('configuration id'),
      product_id: reference('products', 'id of the product'),
      name: text('configuration name'),
      cpu: size('number of CPUs, also fractions such as 0.5; 0 for none'),
      memory: size('memory in MB; 0 for none'),
      order: integer('count', -MAX_ID, 'position in the list, smallest first', { default: 0 }),
      hidden: hidden(),
    }),
  },
  durations: {
    noun: 'duration',
    neededBy: [],
    row: Type.Object({
      id: id('duration id'),
      name: text('duration name'),
      num: integer('count', 1, 'number of units'),
      unit: oneOf(durationUnits, `one of ${durationUnits.join(', ')}`, { cellType: 'unit' }),
      hidden: optionallyHidden(),
    }),
  },
  prices: {
    noun: 'price',
    neededBy: [],
    row: Type.Object({
      id: id('price record id'),
      product_id: reference('products', 'id of the product of the configuration'),
      rel_id: integer('id', 1, 'id of the configuration: `recommend_config_id`', {
        choices: 'configurations',
      }),
      duration_id: reference('durations', 'id of the duration'),
      price: Type.Number({
        cellType: 'price',
        minimum: 0,
        description: 'price, in the currency of the site',
      }),
      rel_type: integer(
        'count',
        0,
        'kind of relation; 1 is the price of a recommended configuration, and only these are served',
        { default: CONFIGURATION_PRICE },
      ),
      valid_from: optionalTime('time from which it is the price, in Unix seconds; absent for always'),
      hidden: optionallyHidden(),
    }),
  },
  news_types: {
    noun: 'news type',
    neededBy: [],
    row: Type.Object({ id: id('news type id'), name: text('news type name') }),
  },
  news: {
    noun: 'news item',
    neededBy: [],
    row: Type.Object({
      id: id('news id'),
      type_id: Type.Optional(reference('news_types', 'id of the news type')),
      title: text('title'),
      content: text('body text, plain or HTML'),
      // Without a default, and without a value once the content is HTML: it does not describe what is served.
      content_format: Type.Optional(
        oneOf(
          contentFormats,
          `how \`content\` is written, one of ${contentFormats.join(', ')}; not served. Without it, \`content\` is served as it is`,
          { cellType: 'contentFormat' },
        ),
      ),
      keywords: text('comma-separated terms', { cellType: 'terms', default: '' }),
      img: Type.String({
        cellType: 'fileName',
        pattern: '^([^./\\\\\\x00-\\x1f][^/\\\\\\x00-\\x1f]*)?$',
        default: '',
        description: 'image file name, as in `/images/{name}`; empty if there is no image',
      }),
      read: Type.Integer({
        cellType: 'reads',
        minimum: 0,
        maximum: MAX_READ,
        default: 0,
        description: 'minimum of the read count',
      }),
      create_time: time('time', 'time of creation, in Unix seconds'),
      update_time: time('timeOrZero', 'time of the last change, in Unix seconds; 0 for none', { default: 0 }),
      publish_time: time('time', 'time from which it is shown, in Unix seconds', { default: 0 }),
      unpublish_time: optionalTime(
        'time from which it is not shown any more, in Unix seconds; absent for never',
      ),
      hidden: hidden(),
    }),
  },
} as const;

/** How a column says who sees a row: by a yes, a time (of one of our columns, or as a yes), or texts such as `private`. */
type Guard = { yes?: 'shown' | 'hidden'; time?: 'publish_time' | 'unpublish_time' | 'yes'; isRead?: true };

const each = (words: string, guard: Guard) =>
  Object.fromEntries(words.split(' ').map((word): [string, Guard] => [word, guard]));

/** Columns of other programs that keep rows from visitors. A row that is not public by one that is not read is an error. */
export const guardWords: Readonly<Record<string, Guard>> = {
  ...each('hidden draft unlisted', { yes: 'hidden', isRead: true }),
  ...each('published publish', { yes: 'shown', time: 'publish_time', isRead: true }),
  ...each('publishDate published_at', { time: 'publish_time', isRead: true }),
  ...each('unpublishDate', { time: 'unpublish_time', isRead: true }),
  ...each('active enabled visible online public', { yes: 'shown' }),
  ...each('private archived deleted disabled inactive unpublished', { yes: 'hidden' }),
  ...each('archived_at deleted_at', { yes: 'hidden', time: 'yes' }),
  ...each('status visibility', {}),
};

/** Values of `status` and `visibility` that mean not public, in lower case and with letters only. */
export const notPublic: ReadonlySet<string> = new Set(
  `draft autodraft private hidden internal pending review inreview pendingreview archive archived scheduled future unpublished
  notpublished notpublic unlisted inactive disabled deleted trash invisible restricted confidential secret withdrawn staff members
  entwurf privat versteckt verborgen ausgeblendet unsichtbar intern ausstehend archiv archiviert geplant unveröffentlicht
  nichtöffentlich inaktiv deaktiviert gelöscht vertraulich brouillon privé privée caché cachée masqué masquée interne enattente
  archivé archivée planifié planifiée programmé nonpublié dépublié inactif désactivé borrador privado privada oculto oculta
  interno interna pendiente archivado archivada programado nopublicado inactivo rascunho escondido pendente arquivado agendado
  nãopublicado inativo bozza privato privata nascosto nascosta inattesa insospeso archiviato pianificato programmato
  nonpubblicato inattivo concept inbehandeling gearchiveerd gepland ongepubliceerd inactief szkic prywatny ukryty wewnętrzny
  oczekuje zarchiwizowany zaplanowany nieopublikowany nieaktywny kladde skjult internt afventer arkiveret planlagt upubliceret
  utkast venter arkivert upublisert dold väntande arkiverad schemalagd opublicerad luonnos yksityinen piilotettu sisäinen
  odottaa arkistoitu ajastettu julkaisematon черновик приватный скрыт скрыто скрытый внутренний ожидает ожидание архив вархиве
  запланировано неопубликовано неактивен 草稿 私密 私有 隐藏 隱藏 内部 內部 待审 待审核 待发布 待發布 归档 已归档
  定时发布 未发布 未發布 已下架 停用 下書き 非公開 非表示 未公開 社内 承認待ち 予約投稿`.split(/\s+/),
);

export type CatalogName = keyof typeof catalogs;
export type Row<Name extends CatalogName> = Static<(typeof catalogs)[Name]['row']>;
/** A row with its own fields, the canonical JSON of an object. */
export type FullRow<Name extends CatalogName> = Row<Name> & { extra?: string | undefined };
export type Product = Row<'products'>;
export type Configuration = Row<'configurations'>;
export type Duration = Row<'durations'>;
export type Price = Row<'prices'>;
export type NewsType = Row<'news_types'>;
export type News = Row<'news'>;

/** Each catalog comes before those that refer to it. */
export const catalogNames = Object.keys(catalogs) as CatalogName[];

/** In the order of the schema. */
export function columnNamesOf(name: CatalogName): readonly string[] {
  return Object.keys(catalogs[name].row.properties);
}

export type Column = ReturnType<typeof columnsOf>[number];

export function columnsOf(name: CatalogName) {
  const { properties, required = [] }: TObject = catalogs[name].row;
  return Object.entries(properties).map(([column, schema]) => ({
    name: column,
    schema,
    required: schema.default === undefined && required.includes(column),
  }));
}

/** The key of own fields in JSON; in tables, what their headings begin with. */
export const EXTRA = 'extra';
/** Whether a column has an own field. In JSON and front matter, the rest of its name is a key below `extra`. */
export const isExtra = (column: string) => /^extra\.(?!__proto__$)[\p{L}\p{M}\p{Nd}_-]{1,64}$/u.test(column);
export const extraColumn = (name: string): Column => ({ name, required: false, schema: text('own field') });

export function referencesOf(name: CatalogName) {
  return columnsOf(name).flatMap(({ name: column, schema: { references, choices } }) => {
    const target = references ?? choices;
    return target ? [{ column, target }] : [];
  });
}
