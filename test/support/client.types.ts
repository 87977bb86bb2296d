// The contract as types: `tsc` fails if a parameter or a field of a response differs.
import { createClient, type VitrineClient, type VitrineError } from '../../src/client.ts';
import type {
  ErrorDetail,
  NewsDetail,
  NewsListItem,
  NewsType,
  Page,
  PriceRecord,
  ProductRecord,
  RecommendedConfiguration,
} from '../../src/index.ts';

type Same<One, Other> =
  (<T>() => T extends One ? 1 : 2) extends <T>() => T extends Other ? 1 : 2 ? true : false;
/** Flattens an intersection, which {@link Same} does not consider equal to the flat type. */
type Flat<T> = { [Key in keyof T]: T[Key] };
type Query<Name extends keyof VitrineClient> = Flat<NonNullable<Parameters<VitrineClient[Name]>[0]>>;
type Answer<Name extends keyof VitrineClient> = Awaited<ReturnType<VitrineClient[Name]>>;

const client = createClient('');
const lists = {
  plain: () => client.listNews({ sort: 'read' }),
  withImage: () => client.eachNews({ include: ['img'] }),
  withBoth: () => client.listNews({ include: ['type_id', 'img'] }),
};
type Listed = Awaited<ReturnType<typeof lists.plain>>['list'][0];
type ListedWithImage = ReturnType<typeof lists.withImage> extends AsyncGenerator<infer Item> ? Item : never;
type ListedWithBoth = Awaited<ReturnType<typeof lists.withBoth>>['list'][0];

export type Contract = [
  // SPEC 2.2
  Same<Page<1>, { list: 1[]; pagination: { current_page: number; total: number } }>,
  // SPEC 2.3
  Same<
    RecommendedConfiguration,
    {
      id: number;
      product_id: number;
      name: string;
      cpu: number;
      memory: number;
      durations?: {
        duration_id: number;
        name?: string;
        num?: number;
        unit?: 'hour' | 'day' | 'week' | 'month' | 'year';
        price: number;
      }[];
    }
  >,
  // SPEC 2.3.1
  Same<
    PriceRecord,
    {
      id: number;
      product_id: number;
      rel_id: number;
      duration_id: number;
      price: number;
      rel_type: number;
    }
  >,
  // SPEC 2.4
  Same<
    NewsListItem,
    {
      id: number;
      title: string;
      content: string;
      keywords: string;
      read: number;
      create_time: number;
      create_time_formatted: string;
      update_time_formatted: string;
    }
  >,
  Same<
    NewsDetail,
    {
      id: number;
      title: string;
      content: string;
      keywords: string;
      img: string;
      read: number;
      create_time_formatted: string;
    }
  >,
  // SPEC 4
  Same<
    Query<'listConfigurations'>,
    {
      product_id: number;
      page?: number | undefined;
      limit?: number | undefined;
      include_durations?: boolean | undefined;
    }
  >,
  Same<Answer<'listConfigurations'>, Page<RecommendedConfiguration>>,
  Same<Query<'getPrice'>, { product_id: number; recommend_config_id: number; duration_id: number }>,
  Same<Answer<'getPrice'>, PriceRecord>,
  Same<
    Query<'listNews'>,
    {
      page?: number | undefined;
      limit?: number | undefined;
      keyword?: string | undefined;
      type_id?: number | undefined;
      ids?: readonly number[] | undefined;
      since?: number | string | undefined;
      until?: number | string | undefined;
      sort?: 'read' | undefined;
      include?: readonly ('img' | 'type_id')[] | undefined;
    }
  >,
  Same<Flat<Listed>, Flat<NewsListItem>>,
  Same<Flat<ListedWithImage>, Flat<NewsListItem & { img: string }>>,
  Same<Flat<ListedWithBoth>, Flat<NewsListItem & { img: string; type_id?: number }>>,
  Same<Answer<'readNews'>, NewsDetail>,
  // Beyond the SPEC
  Same<Answer<'listProducts'>, Page<ProductRecord>>,
  Same<ProductRecord, { id: number; name: string; description?: string }>,
  Same<Answer<'listNewsTypes'>, Page<NewsType>>,
  Same<NewsType, { id: number; name: string }>,
  Same<VitrineError['details'], readonly ErrorDetail[]>,
];

/** Does not compile if one of them is false. */
export const isContract: Contract extends true[] ? true : never = true;
