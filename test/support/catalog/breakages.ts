import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Files, shop, writeInto } from '../catalogs.ts';
import type { ShopDirs } from '../kept-shop.ts';
import { shopSheets } from '../workbooks/shop-workbook.ts';
import { xlsx } from '../workbooks/xlsx.ts';

/** What may become of the catalogs between a kill and the next start. */
export const breakages: [what: string, code: string, breakIt: (dirs: ShopDirs) => Promise<unknown>][] = [
  ...Object.keys(shop).map(
    file =>
      [
        `${file} is cut off`,
        file.endsWith('.csv') ? 'RAGGED_ROW' : 'BAD_JSON',
        cutOff(file),
      ] as (typeof breakages)[number],
  ),
  ['a price is a word', 'BAD_NUMBER', replace('prices.csv', '19.99', 'cheap')],
  [
    'half of the prices are gone',
    'LOST_ROWS',
    write({ 'prices.csv': 'id,product_id,rel_id,duration_id,price\n101,1,11,1,4\n' }),
  ],
  ['a catalog is gone', 'LOST_ROWS', ({ catalogDir }) => rm(join(catalogDir, 'news.json'))],
  [
    'all files are gone',
    'MISSING_FILE',
    async ({ catalogDir }) => {
      await rm(catalogDir, { recursive: true });
      await writeInto(catalogDir, {});
    },
  ],
  ['the directory is gone', 'NO_DIRECTORY', ({ catalogDir }) => rm(catalogDir, { recursive: true })],
];

const sheets = shopSheets();
/** The shop as one workbook. */
export const workbook: Files = { 'catalog.xlsx': xlsx(sheets) };
const { news_types: _, ...otherSheets } = sheets;
export const workbookBreakages: typeof breakages = [
  ['the workbook is cut off', 'BAD_WORKBOOK', cutOff('catalog.xlsx')],
  ['the workbook is a CSV file', 'BAD_WORKBOOK', write({ 'catalog.xlsx': 'id,name\n1,A\n' })],
  [
    'a product has no name',
    'MISSING_VALUE',
    write({ 'catalog.xlsx': xlsx({ ...sheets, products: [['id', 'name'], [1]] }) }),
  ],
  ['a sheet is gone', 'LOST_ROWS', write({ 'catalog.xlsx': xlsx(otherSheets) })],
  ['the workbook is gone', 'MISSING_FILE', ({ catalogDir }) => rm(join(catalogDir, 'catalog.xlsx'))],
];

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
export const markdownBreakages: typeof breakages = [
  ['the front matter has no end', 'BAD_FRONT_MATTER', replace('news/2-item.md', '---\n#', '#')],
  ['a date is a word', 'BAD_TIME', replace('news/2-item.md', '2024-01-02 10:00:00', 'today')],
  ['a file is empty', 'EMPTY_FILE', write({ 'news/2-item.md': '' })],
  ['the folder is gone', 'LOST_ROWS', ({ catalogDir }) => rm(join(catalogDir, 'news'), { recursive: true })],
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
