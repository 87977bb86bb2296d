import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Files, shop, writeInto } from '../catalogs.ts';
import type { ShopDirs } from '../kept-shop.ts';
import { shopSheets } from '../workbooks/shop-workbook.ts';
import { xlsx } from '../workbooks/xlsx.ts';

/** The shop with its news in Markdown. */
export const markdown: Files = {
  ...shop,
  'news.json': null,
  ...Object.fromEntries(
    [1, 2, 3].map(id => [
      `news/${id}-item.md`,
      `---\ncreate_time: 2024-01-0${id} 10:00:00\n---\n# Item ${id}\n\nIts *text*.\n`,
    ]),
  ),
};

/** The shop as one workbook. */
export const workbook: Files = { 'catalog.xlsx': xlsx(shopSheets()) };

/** What may become of the catalogs between a kill and the next start, and the code of what is said about it. */
export const breakages: [
  what: string,
  files: Files,
  code: string,
  breakIt: (dirs: ShopDirs) => Promise<unknown>,
][] = [
  ['a file is cut off', shop, 'BAD_JSON', cutOff('products.json')],
  ['a catalog is gone', shop, 'LOST_ROWS', ({ catalogDir }) => rm(join(catalogDir, 'news.json'))],
  [
    'all files are gone',
    shop,
    'MISSING_FILE',
    async ({ catalogDir }) => {
      await rm(catalogDir, { recursive: true });
      await writeInto(catalogDir, {});
    },
  ],
  ['the directory is gone', shop, 'NO_DIRECTORY', ({ catalogDir }) => rm(catalogDir, { recursive: true })],
  ['the workbook is cut off', workbook, 'BAD_WORKBOOK', cutOff('catalog.xlsx')],
  ['a Markdown file is empty', markdown, 'EMPTY_FILE', write({ 'news/2-item.md': '' })],
];

export function cutOff(file: string) {
  return async ({ catalogDir }: ShopDirs) => {
    const content = await readFile(join(catalogDir, file));
    await writeFile(join(catalogDir, file), content.subarray(0, (content.length * 3) / 4));
  };
}

export function replace(file: string, from: string, to: string) {
  return async ({ catalogDir }: ShopDirs) => {
    const text = await readFile(join(catalogDir, file), 'utf8');
    await writeFile(join(catalogDir, file), text.replace(from, to));
  };
}

export function write(files: Files) {
  return ({ catalogDir }: ShopDirs) => writeInto(catalogDir, files);
}
