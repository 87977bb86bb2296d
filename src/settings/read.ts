import { basename, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { inspect } from 'node:util';
import { excerpt, nearest } from '../messages.ts';
import type { SettingParser } from './parsers.ts';
import {
  constants,
  type Setting,
  type SettingName,
  type Settings,
  settingNames,
  settings,
} from './settings.ts';

/** A wrong setting, option or command line. The message names it and says what is expected. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** `CATALOG_DIR` for `catalogDir`. */
export function environmentName(name: string): string {
  return name.replace(/[A-Z]/g, letter => `_${letter}`).toUpperCase();
}

/** `catalog-dir` for `catalogDir`. */
export function flagName(name: string): string {
  return name.replace(/[A-Z]/g, letter => `-${letter}`).toLowerCase();
}

/**
 * Takes each setting from its flag, from its environment variable, or from its default, in this order. An empty variable
 * counts as unset.
 * @throws UsageError that names the flag or the variable.
 */
export function readSettings(
  flags: Record<string, unknown>,
  environment: Record<string, string | undefined>,
): Settings {
  return eachSetting(name => {
    const flag = flags[flagName(name)];
    if (flag !== undefined) return { text: String(flag), source: `--${flagName(name)}` };
    const variable = environmentName(name);
    return { text: environment[variable] || undefined, source: variable };
  });
}

/**
 * Checks options in code and adds the defaults. Without `names`, all settings and constants are allowed.
 * @throws UsageError that names an option with a wrong value, or one that is not in `names`.
 */
export function settingsFrom(
  options: Partial<Record<SettingName, unknown>> & Partial<typeof constants>,
  names: readonly string[] = [...settingNames, ...Object.keys(constants)],
): Settings {
  const unknown = Object.keys(options).find(name => !names.includes(name));
  if (unknown !== undefined) throw unknownOption(unknown, names);
  const values = eachSetting(name => {
    const value = options[name] ?? undefined;
    return { text: value === undefined ? undefined : optionText(value, settings[name], name), source: name };
  });
  const { loadSeconds, reloadPollMs, reloadQuietMs, historyDays } = { ...values, ...options };
  return { ...values, loadSeconds, reloadPollMs, reloadQuietMs, historyDays };
}

function unknownOption(name: string, names: readonly string[]): UsageError {
  if (Object.hasOwn(settings, name))
    return new UsageError(`${name}: not an option of the plugin; the app that has it decides this`);
  const letters = (text: string) => text.replace(/[-_]/g, '').toLowerCase();
  const near = names.find(known => letters(known) === letters(name)) ?? nearest(name, names);
  return new UsageError(`unknown option: ${excerpt(name)}${near ? `; did you mean ${near}?` : ''}`);
}

/** `given` returns the text of a setting, undefined if it is not set, and what messages call the setting. */
function eachSetting(given: (name: SettingName) => { text: string | undefined; source: string }): Settings {
  const { text: catalogDir = settings.catalogDir.default } = given('catalogDir');
  const dirs: Partial<Record<SettingName, string>> = {
    imagesDir: besideCatalog(catalogDir, 'images'),
    stateDir: besideCatalog(catalogDir, 'state'),
  };
  const settingOf = (name: SettingName) => {
    const { text = dirs[name] ?? settings[name].default, source } = given(name);
    return [name, parseAs<unknown>(settings[name], text, source)];
  };
  // The type of each value is derived from the parser that returned it.
  const values = { ...constants, ...Object.fromEntries(settingNames.map(settingOf)) } as Settings;
  if (values.webhookUrl !== '' && values.webhookSecret === '')
    throw new UsageError(
      `${given('webhookSecret').source}: ${given('webhookUrl').source} needs it; expected ${settings.webhookSecret.expected}`,
    );
  return values;
}

/** The default directory of images or state: `shop/images` for the catalogs in `shop/catalog`, `shop-images` for `shop`. */
function besideCatalog(catalogDir: string, name: string): string {
  // resolve() gives `.` a name.
  const own = basename(resolve(catalogDir));
  return join(catalogDir, '..', own === 'catalog' ? name : `${own}-${name}`);
}

/** Turns an option into the text of its setting. @throws UsageError if its type is wrong. */
function optionText(value: unknown, setting: Setting, source: string): string {
  const { parse, default: fallback, placeholder, takes } = setting;
  if (typeof value === 'string') return value;
  if (/number|boolean/.test(typeof value) && typeof parse(fallback) !== 'string') return String(value);
  if (takes === 'list' && Array.isArray(value) && value.every(entry => typeof entry === 'string'))
    return value.join();
  if (value instanceof URL && placeholder === 'URL') return value.href;
  try {
    if (value instanceof URL && takes === 'path') return fileURLToPath(value);
  } catch {} // Not a file URL.
  throw wrong(setting, source, inspect(value, { depth: 0, breakLength: Infinity }));
}

/** Parses a text. @throws UsageError that names the `source` and says what is expected. */
export function parseAs<Value>(
  parser: Omit<SettingParser<Value>, 'placeholder'>,
  text: string,
  source: string,
): Value {
  const value = parser.parse(text);
  if (value === undefined) throw wrong(parser, source, JSON.stringify(text));
  return value;
}

function wrong(
  { expected, isSecret }: Pick<SettingParser<unknown>, 'expected' | 'isSecret'>,
  source: string,
  given: string,
): UsageError {
  return new UsageError(`${source}: expected ${expected}${isSecret ? '' : `, got ${excerpt(given)}`}`);
}
