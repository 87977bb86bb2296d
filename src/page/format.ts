import type { Attempt } from '../contract/health.ts';
import { formatCell, formatFile, formatLocation } from '../contract/problems.ts';

/** Makes a formatter on first use: the first one takes as long as the rest of the start. */
function onDemand<Value>(make: () => { format(value: Value): string }): (value: Value) => string {
  let formatter: ReturnType<typeof make> | undefined;
  return value => {
    formatter ??= make();
    return formatter.format(value);
  };
}

const timesAs = (options: Intl.DateTimeFormatOptions) =>
  onDemand<Date>(() => new Intl.DateTimeFormat(navigator.language, options));
const numbersAs = (options: Intl.NumberFormatOptions) =>
  onDemand<number>(() => new Intl.NumberFormat(navigator.language, options));

const moment = timesAs({ dateStyle: 'medium', timeStyle: 'medium' });
const clock = timesAs({ timeStyle: 'medium' });
const day = timesAs({ dateStyle: 'long', timeZone: 'UTC' });
const share = numbersAs({ style: 'percent' });
const change = numbersAs({ style: 'percent', maximumFractionDigits: 1, signDisplay: 'exceptZero' });

const MB_PER_GB = 1024;

export const catalogLabels = {
  products: 'Products',
  configurations: 'Configurations',
  durations: 'Durations',
  prices: 'Prices',
  news_types: 'Categories',
  news: 'News',
};

/** `1 row`, `1,234 rows`, with the number as the reader's locale writes it. */
export const plural = (number: number, one: string) =>
  `${number.toLocaleString(navigator.language)} ${one}${number === 1 ? '' : 's'}`;

/** Formats a time of today as `05:18:28`, others as `22 Nov 2026, 05:18:28`, in the time zone of the reader. */
export function formatMoment(time: string | Date): string {
  const date = new Date(time);
  return (date.toDateString() === new Date().toDateString() ? clock : moment)(date);
}

/** Formats `2024-11-04 09:00:00` as `4 November 2024`, in the time zone of the service. */
export function formatDay(time: string): string {
  return day(new Date(`${time.slice(0, 10)}T00:00:00Z`));
}

export const formatNumber = numbersAs({ maximumFractionDigits: 8 });

/** With at least two decimals: `19.90`, `0.00595`. */
export const formatPrice = numbersAs({ minimumFractionDigits: 2, maximumFractionDigits: 8 });

/** Formats 60 as `60 %`. */
export const formatPercent = (percent: number): string => share(percent / 100);

/** Formats 6.9 as `+6.9 %`. */
export const formatChange = (percent: number): string => change(percent / 100);

/** Formats prices, their dates and other numbers as in all views, but ids, other times and texts as in the file. */
export function formatValue(column: string, value: string | number | boolean | null | undefined): string {
  if (value === undefined || value === null) return '';
  if (column === 'valid_from') return formatMoment(new Date(Number(value) * 1000));
  if (typeof value !== 'number' || /id$|_time$/.test(column)) return String(value);
  return column === 'price' ? formatPrice(value) : formatNumber(value);
}

/** Formats own fields as `badge: New · disk: 80`. */
export function formatFields(fields: object): string {
  const textOf = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value));
  return Array.from(Object.entries(fields), ([name, value]) => `${name}: ${textOf(value)}`).join(' · ');
}

/** Formats a size as `2 CPUs, 1.5 GB`, without what is 0. */
export function formatSize({ cpu, memory }: { cpu: number; memory: number }): string {
  const megabytes =
    memory < MB_PER_GB ? `${formatNumber(memory)} MB` : `${formatNumber(memory / MB_PER_GB)} GB`;
  return [cpu && plural(cpu, 'CPU'), memory && megabytes].filter(Boolean).join(', ');
}

export type Problem = Attempt['problems'][number];

/** Formats a place as in a spreadsheet, `E17 in prices.csv`, or as in a compiler: `news.json:5:12`. */
export function formatPlace(place: NonNullable<Problem['also']>): string {
  const cell = formatCell(place);
  return cell ? `${cell} in ${formatFile(place)}` : formatLocation(place);
}

/** Formats all places of a problem: `E2 to E248 in prices.csv, 221 cells`, or each cell or file if they are few. */
export function formatExtent({ count, last, cells, files, ...first }: Problem): string {
  const more = files && files.length > 5 ? ', …' : '';
  if (files) return `${files.slice(0, 5).join(', ')}${more}, ${plural(count ?? 1, 'file')}`;
  if (!count || !last) return formatPlace(first);
  const things = plural(count, last.cell ? 'cell' : last.row ? 'row' : 'place');
  const [from, to] = [formatCell(first), formatCell(last)];
  const range =
    from && to
      ? `${cells?.join(', ') ?? `${from} to ${to}`} in ${formatFile(first)}`
      : `${formatPlace(first)} to ${formatPlace(last)}`;
  return `${range}, ${things}`;
}
