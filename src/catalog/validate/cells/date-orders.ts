import { localTime } from '../../../time-zone.ts';

const YEAR_FIRST = /^(\d{4})([-./])(\d{1,2})\2(\d{1,2})$/;
const YEAR_LAST = /^(\d{1,2})([-./])(\d{1,2})\2(\d{4})$/;
const CLOCK = /^(\d{1,2}):(\d\d)(?::(\d\d))?(?:\s?([ap])\.?m\.?)?$/i;

/**
 * What a date in another order or with a 12-hour clock may mean, as local times in seconds as if they were UTC, without
 * those before 1970. Points stand in dates with the day first, slashes and hyphens in dates with the day or the month first.
 */
export function readDateOrders(text: string): number[] {
  const [, date = '', clock] = /^(\S+?)(?:,?\s+(.+))?$/.exec(text) ?? [];
  const time = clock === undefined ? [] : readClock(clock);
  if (!time) return [];
  const locals = readDate(date).map(day => localTime([...day, ...time]));
  return [...new Set(locals)].filter(local => local !== undefined && local >= 0) as number[];
}

/** The possible years, months and days. */
function readDate(date: string): string[][] {
  const [, year, , month = '', day = ''] = YEAR_FIRST.exec(date) ?? [];
  if (year !== undefined) return [[year, month, day]];
  const [, one = '', sign, two = '', last] = YEAR_LAST.exec(date) ?? [];
  if (last === undefined) return [];
  const dayFirst = [last, two, one];
  return sign === '.' ? [dayFirst] : [dayFirst, [last, one, two]];
}

/** The hour of 24, the minute and the second; undefined for what is no time of day. */
function readClock(clock: string): (string | undefined)[] | undefined {
  const [, hour, minute, second, half] = CLOCK.exec(clock) ?? [];
  if (hour === undefined || half === undefined)
    return hour === undefined ? undefined : [hour, minute, second];
  if (Number(hour) < 1 || Number(hour) > 12) return undefined;
  return [String((Number(hour) % 12) + (half.toLowerCase() === 'p' ? 12 : 0)), minute, second];
}
