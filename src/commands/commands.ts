// The command line. `run.ts` parses the arguments and runs a command, or prints help (`help.ts`) or an error. The table below
// has every command: its arguments, its flags and its texts in the help. Each gets a `Call` (`call.ts`), and imports its own
// module when it runs, so that all start fast. Exit codes: 0 for success, 1 for a failure, 2 for a wrong command line or
// setting.
import { stat } from 'node:fs/promises';
import { errorCode } from '../files/atomic-write.ts';
import { openReaders } from '../live/readers.ts';
import { printable } from '../messages.ts';
import { UsageError } from '../settings/read.ts';
import type { Call, OptionName } from './call.ts';

export interface Command {
  /** What it does, in the words of the help. */
  does: string;
  /** Its arguments and their meanings; `[DIR]` may be left out. */
  args?: Readonly<Record<string, string>>;
  /** Its flags and their meanings. */
  flags?: Readonly<Partial<Record<OptionName, string>>>;
  examples?: readonly string[];
  run(call: Call, ...args: string[]): Promise<void>;
}

const DIR = { '[DIR]': 'directory of the catalog files; CATALOG_DIR if you leave it out' };

/**
 * Refuses a directory that is a file or missing: the service would wait for it, but it is probably mistyped. Accepts a
 * missing one that was served before, since it may come back, and any in a unit of systemd, which may start before its
 * mounts.
 * @throws UsageError if the directory is refused.
 */
export async function requireDirectory(dir: string, stateDir: string, warn: Call['warn']): Promise<void> {
  const found = await stat(dir).then(stats => (stats.isDirectory() ? '' : 'a file'), errorCode);
  // Other errors, such as EIO, may go away.
  if (process.env.NOTIFY_SOCKET || !['a file', 'ENOENT', 'ENOTDIR'].includes(String(found))) return;
  const { historyIn, keptSets } = await import('../history/entries.ts');
  const first = keptSets(historyIn(stateDir, warn), dir).next();
  const isUnknown = (error: unknown) => ({ done: errorCode(error) === 'ENOTDIR' });
  if (!(await first.catch(isUnknown)).done) return;
  const mistake = found === 'a file' ? 'is a file: name the directory that it is in' : MISSING;
  throw new UsageError(`${printable(dir, 100)} ${mistake}`);
}

const MISSING = 'does not exist: create it, or set CATALOG_DIR to wait for it';

export const commands: Readonly<Record<string, Command>> = {
  serve: {
    does: 'serve the catalogs in DIR',
    args: {
      '[DIR]':
        'directory of the catalog files; CATALOG_DIR if you leave it out. Images and state lie beside it: in shop/images and shop/state for shop/catalog, in shop-images and shop-state for shop. If you leave out the word serve, DIR must exist, have a slash, or begin with a dot. A DIR that does not exist and was never served is an error; to wait for it, set CATALOG_DIR',
    },
    examples: [
      'vitrine shop/catalog --port 8080',
      'CATALOG_DIR=shop/catalog vitrine',
      'vitrine ./check       a directory with the name of a command',
    ],
    async run(call, dir) {
      const settings = call.settings(dir);
      if (dir !== undefined) await requireDirectory(dir, settings.stateDir, call.warn);
      // The reader process starts while this one loads the rest of the program.
      const readers = openReaders(settings);
      const { serve } = await import('../serve.ts');
      await serve(settings, readers);
    },
  },
  template: {
    does: 'write a template of the catalogs into a new folder',
    args: DIR,
    flags: { format: 'xlsx (the default) for a workbook; csv or json for a file for each catalog' },
    examples: ['vitrine template shop/catalog', 'vitrine template shop/catalog --format csv'],
    run: async (call, dir) => (await import('./template.ts')).template(call, dir),
  },
  check: {
    does: 'report what is wrong with the catalogs',
    args: DIR,
    flags: {
      all: 'list equal problems separately',
      json: 'write the report as JSON',
      against: 'ask the service at URL what would happen if these files were saved; needs --preview-token',
    },
    examples: [
      'vitrine check shop/catalog --csv-decimal ,',
      'vitrine check catalog --against https://shop.test --preview-token TOKEN',
    ],
    run: async (call, dir) => (await import('./check.ts')).check(call, dir),
  },
  diff: {
    does: 'show what changes from A to B',
    args: {
      '[A] [B]':
        'each a version of the history or its first digits, or a directory. A version alone: what changed since. A directory alone: what it would change. Neither: what the newest version changed',
    },
    flags: {
      all: 'list every change, not only the first ones of each catalog',
      json: 'write every change as JSON',
    },
    examples: ['vitrine diff', 'vitrine diff shop/catalog-new', 'vitrine diff 790948 shop/catalog'],
    run: async (call, from, to) => (await import('./diff.ts')).diff(call, from, to),
  },
  convert: {
    does: 'write catalogs in another form, with the same values',
    args: {
      FROM: 'a directory, or a version of the history',
      TO: 'a folder that is new or empty',
    },
    flags: { format: 'xlsx (the default) for a workbook; csv or json for a file for each catalog' },
    examples: ['vitrine convert shop/catalog shop/as-csv --format csv'],
    run: async (call, from = '', to = '') => (await import('./convert.ts')).convert(call, from, to),
  },
  export: {
    does: 'write the answers of the API as files for a static host',
    args: { DIR: 'a folder that is new, empty, or an earlier export' },
    flags: {
      'without-single-prices':
        'leave out the file of each single price; lists of configurations have all prices',
    },
    examples: ['vitrine export site/public --catalog-dir shop/catalog'],
    run: async (call, dir = '') => (await import('./export.ts')).exportTo(call, dir),
  },
  healthcheck: {
    does: 'check that the service on HOST and PORT is live',
    async run(call) {
      const { checkHealth } = await import('../process/healthcheck.ts');
      call.print(`${await checkHealth(call.settings())}\n`);
    },
  },
  history: {
    does: 'list the sets that were served, newest first',
    flags: { json: 'write the list as JSON' },
    run: async call => (await import('./history.ts')).listHistory(call),
  },
  rollback: {
    does: 'serve a version of the history until unpin, and load no changed files',
    args: { VERSION: 'a version of the history, or its first digits' },
    run: async (call, version = '') => (await import('./history.ts')).rollback(call, version),
  },
  unpin: {
    does: 'load changed files again',
    run: async call => (await import('./history.ts')).unpin(call),
  },
  publish: {
    does: 'let the held-back version go live',
    args: { VERSION: 'the version, or at least its first 6 digits' },
    run: async (call, version = '') => (await import('./history.ts')).publish(call, version),
  },
  notify: {
    does: 'send an example to CHAT_URL and WEBHOOK_URL, and show what came back',
    run: async call => (await import('../process/notify.ts')).notify(call.settings(), call),
  },
  'counts export': {
    does: 'write the read counts to standard output',
    examples: ['vitrine counts export > counts.json'],
    run: async call => (await import('./counts.ts')).exportAll(call),
  },
  'counts import': {
    does: 'raise read counts to those in FILE',
    args: { FILE: 'what counts export wrote; - for standard input' },
    run: async (call, file = '') => (await import('./counts.ts')).importFrom(call, file),
  },
  'counts set': {
    does: 'set the read count of one news item',
    args: { ID: 'the id of the news item', N: 'its new count, which may be smaller' },
    run: async (call, id = '', count = '') => (await import('./counts.ts')).setTo(call, id, count),
  },
};
