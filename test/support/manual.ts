import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './package.ts';

/** Every page of the manual. */
export const pages = [
  'README.md',
  'CHANGELOG.md',
  'data/README.md',
  'src/EMBEDDING.md',
  'src/http/README.md',
  'src/reads/README.md',
  'scripts/deploy/README.md',
  'scripts/deploy/cdn/README.md',
  'scripts/bench/README.md',
  '.github/CONTRIBUTING.md',
  '.github/SECURITY.md',
] as const;

export type Page = (typeof pages)[number];

export function readPage(page: Page): string {
  return readFileSync(join(root, page), 'utf8');
}

/** The text under a heading, up to the next heading of the same level or a higher one. */
export function sectionOf(page: Page, heading: string): string {
  const [, level = '', rest = ''] = new RegExp(`^(#+) ${heading}\\n(.*)`, 'ms').exec(readPage(page)) ?? [];
  if (!level) throw new Error(`${page} has no heading "${heading}"`);
  return rest.split(new RegExp(`^#{1,${level.length}} `, 'm'))[0] ?? '';
}

/** The code blocks of a text in a language. */
export function codeBlocks(text: string, language: string): string[] {
  return Array.from(
    text.matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\``, 'gms')),
    ([, code = '']) => code,
  );
}

/** The rows of the table with this header line. */
export function tableRows(page: Page, header: string): string[] {
  const [, table = ''] = readPage(page).split(`\n${header}\n`);
  const [, ...lines] = table.split('\n');
  const end = lines.findIndex(line => !line.startsWith('|'));
  return lines.slice(0, end);
}

/** The labels of each metric that the guide for operators lists, by its name. */
export function listedMetrics(): Map<string, string[]> {
  const cells = tableRows('scripts/deploy/README.md', '| about | metrics (labels) |').join('\n');
  const listed = Array.from(
    cells.matchAll(/`(\w+_\w+)`(?: \(([^)]*)\))?/g),
    ([, name = '', labels = '']) => [name, labels.match(/\w+/g) ?? []] as [string, string[]],
  );
  return new Map(listed.sort());
}

/** What a console block prints under each of its commands. */
export function consoleOutputs(page: Page): [command: string, output: string][] {
  return codeBlocks(readPage(page), 'console').flatMap(block =>
    block
      .split(/^\$ /m)
      .slice(1)
      .map((text): [string, string] => {
        const [command = '', ...lines] = text.trimEnd().split('\n');
        return [command, lines.join('\n')];
      }),
  );
}

/** The targets of a page's links and pictures, code left out. */
export function linksIn(text: string): string[] {
  const prose = text.replace(/^```.*?^```/gms, '').replace(/`[^`\n]*`/g, '');
  return Array.from(prose.matchAll(/\]\(([^)\s]+)\)/g), ([, target = '']) => target);
}
