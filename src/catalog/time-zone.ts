/** Reads and writes times of day as `YYYY-MM-DD HH:MM:SS` in one IANA time zone. Times are Unix seconds. */
export interface TimeZone {
  /** Its IANA name. */
  name: string;
  /** A date alone is its first moment; `T` may stand for the space. Undefined where there is no such date. */
  parse(text: string): number | undefined;
  format(seconds: number): string;
}

const DAY = 86_400;
const LOCAL_TIME = /^(\d{4})-(\d\d)-(\d\d)(?:[ T](\d\d):(\d\d):(\d\d))?$/;

/** @throws RangeError where the name is no IANA time zone. */
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

/** How many seconds the zone's clocks are ahead of UTC at an instant. */
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
 * The instant at which the zone's clocks show a local time, by Temporal's rule "compatible": the earlier one where
 * they show it twice, and where they skip it, as if the clocks had not been changed.
 */
function toInstant(local: number, offset: (seconds: number) => number): number {
  const before = local - offset(local - DAY);
  const after = local - offset(local + DAY);
  return [before, after].find(instant => instant + offset(instant) === local) ?? before;
}

/** Reads a local time as if it were UTC; undefined for a 30 February or a 25 o'clock. */
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
