/** Converts and formats local times of one IANA time zone as `YYYY-MM-DD HH:MM:SS`. Instants are Unix seconds. */
export type TimeZone = ReturnType<typeof openTimeZone>;

export const DAY = 86_400;

/** Opens an IANA time zone. Its data is loaded on first use, since that takes milliseconds. */
export function openTimeZone(name: string) {
  const offset = name === 'UTC' ? () => 0 : zoneOffset(name);
  /** Returns the local time of an instant, in seconds as if it were UTC. */
  const toLocal = (seconds: number) => seconds + offset(seconds);
  /**
   * Returns the instant of a local time, which is in seconds as if it were UTC. Follows the rule "compatible" of Temporal: a
   * repeated time is the earlier one, and a skipped time has the offset from before the change.
   */
  const toInstant = (local: number) => {
    const before = local - offset(local - DAY);
    const after = local - offset(local + DAY);
    return [before, after].find(instant => toLocal(instant) === local) ?? before;
  };
  const format = (seconds: number) => formatLocal(toLocal(seconds));
  return { name, format, toInstant, toLocal };
}

/** Returns a local time in seconds as if it were UTC. Absent digits are 0. Undefined for 30 February or 25:00. */
export function localTime(digits: readonly (string | undefined)[]): number | undefined {
  const parts = digits.map(part => Number(part ?? 0));
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = parts;
  if (hour > 23 || minute > 59 || second > 59) return undefined;
  const date = new Date(Date.UTC(year, month - 1, day, hour, minute, second));
  const isPossible = date.getUTCFullYear() === year && date.getUTCMonth() === month - 1;
  return isPossible ? date.getTime() / 1000 : undefined;
}

/** Formats a local time, in seconds as if it were UTC, as `YYYY-MM-DD HH:MM:SS`. */
export function formatLocal(local: number): string {
  return new Date(local * 1000).toISOString().slice(0, 19).replace('T', ' ');
}

/** Returns a function from an instant to the seconds that the zone is ahead of UTC. */
function zoneOffset(name: string): (seconds: number) => number {
  let clock: Intl.DateTimeFormat | undefined;
  return seconds => {
    clock ??= new Intl.DateTimeFormat('en-US', { timeZone: name, timeZoneName: 'longOffset' });
    const [, sign, hours, minutes, rest = 0] =
      /GMT([+-])(\d\d):(\d\d)(?::(\d\d))?/.exec(clock.format(seconds * 1000)) ?? [];
    const size = Number(hours ?? 0) * 3600 + Number(minutes ?? 0) * 60 + Number(rest);
    return sign === '-' ? -size : size;
  };
}

/** Formats Unix seconds as in `2026-03-31T18:00:00Z` (RFC 3339). */
export function rfc3339(seconds: number): string {
  return `${new Date(seconds * 1000).toISOString().slice(0, 19)}Z`;
}
