#!/usr/bin/env node
import { readFile } from 'node:fs/promises';
import { text as readAll } from 'node:stream/consumers';
import { parseArgs } from 'node:util';
import closeWithGrace from 'close-with-grace';
import { pino } from 'pino';
import { loadCatalog } from './catalog/load.ts';
import { formatReport, jsonReport } from './catalog/report.ts';
import { helpText } from './help.ts';
import { packageVersion } from './package-version.ts';
import { openParts } from './parts.ts';
import { exportCounts, importCounts, parseCountsText } from './reads/transfer.ts';
import { flagName, flagType, readSettings, type Settings, settingNames, UsageError } from './settings.ts';

type App = ReturnType<typeof import('./app.ts').buildApp>;

/** How long a stop may take after the clients were asked to leave, in milliseconds; then it is forced. */
const CLOSE_MS = 10_000;

async function main(): Promise<void> {
  const { positionals, values } = readArguments(process.argv.slice(2));
  const { help, version, json, ...flags } = values;
  const [command = 'serve', ...rest] = positionals;
  if (help) {
    process.stdout.write(helpText());
  } else if (version) {
    process.stdout.write(`${packageVersion()}\n`);
  } else if (command === 'serve' && rest.length === 0 && !json) {
    await serve(readSettings(flags, process.env));
  } else if (command === 'check' && rest.length <= 1) {
    const [dir] = rest;
    await check(readSettings({ ...flags, ...(dir && { 'catalog-dir': dir }) }, process.env), json === true);
  } else if (command === 'counts' && rest.length === 1 && rest[0] === 'export') {
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

function countsIn(text: string, source: string) {
  try {
    return parseCountsText(text);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new Error(`${source} has no read counts such as {"counts": {"12": 103}}: ${reason}`);
  }
}

async function serve(settings: Settings): Promise<void> {
  const log = pino({ level: settings.logLevel });
  // The catalogs are loaded in a thread of their own, while Fastify is loaded here.
  const [parts, { buildApp }] = await Promise.all([openParts(settings, log), import('./app.ts')]);
  const app = buildApp(parts, settings, log);
  // Before it listens: whoever waits for that may send a signal at once.
  const grace = closeWithGrace(
    { delay: settings.drainMs + CLOSE_MS, logger: log },
    async ({ err, signal }) => {
      if (err) log.fatal({ err }, 'stopping after an error');
      else log.info(`stopping on ${signal}`);
      await app.close();
    },
  );
  try {
    await listen(app, settings);
  } catch (error) {
    grace.uninstall();
    throw error;
  }
}

async function listen(app: App, { host, port }: Settings): Promise<void> {
  try {
    await app.listen({ host, port, listenTextResolver: address => `listening on ${address}` });
  } catch (error) {
    await app.close();
    const inUse = error instanceof Error && 'code' in error && error.code === 'EADDRINUSE';
    const reason = inUse ? 'the port is in use; choose another with --port' : String(error);
    throw new Error(`cannot listen on ${host} port ${port}: ${reason}`);
  }
}

main().catch((error: Error) => {
  const usage = error instanceof UsageError;
  process.stderr.write(`${error.message}${usage ? '\nvitrine --help tells more' : ''}\n`);
  process.exitCode = usage ? 2 : 1;
});
