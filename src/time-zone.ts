/** Parses and formats local times of one IANA time zone as `YYYY-MM-DD HH:MM:SS`. Instants are Unix seconds. */
export interface TimeZone {
  /** Its IANA name. */
  name: string;
  /** A date alone means 00:00:00; `T` may replace the space. Undefined for other text and for impossible dates. */
  parse(text: string): number | undefined;
  format(seconds: number): string;
}

/** Seconds of a day. */
export const DAY = 86_400;
const LOCAL_TIME = /^(\d{4})-(\d\d)-(\d\d)(?:[ T](\d\d):(\d\d):(\d\d))?$/;

/** @throws RangeError if `name` is not an IANA time zone. */
export function openTimeZone(name: string): TimeZone {
  const offset = name === 'UTC' ? () => 0 : zoneOffset(name);
  return {
    name,
    parse(text) {
      const local = parseLocal(text);
      return local === undefined ? undefined : toInstant(local, offset);
    },
    format: seconds => formatLocal(seconds + offset(seconds)),
  };
}

/** How many seconds the zone is ahead of UTC at an instant. */
function zoneOffset(name: string): (seconds: number) => number {
  const clock = new Intl.DateTimeFormat('en-US', { timeZone: name, timeZoneName: 'longOffset' });
  return seconds => {
    const [, sign, hours, minutes, rest = 0] =
      /GMT([+-])(\d\d):(\d\d)(?::(\d\d))?/.exec(clock.format(seconds * 1000)) ?? [];
    const size = Number(hours ?? 0) * 3600 + Number(minutes ?? 0) * 60 + Number(rest);
    return sign === '-' ? -size : size;
  };
}

/**
 * The instant of a local time, by the rule "compatible" of Temporal: the earlier one of a repeated time; and for a
 * skipped time, the instant that the offset before the change gives.
 */
function toInstant(local: number, offset: (seconds: number) => number): number {
  const before = local - offset(local - DAY);
  const after = local - offset(local + DAY);
  return [before, after].find(instant => instant + offset(instant) === local) ?? before;
}

/** Parses a local time as UTC; undefined for 30 February or 25:00. */
function parseLocal(text: string): number | undefined {
  const [year, month, day, hour = 0, minute = 0, second = 0] =
    LOCAL_TIME.exec(text)
      ?.slice(1)
      .map(part => Number(part ?? 0)) ?? [];
  if (year === undefined || month === undefined || day === undefined) return undefined;
  const seconds = Date.UTC(year, month - 1, day, hour, minute, second) / 1000;
  return formatLocal(seconds).startsWith(text.replace('T', ' ')) ? seconds : undefined;
}

function formatLocal(seconds: number): string {
  return new Date(seconds * 1000).toISOString().slice(0, 19).replace('T', ' ');
}

/** Formats Unix seconds as in `2026-03-31T18:00:00Z` (RFC 3339). */
export function rfc3339(seconds: number): string {
  return `${new Date(seconds * 1000).toISOString().slice(0, 19)}Z`;
}
