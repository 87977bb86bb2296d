import { localTime, type TimeZone } from '../../time-zone.ts';

interface WrittenTime {
  /** In seconds as if it were UTC. */
  local: number;
  /** How many seconds it is ahead of UTC; undefined if it is a time in the zone of the site. */
  offset: number | undefined;
}

const UNIX_TIME = /^([1-9]\d{8,})(?:[.,]0+)?$/;
const COMPACT_TIME = /^(\d{4})(\d\d)(\d\d)(?:(\d\d)(\d\d)(\d\d)?)?$/;
const DATE = /^(?=\d+(?:-\d+-|\/\d+\/))(\d{4})[-/](\d{1,2})[-/](\d{1,2})/;
const CLOCK = /[ T](\d{1,2}):(\d\d)(?::(\d\d)(?:[.,]\d+)?)?/;
const OFFSET = / ?(?:Z|([+-])(0\d|1[0-4])(?::?([0-5]\d))?)/;
const WRITTEN_TIME = new RegExp(`${DATE.source}(?:${CLOCK.source}(${OFFSET.source})?)?$`, 'i');

/**
 * The instant in a cell, in Unix seconds: a date with the year first, alone or with a time of day, which may have an
 * offset; or Unix seconds. Undefined for any other text, and for numbers that may be years, days or dates.
 */
export function parseTimeCell(text: string, zone: TimeZone): number | undefined {
  const [, seconds] = UNIX_TIME.exec(text) ?? [];
  if (seconds !== undefined) return parseCompactTime(seconds) === undefined ? Number(seconds) : undefined;
  const written = parseWrittenTime(text);
  if (!written) return undefined;
  const { local, offset } = written;
  return offset === undefined ? zone.toInstant(local) : local - offset;
}

/**
 * The local time in a cell, in seconds as if it were UTC, if the clocks of the zone skip it. `instant` is what
 * {@link parseTimeCell} reads in the cell.
 */
export function skippedTime(text: string, instant: number, zone: TimeZone): number | undefined {
  const written = parseWrittenTime(text);
  if (written === undefined || written.offset !== undefined) return undefined;
  return zone.toLocal(instant) === written.local ? undefined : written.local;
}

function parseWrittenTime(text: string): WrittenTime | undefined {
  const [, ...parts] = WRITTEN_TIME.exec(text) ?? [];
  const local = localTime(parts.slice(0, 6));
  if (local === undefined) return undefined;
  const [suffix, sign, hours = '0', minutes = '0'] = parts.slice(6);
  if (suffix === undefined) return { local, offset: undefined };
  const size = Number(hours) * 3600 + Number(minutes) * 60;
  return { local, offset: sign === '-' ? -size : size };
}

/** Whether a text has the form of a date with the year first, even if there is no such time. */
export function isWrittenTime(text: string): boolean {
  return WRITTEN_TIME.test(text);
}

/** Digits such as 20260331 or 202603311800, as a local time in seconds; undefined if they are no date since 1970. */
function parseCompactTime(digits: string): number | undefined {
  const local = localTime(COMPACT_TIME.exec(digits)?.slice(1) ?? []);
  return local !== undefined && local >= 0 ? local : undefined;
}
