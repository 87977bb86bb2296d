const LOCALE = 'en-GB';
const moment = new Intl.DateTimeFormat(LOCALE, { dateStyle: 'medium', timeStyle: 'medium' });
const clock = new Intl.DateTimeFormat(LOCALE, { timeStyle: 'medium' });
const day = new Intl.DateTimeFormat(LOCALE, { dateStyle: 'long', timeZone: 'UTC' });
const number = new Intl.NumberFormat(LOCALE, { maximumFractionDigits: 8 });
const money = new Intl.NumberFormat(LOCALE, { minimumFractionDigits: 2, maximumFractionDigits: 8 });

const MB_PER_GB = 1024;

/** `2026-11-22T05:18:28Z` as `22 Nov 2026, 05:18:28` in the reader's time zone. @param {string} time */
export const formatMoment = time => moment.format(new Date(time));

/** `05:18:28` in the reader's time zone. @param {Date} time */
export const formatClock = time => clock.format(time);

/** `2024-11-04 09:00:00` as `4 November 2024`, in the time zone of the service. @param {string} time */
export const formatDay = time => day.format(new Date(`${time.slice(0, 10)}T00:00:00Z`));

/** `1,234`. @param {number} count */
export const formatCount = count => number.format(count);

/** At least two decimals: `19.90`, `0.00595`. @param {number} price */
export const formatPrice = price => money.format(price);

/** `512 MB`, `1.5 GB`. @param {number} megabytes */
export const formatMemory = megabytes =>
  megabytes < MB_PER_GB ? `${formatCount(megabytes)} MB` : `${formatCount(megabytes / MB_PER_GB)} GB`;

/** `1 error`, `2 errors`. @param {number} count @param {string} noun */
export const plural = (count, noun) => `${formatCount(count)} ${noun}${count === 1 ? '' : 's'}`;

/** `prices.csv`, or `catalog.xlsx [prices]` for a sheet. @param {{ file: string, sheet?: string | undefined }} place */
export const formatFile = ({ file, sheet }) => (sheet === undefined ? file : `${file} [${sheet}]`);
