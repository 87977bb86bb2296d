// No code: the contract as types, by which `tsc` fails where a field of an answer or a parameter is another.
import type { VitrineClient, VitrineError } from '../src/client.ts';
import type {
  ErrorDetail,
  NewsDetail,
  NewsListItem,
  Page,
  PriceRecord,
  RecommendedConfiguration,
} from '../src/index.ts';

type Same<One, Other> =
  (<T>() => T extends One ? 1 : 2) extends <T>() => T extends Other ? 1 : 2 ? true : never;
/** Flat, since an intersection is not the same as what it comes to. */
type Flat<T> = { [Key in keyof T]: T[Key] };
type Query<Name extends keyof VitrineClient> = Flat<NonNullable<Parameters<VitrineClient[Name]>[0]>>;
type Answer<Name extends keyof VitrineClient> = Awaited<ReturnType<VitrineClient[Name]>>;

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
    }
  >,
  Same<Answer<'listNews'>, Page<NewsListItem>>,
  Same<Answer<'readNews'>, NewsDetail>,
  Same<VitrineError['details'], readonly ErrorDetail[]>,
];

/** Fails to compile where one of them is `never`. */
export const contract: Contract = [
  true,
  true,
  true,
  true,
  true,
  true,
  true,
  true,
  true,
  true,
  true,
  true,
  true,
];
