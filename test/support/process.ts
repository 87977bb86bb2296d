import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { request } from 'undici';
import { isStale } from '../../scripts/stale.mjs';
import type { Health } from '../../src/contract/health.ts';
import { environmentName, flagName } from '../../src/settings/read.ts';
import { type Settings, settingNames } from '../../src/settings/settings.ts';
import { type Files, shop, writeFiles, writeInto } from './catalogs.ts';
import { root } from './package.ts';
import { startProgram } from './programs.ts';

const { scripts } = JSON.parse(readFileSync(`${root}/package.json`, 'utf8'));
/** The flags that `npm start` gives node. */
const [, nodeFlags = ''] = /^exec node (.*)dist\/main\.js$/.exec(scripts.start) ?? [];

/** The build where it is up to date, which starts in a third of the time, or else the sources that it is made of. */
export const commandLine = [
  ...nodeFlags.split(' ').filter(Boolean),
  ...(isStale() ? ['--import', import.meta.resolve('tsx'), `${root}/src/main.ts`] : [`${root}/dist/main.js`]),
];

/** The environment without the settings that somebody's shell may have in it, and without how npm was called. */
export const environment = { ...process.env };
delete environment.npm_lifecycle_event;
for (const name of settingNames) delete environment[environmentName(name)];

/** Starts the real process with a command line. */
export function startProcess(t: TestContext, args: string[], env: Record<string, string> = {}) {
  return startProgram(t, [process.execPath, ...commandLine, ...args], { env: { ...environment, ...env } });
}

export function flagsOf(settings: Partial<Settings>): string[] {
  return Object.entries(settings).flatMap(([name, value]) => [`--${flagName(name)}`, String(value)]);
}

/** The directories of a service that a test may start again and again. */
export interface ShopDirs {
  catalogDir: string;
  stateDir: string;
}

/** The directories of a shop that nothing serves yet. */
export async function newShop(t: TestContext, files: Files = shop): Promise<ShopDirs> {
  const parent = await writeFiles(t, {});
  const dirs = { catalogDir: join(parent, 'catalog'), stateDir: join(parent, 'state') };
  await writeInto(dirs.catalogDir, files);
  return dirs;
}

/** Starts the real process on these directories. */
export function serveShop(
  t: TestContext,
  { catalogDir, stateDir }: ShopDirs,
  settings: Partial<Settings> = {},
  env: Record<string, string> = {},
) {
  return startProcess(t, flagsOf({ port: 0, catalogDir, imagesDir: catalogDir, stateDir, ...settings }), env);
}

export async function healthOf(address: string): Promise<Health> {
  const { body } = await request(`${address}/health`);
  return ((await body.json()) as { data: Health }).data;
}

const dataUrl = (code: string) => `data:text/javascript,${encodeURIComponent(code)}`;

/**
 * The environment of a process that resolves a package by this JavaScript: a statement, in which `next` and `context` are
 * those of Node's hook `resolve`.
 */
export function resolving(name: string, statement: string): { NODE_OPTIONS: string } {
  const hook = `export const resolve = (name, context, next) => {
    if (name === '${name}') ${statement};
    return next(name, context);
  }`;
  const register = `import { register } from 'node:module'; register(${JSON.stringify(dataUrl(hook))})`;
  return { NODE_OPTIONS: `--import=${dataUrl(register)}` };
}
