const rules = new Map<string, Intl.PluralRules>();
const formats = new Map<string, Intl.NumberFormat>();

/** A number with the form of the noun that it takes in a language: `1 row`, `2 rows`. */
export function countOf(
  locale: string,
  number: number,
  { one, other }: { one: string; other: string },
): string {
  const rule = rules.get(locale) ?? new Intl.PluralRules(locale);
  rules.set(locale, rule);
  return `${formatCount(locale, number)} ${rule.select(number) === 'one' ? one : other}`;
}

/** `1,234`, as a language writes it. */
export function formatCount(locale: string, number: number): string {
  const format = formats.get(locale) ?? new Intl.NumberFormat(locale);
  formats.set(locale, format);
  return format.format(number);
}
