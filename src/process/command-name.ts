import { settingsFrom } from '../settings/read.ts';
import { type Settings, settings as table } from '../settings/settings.ts';

/** How the operator started the program, so that commands in messages can be copied and run. */
export const commandName = nameFor(process.env);

/** `npm start --` works only in a clone, where the package is Vitrine itself. */
export function nameFor({ npm_lifecycle_event: event, npm_package_name: name }: NodeJS.ProcessEnv): string {
  if (event === 'npx') return 'npx vitrine';
  return event === 'start' && name === 'vitrine' ? 'npm start --' : 'vitrine';
}

/** The full command line for a command such as `unpin`, with the directories of this service. */
export function commandLineFor(
  command: string,
  { catalogDir, stateDir }: Pick<Settings, 'catalogDir' | 'stateDir'>,
): string {
  const ofCatalog = catalogDir === table.catalogDir.default ? [] : ['--catalog-dir', wordOf(catalogDir)];
  const ofState = stateDir === settingsFrom({ catalogDir }).stateDir ? [] : ['--state-dir', wordOf(stateDir)];
  return [commandName, command, ...ofCatalog, ...ofState].join(' ');
}

/** Quotes a path for a command line if needed. */
export function wordOf(path: string): string {
  return /^[\w./:\\-]+$/.test(path) ? path : `"${path}"`;
}
