#!/usr/bin/env node
import { readFile } from 'node:fs/promises';
import { text as readAll } from 'node:stream/consumers';
import { parseArgs } from 'node:util';
import { loadCatalog, openLoader } from './catalog/load.ts';
import { formatReport, jsonReport } from './catalog/report.ts';
import { helpText } from './help.ts';
import { packageVersion } from './package-version.ts';
import { flagName, flagType, readSettings, type Settings, settingNames, UsageError } from './settings.ts';

/** What a command needs is loaded with it. */
async function main(): Promise<void> {
  const { positionals, values } = readArguments(process.argv.slice(2));
  const { help, version, json, ...flags } = values;
  const [command = 'serve', ...rest] = positionals;
  if (help) {
    process.stdout.write(helpText());
  } else if (version) {
    process.stdout.write(`${packageVersion()}\n`);
  } else if (command === 'serve' && rest.length === 0 && !json) {
    const settings = readSettings(flags, process.env);
    // The thread that reads the catalogs starts while the rest of the program is loaded.
    const loader = openLoader(settings);
    const { serve } = await import('./serve.ts');
    await serve(settings, loader);
  } else if (command === 'check' && rest.length <= 1) {
    const [dir] = rest;
    await check(readSettings({ ...flags, ...(dir && { 'catalog-dir': dir }) }, process.env), json === true);
  } else if (command === 'counts' && rest.length === 1 && rest[0] === 'export') {
    const { exportCounts } = await import('./reads/transfer.ts');
    process.stdout.write(await exportCounts(readSettings(flags, process.env)));
  } else if (command === 'counts' && rest.length === 2 && rest[0] === 'import') {
    await importFrom(String(rest[1]), readSettings(flags, process.env));
  } else {
    throw new UsageError(`I do not know what to do with: ${process.argv.slice(2).join(' ')}`);
  }
}

function readArguments(args: string[]) {
  const flags = settingNames.map(name => [flagName(name), { type: flagType(name) }] as const);
  const options = {
    ...Object.fromEntries(flags),
    help: { type: 'boolean' },
    version: { type: 'boolean' },
    json: { type: 'boolean' },
  } as const;
  try {
    return parseArgs({ args, options, allowPositionals: true });
  } catch (error) {
    throw new UsageError(error instanceof Error ? (error.message.split('. ')[0] ?? '') : String(error));
  }
}

async function check(settings: Settings, json: boolean): Promise<void> {
  const { report } = await loadCatalog(settings);
  process.stdout.write(`${json ? JSON.stringify(jsonReport(report), null, 2) : formatReport(report)}\n`);
  if (report.version === undefined) process.exitCode = 1;
}

/** Takes read counts over from a file, or from standard input for `-`. */
async function importFrom(file: string, settings: Settings): Promise<void> {
  const { countsIn, importCounts } = await import('./reads/transfer.ts');
  const isInput = file === '-';
  const source = isInput ? 'standard input' : file;
  const text = await (isInput ? readAll(process.stdin) : readFile(file, 'utf8')).catch(error => {
    throw new Error(`${source} cannot be read: ${error.message}`);
  });
  const counts = countsIn(text, source);
  const tell = (message: string) => void process.stderr.write(`${message}\n`);
  const larger = await importCounts(settings, counts, { info: tell, warn: tell, error: tell });
  process.stdout.write(`${counts.size} read counts in ${source}, ${larger} of them larger than before\n`);
}

main().catch((error: Error) => {
  const usage = error instanceof UsageError;
  process.stderr.write(`${error.message}${usage ? '\nvitrine --help tells more' : ''}\n`);
  process.exitCode = usage ? 2 : 1;
});
