import { readdir, readFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import type { TestContext } from 'node:test';
import type { Settings } from '../../src/settings/settings.ts';
import { type Files, shop } from '../support/catalogs.ts';
import { runCommand } from '../support/command.ts';
import { flagsOf, newShop, type ShopDirs, startProcess } from '../support/process.ts';

export async function newSite(t: TestContext, files: Files = shop) {
  const dirs = await newShop(t, files);
  return { ...dirs, dir: join(dirs.catalogDir, '../site') };
}

type Site = ShopDirs & { dir: string };

function commandLine(site: Site, options: Partial<Settings> = {}, more: string[] = []): string[] {
  const { dir, catalogDir, stateDir } = site;
  return ['export', dir, ...flagsOf({ catalogDir, imagesDir: catalogDir, stateDir, ...options }), ...more];
}

export function startExport(t: TestContext, ...args: Parameters<typeof commandLine>) {
  return startProcess(t, commandLine(...args));
}

export function run(...args: Parameters<typeof commandLine>) {
  return runCommand(commandLine(...args));
}

/** The content of each file of an export, by its path; hidden files are not part of it. */
export async function filesIn(dir: string): Promise<Map<string, Buffer>> {
  const files = new Map<string, Buffer>();
  for (const entry of await readdir(dir, { recursive: true, withFileTypes: true })) {
    const path = relative(dir, join(entry.parentPath, entry.name));
    if (entry.isFile() && !path.startsWith('.')) files.set(path, await readFile(join(dir, path)));
  }
  return new Map([...files].sort(([one], [other]) => (one < other ? -1 : 1)));
}

/** The address at which the service answers what is in a file, as the manual says it; undefined if nothing answers it. */
export function addressOf(path: string): string | undefined {
  if (path === '_headers' || path.endsWith('api/index.json')) return undefined;
  if (/\bimages\//.test(path)) return `/${encodeURI(path)}`;
  const parts = path.replace(/^(.*\bapi\/.*)\.json$/, '$1').split('/');
  const query = parts.filter(part => part.includes('=')).join('&');
  return `/${parts.filter(part => !part.includes('=')).join('/')}${query && '?'}${query}`;
}

/** The body of a news item without its read count. */
export function withoutCount(body: Buffer): string {
  return body.toString('latin1').replace(/"read":\d+(,"create_time_formatted":"[^"]*"\}\})$/, '"read":0$1');
}

/** The rules of a `_headers` file: the headers of each pattern. */
export function rulesOf(text: string): Map<string, Map<string, string>> {
  const blocks = text.replace(/^#.*\n/gm, '').split(/\n(?=\/)/);
  return new Map(
    blocks.map(block => {
      const headers = Array.from(
        block.matchAll(/^ {2}([^:]+): (.*)$/gm),
        ([, name = '', value = '']) => [name, value] as const,
      );
      return [block.trimStart().split('\n')[0] ?? '', new Map(headers)];
    }),
  );
}

/** The rules that a host applies to a path: `*` stands for the rest, `:name` for one part. */
export function rulesFor<Rule>(rules: ReadonlyMap<string, Rule>, path: string): Rule[] {
  const expressionOf = (pattern: string) =>
    `^${pattern.replaceAll('.', '\\.').replace(/:\w+/g, '[^/]+').replace(/\*$/, '.*')}$`;
  return Array.from(rules).flatMap(([pattern, rule]) =>
    RegExp(expressionOf(pattern)).test(path) ? rule : [],
  );
}
