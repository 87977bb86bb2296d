import { environmentName, flagName, settingNames, settings } from './settings.ts';

/** What `vitrine --help` says. */
export function helpText(): string {
  return `vitrine - serves catalogs of products, configurations, prices and news from JSON and CSV files

Usage
  vitrine [serve] [SETTINGS]                serve the catalogs
  vitrine check [DIR] [--json] [SETTINGS]   tell what is wrong with the catalogs in DIR, and serve nothing
  vitrine counts export [SETTINGS]          write the read counts, from STATE_DIR or REDIS_URL, to standard output
  vitrine counts import FILE [SETTINGS]     raise the read counts there to those in FILE, or in standard input for -
  vitrine --help, vitrine --version

Settings: flag, environment variable, meaning and default; a flag wins over its variable
${settingsHelp()}

Exit codes
  0  stopped by a signal; check: the catalogs can be served
  1  the catalogs have errors, or the service could not start, met with an error or was told twice to stop
  2  wrong usage
`;
}

/** A line for each setting, in columns. */
function settingsHelp(): string {
  const rows = settingNames.map(name => {
    const { value, meaning, default: fallback } = settings[name];
    return [
      `  --${flagName(name)} ${value}`.trimEnd(),
      environmentName(name),
      `${meaning} (${fallback || 'none'})`,
    ] as const;
  });
  const widths = [0, 1].map(column => Math.max(...rows.map(row => row[column]?.length ?? 0)));
  return rows.map(row => row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  ')).join('\n');
}
