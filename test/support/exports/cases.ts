import { cellAccidents } from './accidents/cells.ts';
import { headingAccidents } from './accidents/headings.ts';
import { layoutAccidents } from './accidents/layout.ts';
import type { ExportCase } from './export-of.ts';
import { numberFormats } from './formats.ts';
import { type LocaleName, localeNames, locales } from './locales.ts';
import { type ProgramName, programNames } from './programs.ts';

/** Whether Windows or a Macintosh of this country can write the texts of its language in this program. */
const canWrite = (program: ProgramName, locale: LocaleName) =>
  program !== 'Excel CSV Macintosh' || locales[locale].codePage === 'windows-1252';

/** Each program in each country. */
const programCases = programNames.flatMap(program =>
  localeNames.filter(locale => canWrite(program, locale)).map((locale): ExportCase => ({ program, locale })),
);

/** Countries that differ in the signs of their numbers. */
const signs: LocaleName[] = ['en-US', 'en-IN', 'de-DE', 'de-AT', 'de-CH', 'fr-FR'];

/** Each format in countries that differ in it. */
const formatCases = [
  ...signs.flatMap((locale): ExportCase[] => [
    ...numberFormats.map(amount => ({ program: 'Excel CSV UTF-8' as const, locale, formats: { amount } })),
    ...numberFormats.map(id => ({ program: 'LibreOffice CSV' as const, locale, formats: { id } })),
  ]),
  ...localeNames.flatMap((locale): ExportCase[] =>
    (['local', 'serial'] as const).map(date => ({ program: 'Google Sheets', locale, formats: { date } })),
  ),
];

/** Prices that tell the decimal sign or do not. */
const priceCases = signs.flatMap(locale =>
  (['mixed', 'whole', 'ambiguous'] as const).flatMap(prices =>
    (['General', '#,##0', '#,##0.00'] as const).flatMap(amount =>
      (['.', ','] as const).map(
        (csvDecimal): ExportCase => ({
          program: 'Google Sheets',
          locale,
          prices,
          formats: { amount },
          csvDecimal,
        }),
      ),
    ),
  ),
);

/** Each code page, unless the service is told of it. */
const encodingCases = localeNames.map(
  (locale): ExportCase => ({ program: 'Excel CSV', locale, withoutEncoding: true }),
);

/** All that goes wrong. */
export const accidents = [...headingAccidents, ...layoutAccidents, ...cellAccidents];
const accidentCases = accidents.flatMap((accident): ExportCase[] => [
  { program: 'Excel CSV UTF-8', locale: 'de-DE', accident },
  { program: 'Excel Unicode text', locale: 'ja-JP', accident },
  { program: 'Google Sheets', locale: 'fr-FR', accident },
  { program: 'LibreOffice CSV', locale: 'en-GB', accident },
]);

/** Each group of exports by what differs in it. */
export const exportGroups = {
  'programs and countries': programCases,
  'formats and countries': formatCases,
  'prices and decimal signs': priceCases,
  'code pages': encodingCases,
  accidents: accidentCases,
};
