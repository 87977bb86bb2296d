import { settingsFrom } from '../settings/read.ts';
import { type Settings, settings as table } from '../settings/settings.ts';

/** How the reader has started the program, so that the commands in messages can be pasted. */
export const commandName = nameFor(process.env);

/** `npm start --` works in a clone only, whose package is Vitrine itself. */
export function nameFor({ npm_lifecycle_event: event, npm_package_name: name }: NodeJS.ProcessEnv): string {
  if (event === 'npx') return 'npx vitrine';
  return event === 'start' && name === 'vitrine' ? 'npm start --' : 'vitrine';
}

/** The whole command line of a command, such as `unpin`, for the service with these directories. */
export function commandLineFor(
  command: string,
  { catalogDir, stateDir }: Pick<Settings, 'catalogDir' | 'stateDir'>,
): string {
  const ofCatalog = catalogDir === table.catalogDir.default ? [] : ['--catalog-dir', wordOf(catalogDir)];
  const ofState = stateDir === settingsFrom({ catalogDir }).stateDir ? [] : ['--state-dir', wordOf(stateDir)];
  return [commandName, command, ...ofCatalog, ...ofState].join(' ');
}

/** A path as a word of a command line. */
export function wordOf(path: string): string {
  return /^[\w./:\\-]+$/.test(path) ? path : `"${path}"`;
}
