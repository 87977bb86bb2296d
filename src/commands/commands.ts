import { openLoader } from '../catalog/load.ts';
import type { Settings } from '../settings/settings.ts';

/** What a command gets in addition to its arguments. */
export interface Given {
  /** The settings of the flags and of the environment; of another catalog directory, if one is named. */
  settings(catalogDir?: string): Settings;
  json: boolean;
  all: boolean;
  against: string | undefined;
  format: string | undefined;
  withoutPrices: boolean;
}

type Command = (given: Given, ...args: string[]) => Promise<void>;

/**
 * Each command by its usage, from which follows how many arguments and which options it takes. They import their own
 * modules, so that all start fast.
 */
export const commands: Record<string, Command> = {
  async serve(given) {
    const settings = given.settings();
    // Starts the reader process while this one loads the rest of the program.
    const loader = openLoader(settings);
    const { serve } = await import('../serve.ts');
    await serve(settings, loader);
  },
  async 'check [DIR] [--all] [--json] [--against URL]'(given, dir) {
    const { check } = await import('./check.ts');
    await check(given.settings(dir), given);
  },
  async 'diff [A] [B] [--all] [--json]'(given, ...sides) {
    const { diff } = await import('./diff.ts');
    await diff(sides, given.settings(), given);
  },
  async 'convert FROM TO [--format FORMAT]'(given, from = '', to = '') {
    const { convert } = await import('./convert.ts');
    await convert(from, to, given.format ?? 'xlsx', given.settings());
  },
  async 'template [DIR]'(given, dir) {
    const { template } = await import('./template.ts');
    await template(given.settings(dir));
  },
  async 'export DIR [--without-single-prices]'(given, dir = '') {
    const { exportTo } = await import('./export.ts');
    await exportTo(dir, given.settings(), !given.withoutPrices);
  },
  async healthcheck(given) {
    const { checkHealth } = await import('../process/healthcheck.ts');
    process.stdout.write(`${await checkHealth(given.settings())}\n`);
  },
  async 'history [--json]'(given) {
    const { listHistory } = await import('./history.ts');
    await listHistory(given.settings(), given.json);
  },
  async 'rollback VERSION'(given, version = '') {
    const { rollback } = await import('./control.ts');
    await rollback(version, given.settings());
  },
  async unpin(given) {
    const { unpin } = await import('./control.ts');
    await unpin(given.settings());
  },
  async 'publish VERSION'(given, version = '') {
    const { publish } = await import('./control.ts');
    await publish(version, given.settings());
  },
  async 'counts export'(given) {
    const { exportAll } = await import('./counts.ts');
    await exportAll(given.settings());
  },
  async 'counts import FILE'(given, file = '') {
    const { importFrom } = await import('./counts.ts');
    await importFrom(file, given.settings());
  },
  async 'counts set ID N'(given, id = '', count = '') {
    const { setTo } = await import('./counts.ts');
    await setTo(id, count, given.settings);
  },
};
