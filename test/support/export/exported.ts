import { readdir, readFile } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';

/** The content of each file of an export, by its path; hidden files are not part of it. */
export async function filesIn(dir: string): Promise<Map<string, Buffer>> {
  const entries = await readdir(dir, { recursive: true, withFileTypes: true });
  const paths = entries
    .filter(entry => entry.isFile())
    .map(({ parentPath, name }) => relative(dir, join(parentPath, name)).split(sep).join('/'))
    .filter(path => !path.startsWith('.'))
    .sort();
  const contents = await Promise.all(
    paths.map(async path => [path, await readFile(join(dir, path))] as const),
  );
  return new Map(contents);
}

/** The address at which the service answers what is in a file, as the manual says it; undefined if nothing answers it. */
export function addressOf(path: string): string | undefined {
  if (path === '_headers' || path.endsWith('api/index.json')) return undefined;
  if (path.startsWith('images/')) return `/${encodeURI(path)}`;
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
  const blocks = text
    .split('\n')
    .filter(line => !line.startsWith('#'))
    .join('\n')
    .trim()
    .split('\n\n');
  return new Map(
    blocks.map(block => {
      const [pattern = '', ...lines] = block.split('\n');
      const headers = lines.map(line => /^ {2}([^:]+): (.*)$/.exec(line)?.slice(1) ?? []);
      return [pattern, new Map(headers.map(([name = '', value = '']) => [name, value]))];
    }),
  );
}

/** The rules that a host applies to a path: `*` stands for the rest, `:name` for one part. */
export function rulesFor<Rule>(rules: ReadonlyMap<string, Rule>, path: string): Rule[] {
  const matches = (pattern: string) =>
    new RegExp(`^${pattern.replace(/[.]/g, '\\.').replace(/:\w+/g, '[^/]+').replace(/\*$/, '.*')}$`).test(
      path,
    );
  return Array.from(rules).flatMap(([pattern, rule]) => (matches(pattern) ? [rule] : []));
}
