import { openReaders } from '../live/readers.ts';
import type { Settings } from '../settings/settings.ts';

/** The flags that are no settings, each with what stands for its value in a usage. */
export const options = {
  all: '',
  json: '',
  against: 'URL',
  format: 'FORMAT',
  'without-single-prices': '',
} as const;

export type OptionName = keyof typeof options;

/** What a command gets in addition to its arguments. */
export interface Given {
  /** The settings of the flags and of the environment; of another catalog directory, if one is named. */
  settings(catalogDir?: string): Settings;
  /** Whether a flag is set. */
  has(option: OptionName): boolean;
  /** The value of a flag; undefined without it. */
  value(option: OptionName): string | undefined;
}

export interface Command {
  /** What it does, as the help says it. */
  does: string;
  /** Its arguments, with what each is; `[DIR]` may be left out. */
  args?: Readonly<Record<string, string>>;
  /** The flags that it takes, with what each does. */
  flags?: Readonly<Partial<Record<OptionName, string>>>;
  examples?: readonly string[];
  run(given: Given, ...args: string[]): Promise<void>;
}

const DIR = { '[DIR]': 'directory of the catalog files; CATALOG_DIR if you leave it out' };

/** Each command by its name. They import their own modules, so that all start fast. */
export const commands: Readonly<Record<string, Command>> = {
  serve: {
    does: 'serve the catalogs in DIR',
    args: {
      '[DIR]':
        'directory of the catalog files; CATALOG_DIR if you leave it out. Images and state lie beside it: in shop/images and shop/state for shop/catalog, in shop-images and shop-state for shop. Without the word serve, it has a slash, begins with a point, or exists',
    },
    examples: [
      'vitrine shop/catalog --port 8080',
      'CATALOG_DIR=shop/catalog vitrine',
      'vitrine ./check       a directory with the name of a command',
    ],
    async run(given, dir) {
      const settings = given.settings(dir);
      // Starts the reader process while this one loads the rest of the program.
      const readers = openReaders(settings);
      const { serve } = await import('../serve.ts');
      await serve(settings, readers);
    },
  },
  template: {
    does: 'write catalogs to begin with into a new folder',
    args: DIR,
    flags: { format: 'xlsx (the default) for a workbook; csv or json for a file for each catalog' },
    examples: ['vitrine template shop/catalog', 'vitrine template shop/catalog --format csv'],
    async run(given, dir) {
      const { template } = await import('./template.ts');
      await template(given.settings(dir), given.value('format'));
    },
  },
  check: {
    does: 'report what is wrong with the catalogs',
    args: DIR,
    flags: {
      all: 'list every problem, not equal ones as one',
      json: 'write the report as JSON',
      against: 'ask the service at URL what would happen if these files were saved; needs --preview-token',
    },
    examples: [
      'vitrine check shop/catalog --csv-decimal ,',
      'vitrine check catalog --against https://shop.test --preview-token TOKEN',
    ],
    async run(given, dir) {
      const { check } = await import('./check.ts');
      await check(given.settings(dir), {
        json: given.has('json'),
        all: given.has('all'),
        against: given.value('against'),
      });
    },
  },
  diff: {
    does: 'show what changes from A to B',
    args: {
      '[A] [B]':
        'each a version of the history or its first digits, or a directory. A version alone: what changed since. A directory alone: what it would change. Neither: what the newest version changed',
    },
    flags: {
      all: 'list every change, not the first of each catalog',
      json: 'write every change as JSON',
    },
    examples: ['vitrine diff', 'vitrine diff shop/catalog-new', 'vitrine diff 790948 shop/catalog'],
    async run(given, ...sides) {
      const { diff } = await import('./diff.ts');
      await diff(sides, given.settings(), { json: given.has('json'), all: given.has('all') });
    },
  },
  convert: {
    does: 'write catalogs in another form, with the same values',
    args: {
      FROM: 'a directory, or a version of the history',
      TO: 'a folder that is new or empty',
    },
    flags: { format: 'xlsx (the default) for a workbook; csv or json for a file for each catalog' },
    examples: ['vitrine convert shop/catalog shop/as-csv --format csv'],
    async run(given, from = '', to = '') {
      const { convert } = await import('./convert.ts');
      await convert(from, to, given.value('format'), given.settings());
    },
  },
  export: {
    does: 'write the answers of the API as files for a static host',
    args: { DIR: 'a folder that is new, empty, or an earlier export' },
    flags: {
      'without-single-prices':
        'leave out the file of each single price; lists of configurations have all prices',
    },
    examples: ['vitrine export site/public --catalog-dir shop/catalog'],
    async run(given, dir = '') {
      const { exportTo } = await import('./export.ts');
      await exportTo(dir, given.settings(), !given.has('without-single-prices'));
    },
  },
  healthcheck: {
    does: 'check that the service on HOST and PORT is live',
    async run(given) {
      const { checkHealth } = await import('../process/healthcheck.ts');
      process.stdout.write(`${await checkHealth(given.settings())}\n`);
    },
  },
  history: {
    does: 'list the sets that were served, newest first',
    flags: { json: 'write the list as JSON' },
    async run(given) {
      const { listHistory } = await import('./history.ts');
      await listHistory(given.settings(), given.has('json'));
    },
  },
  rollback: {
    does: 'serve a version of the history and nothing else, until unpin',
    args: { VERSION: 'a version of the history, or its first digits' },
    async run(given, version = '') {
      const { rollback } = await import('./history.ts');
      await rollback(version, given.settings());
    },
  },
  unpin: {
    does: 'load changed files again',
    async run(given) {
      const { unpin } = await import('./history.ts');
      await unpin(given.settings());
    },
  },
  publish: {
    does: 'let the version go live that is held back',
    args: { VERSION: 'this version, or its first digits' },
    async run(given, version = '') {
      const { publish } = await import('./history.ts');
      await publish(version, given.settings());
    },
  },
  notify: {
    does: 'send an example to CHAT_URL and WEBHOOK_URL, and show what came back',
    async run(given) {
      const { notify } = await import('../webhook/notify.ts');
      await notify(given.settings());
    },
  },
  'counts export': {
    does: 'write the read counts to standard output',
    examples: ['vitrine counts export > counts.json'],
    async run(given) {
      const { exportAll } = await import('./counts.ts');
      await exportAll(given.settings());
    },
  },
  'counts import': {
    does: 'raise read counts to those in FILE',
    args: { FILE: 'what counts export wrote; - for standard input' },
    async run(given, file = '') {
      const { importFrom } = await import('./counts.ts');
      await importFrom(file, given.settings());
    },
  },
  'counts set': {
    does: 'set the read count of one news item',
    args: { ID: 'the id of the news item', N: 'its count, also a smaller one' },
    async run(given, id = '', count = '') {
      const { setTo } = await import('./counts.ts');
      await setTo(id, count, given.settings);
    },
  },
};
