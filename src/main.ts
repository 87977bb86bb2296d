#!/usr/bin/env node
import { parseArgs } from 'node:util';
import { openLoader } from './catalog/load.ts';
import { CatalogError } from './catalog/report.ts';
import { nearest, printable } from './messages.ts';
import { packageVersion } from './package-version.ts';
import { helpText } from './settings/help.ts';
import { flagName, readSettings, UsageError } from './settings/read.ts';
import { settingNames, settings } from './settings/settings.ts';

/** The commands that control what a service serves, and how many arguments each has. */
const CONTROLS: Partial<Record<string, number>> = { rollback: 1, unpin: 0, publish: 1 };
const COMMANDS = ['serve', 'check', 'diff', 'history', ...Object.keys(CONTROLS), 'healthcheck', 'counts'];
/** The actions of `vitrine counts`, and how many arguments each has. */
const COUNTS_ACTIONS: Partial<Record<string, number>> = { export: 0, import: 1, set: 2 };

/** Each command imports its own modules, so that all start fast. */
async function main(): Promise<void> {
  const { positionals, values } = readArguments(process.argv.slice(2));
  const { help, version, json, all, against, ...flags } = values;
  const isPlain = !json && !all && against === undefined;
  const [command = 'serve', ...rest] = positionals;
  if (help) {
    process.stdout.write(helpText());
  } else if (version) {
    process.stdout.write(`${packageVersion()}\n`);
  } else if (command === 'serve' && rest.length === 0 && isPlain) {
    const settings = readSettings(flags, process.env);
    // Starts the reader process while this one loads the rest of the program.
    const loader = openLoader(settings);
    const { serve } = await import('./serve.ts');
    await serve(settings, loader);
  } else if (command === 'check' && rest.length <= 1) {
    const [dir] = rest;
    const settings = readSettings({ ...flags, ...(dir && { 'catalog-dir': dir }) }, process.env);
    const { check } = await import('./commands/check.ts');
    await check(settings, { json: json === true, all: all === true, against });
  } else if (command === 'diff' && rest.length <= 2 && against === undefined) {
    const { diff } = await import('./commands/diff.ts');
    await diff(rest, readSettings(flags, process.env), { json: json === true, all: all === true });
  } else if (command === 'healthcheck' && rest.length === 0 && isPlain) {
    const { checkHealth } = await import('./process/healthcheck.ts');
    process.stdout.write(`${await checkHealth(readSettings(flags, process.env))}\n`);
  } else if (command === 'history' && rest.length === 0 && !all && against === undefined) {
    const { listHistory } = await import('./commands/history.ts');
    await listHistory(readSettings(flags, process.env), json === true);
  } else if (CONTROLS[command] === rest.length && isPlain) {
    const { rollback, unpin, publish } = await import('./commands/control.ts');
    const [version = ''] = rest;
    const settings = readSettings(flags, process.env);
    if (command === 'rollback') await rollback(version, settings);
    else if (command === 'publish') await publish(version, settings);
    else await unpin(settings);
  } else if (command === 'counts' && usesCounts(rest) && against === undefined) {
    const { exportAll, importFrom, setTo } = await import('./commands/counts.ts');
    const read = () => readSettings(flags, process.env);
    const [action, first = '', second = ''] = rest;
    if (action === 'export') await exportAll(read());
    else if (action === 'import') await importFrom(first, read());
    else await setTo(first, second, read);
  } else {
    const near = nearest(command, COMMANDS);
    const hint = near && near !== command ? `; did you mean ${near}?` : '';
    throw new UsageError(`unknown command: ${process.argv.slice(2).join(' ')}${hint}`);
  }
}

function usesCounts([action = '', ...args]: string[]): boolean {
  return COUNTS_ACTIONS[action] === args.length;
}

function readArguments(args: string[]) {
  const flags = settingNames.map(name => {
    const type = settings[name].placeholder ? 'string' : 'boolean';
    return [flagName(name), { type }] as const;
  });
  const options = {
    ...Object.fromEntries(flags),
    help: { type: 'boolean' },
    version: { type: 'boolean' },
    json: { type: 'boolean' },
    all: { type: 'boolean' },
    against: { type: 'string' },
  } as const;
  try {
    return parseArgs({ args, options, allowPositionals: true });
  } catch (error) {
    const [message = ''] = String(error instanceof Error ? error.message : error).split('. ');
    const [, unknown] = /^Unknown option '--(.*)'$/.exec(message) ?? [];
    if (unknown === undefined) throw new UsageError(message);
    const near = nearest(unknown, Object.keys(options));
    throw new UsageError(`unknown flag: --${unknown}${near ? `; did you mean --${near}?` : ''}`);
  }
}

main().catch((error: Error) => {
  const usage = error instanceof UsageError;
  // Its lines are escaped already.
  const message = error instanceof CatalogError ? error.message : printable(error.message);
  process.stderr.write(`${message}${usage ? "\nRun 'vitrine --help' for usage." : ''}\n`);
  process.exitCode = usage ? 2 : 1;
});
