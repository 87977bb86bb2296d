/** The quantile of a share from 0 to 1, interpolated; NaN of no values. */
export function quantile(values: number[], share: number): number {
  const sorted = Float64Array.from(values).sort();
  const place = share * (sorted.length - 1);
  const below = sorted[Math.floor(place)] ?? Number.NaN;
  const above = sorted[Math.ceil(place)] ?? Number.NaN;
  return below + (above - below) * (place - Math.floor(place));
}

const numbers = new Intl.NumberFormat('en', { maximumSignificantDigits: 3 });

/** A number in three digits; a dash for none. */
export function figure(value: number | undefined): string {
  return value === undefined || Number.isNaN(value) ? '-' : numbers.format(value);
}
