import type { Setting, SettingGroup } from './parsers.ts';
import { flagName } from './read.ts';
import { settingGroups } from './settings.ts';

const WIDTH = 80;
/** The column in which descriptions of settings start. */
const DESCRIPTION = 28;

/** The output of `vitrine --help`. */
export function helpText(): string {
  return `vitrine - serves products, prices and news from JSON, CSV and workbooks

Usage:
  vitrine [serve]               serve the catalogs
  vitrine check [DIR]           report what is wrong with the catalogs
    --all                       list every problem, not equal ones as one
    --json                      write the report as JSON
    --against URL               show what would change for visitors of the
                                service at URL, as far as its lists show it
  vitrine diff [A] [B]          show what changes from A to B: each a version of
                                the history or its first digits, or a directory.
                                A version alone: what changed since. A directory
                                alone: what it would change. Neither: what the
                                newest version changed
    --all                       list every change, not the first of each catalog
    --json                      write every change as JSON
  vitrine convert FROM TO       write FROM, a version or a directory, as a
                                workbook with the same values into folder TO
    --format FORMAT             xlsx, or csv or json: a file for each catalog
  vitrine template [DIR]        write a workbook to fill in, and a news item in
                                Markdown, into a new folder
  vitrine export DIR            write the answers of the API as files for a
                                static host into DIR, new or an earlier export
    --without-single-prices     leave out the file of each single price; lists
                                of configurations have all prices
  vitrine healthcheck           check that the service on HOST and PORT is live
  vitrine history               list the sets that were served, newest first
    --json                      write the list as JSON
  vitrine rollback VERSION      serve a version of the history and nothing else,
                                until unpin
  vitrine unpin                 load changed files again
  vitrine publish VERSION       let the version go live that is held back
  vitrine counts export         write the read counts to standard output
  vitrine counts import FILE    raise read counts to those in FILE (- for stdin)
  vitrine counts set ID N       set the read count of one news item
  vitrine --help
  vitrine --version

Every command takes the settings below as flags or as environment variables:
--catalog-dir or CATALOG_DIR. A flag overrides its variable.

Examples:
  vitrine --catalog-dir shop/catalog --port 8080
  CATALOG_DIR=shop/catalog vitrine
  vitrine check shop/catalog --csv-decimal ,
  vitrine diff shop/catalog-new
  vitrine convert shop/catalog shop/as-csv --format csv
  vitrine export site/public
  vitrine counts export > counts.json

${Object.entries(settingGroups).map(groupHelp).join('\n')}
Exit codes:
  0  success, or stopped by a signal
  1  the catalogs have errors, the service failed, or it is not live
  2  wrong usage, such as an invalid setting
`;
}

function groupHelp([heading, group]: [string, SettingGroup]): string {
  return `${heading}:\n${Object.entries(group).map(settingHelp).join('')}`;
}

function settingHelp([name, setting]: [string, Setting]): string {
  const flag = `  --${flagName(name)} ${setting.placeholder}`.trimEnd();
  const fallback = setting.placeholder && setting.default ? [`(default ${setting.default})`] : [];
  const [first = '', ...rest] = wrap([...setting.description.split(' '), ...fallback], WIDTH - DESCRIPTION);
  const isLong = flag.length > DESCRIPTION - 2;
  const head = isLong ? [flag, ' '.repeat(DESCRIPTION) + first] : [flag.padEnd(DESCRIPTION) + first];
  return [...head, ...rest.map(line => ' '.repeat(DESCRIPTION) + line)].map(line => `${line}\n`).join('');
}

/** Joins words to lines of at most `width` characters; a longer word gets its own line. */
function wrap(words: string[], width: number): string[] {
  const lines: string[] = [];
  for (const word of words) {
    const line = lines.at(-1);
    if (line !== undefined && `${line} ${word}`.length <= width) lines[lines.length - 1] = `${line} ${word}`;
    else lines.push(word);
  }
  return lines;
}
