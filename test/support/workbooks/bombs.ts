import { ods, rowsXml } from './ods.ts';
import { type XlsxOptions, xlsx } from './xlsx.ts';
import { withField } from './zip.ts';

/** In bytes: just below what even the smallest workbook may unpack to. */
const ALLOWED = 3.95 * 2 ** 20;
const HUGE = 400 * 2 ** 20;

const filled = (xml: string, bytes = ALLOWED) => xml.repeat(Math.ceil(bytes / xml.length));
const rows = (xml: string) =>
  `<sheetData><row><c t="str"><v>id</v></c><c t="str"><v>name</v></c></row>${xml}</sheetData>`;
const products = (xml: string, options?: XlsxOptions) => xlsx({ products: xml }, options);
const BOMB = products(rows(filled(' ', HUGE)));

const tables = (xml: string) => ods({ products: `${rowsXml([['id', 'name']])}${xml}` });
const repeated = (what: string, times: number) => `table:number-${what}-repeated="${times}"`;
const spaces =
  '<table:table-cell office:value-type="string"><text:p><text:s text:c="1000"/></text:p></table:table-cell>';

/** Workbooks that are small, and large once they are unpacked. */
export const workbookBombs: Record<string, Buffer> = {
  'spaces, a hundred times what is allowed': BOMB,
  'the same, declared as small': withField(BOMB, 'xl/worksheets/sheet1.xml', 'size', 1000),
  spaces: products(rows(filled(' '))),
  'a long text': products(rows(`<row><c t="str"><v>${filled('x')}</v></c></row>`)),
  'empty cells': products(rows(filled(`<row>${'<c/>'.repeat(16_000)}</row>`))),
  'cells far apart': products(
    rows(
      Array.from({ length: 90_000 }, (_, index) => `<row><c r="XFD${index + 2}"><v>1</v></c></row>`).join(''),
    ),
  ),
  'merged cells': products(`${rows('')}<mergeCells>${filled('<mergeCell ref="A1:B2"/>')}</mergeCells>`),
  'hidden columns': products(`<cols>${filled('<col min="1" max="9" hidden="1"/>')}</cols>${rows('')}`),
  'OpenDocument: repeated rows': tables(
    filled(`<table:table-row ${repeated('rows', 1000)}>${spaces}</table:table-row>`, 10_000),
  ),
  'OpenDocument: repeated cells': tables(
    filled(
      `<table:table-row>${spaces.replace('cell ', `cell ${repeated('columns', 16_000)} `)}</table:table-row>`,
    ),
  ),
  'OpenDocument: spaces': tables(filled(`<table:table-row>${spaces.repeat(100)}</table:table-row>`)),
  'many shared strings': products(rows(''), { strings: Array(240_000).fill('<t>x</t>') }),
};
