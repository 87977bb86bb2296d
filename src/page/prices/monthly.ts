import type { MatrixDuration } from '../../contract/page.ts';

/** The average length of a Gregorian month in hours: a 400th of 400 years of 365.2425 days, by 12. */
const HOURS_PER_MONTH = (365.2425 * 24) / 12;

const hours = { hour: 1, day: 24, week: 7 * 24, month: HOURS_PER_MONTH, year: 12 * HOURS_PER_MONTH };

/** What turns a price for a duration into one for a month; 1 if the length of the duration is not known. */
export function monthlyFactor(duration: MatrixDuration | undefined): number {
  if (duration?.num === undefined || duration.unit === undefined) return 1;
  return HOURS_PER_MONTH / (duration.num * hours[duration.unit]);
}
