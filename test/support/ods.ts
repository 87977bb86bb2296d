import { type Cell, escapeXml } from './xlsx.ts';
import { type ZipPart, zip } from './zip.ts';

/** A cell: a value, or the XML of its element. */
export type OdsCell = Exclude<Cell, object> | { xml: string };
/** The rows of a sheet from the first one; or the XML of what is in its `table` element. */
export type OdsRows = readonly (readonly OdsCell[])[] | string;

const NAMESPACES = Object.entries({
  office: 'urn:oasis:names:tc:opendocument:xmlns:office:1.0',
  table: 'urn:oasis:names:tc:opendocument:xmlns:table:1.0',
  text: 'urn:oasis:names:tc:opendocument:xmlns:text:1.0',
  style: 'urn:oasis:names:tc:opendocument:xmlns:style:1.0',
  number: 'urn:oasis:names:tc:opendocument:xmlns:datastyle:1.0',
  draw: 'urn:oasis:names:tc:opendocument:xmlns:drawing:1.0',
  calcext: 'urn:org:documentfoundation:names:experimental:calc:xmlns:calcext:1.0',
})
  .map(([prefix, name]) => `xmlns:${prefix}="${name}"`)
  .join(' ');

/** Writes an OpenDocument workbook with these sheets, as LibreOffice does; `styles` and `before` go before the sheets,
 * and `common` styles into a part of their own. */
export function ods(
  sheets: Readonly<Record<string, OdsRows>>,
  { common = '', styles = '', before = '', attributes = '', parts = [] as ZipPart[] } = {},
): Buffer {
  const tables = Object.entries(sheets).map(
    ([name, rows]) =>
      `<table:table table:name="${escapeXml(name)}" ${attributes}>${rowsXml(rows)}</table:table>`,
  );
  const document = (inside: string) =>
    `<?xml version="1.0" encoding="UTF-8"?>\n<office:document-content ${NAMESPACES}>${inside}</office:document-content>`;
  const body = `<office:body><office:spreadsheet>${before}${tables.join('')}</office:spreadsheet></office:body>`;
  const mimetype = 'application/vnd.oasis.opendocument.spreadsheet';
  return zip([
    { name: 'mimetype', data: mimetype, isStored: true },
    { name: 'styles.xml', data: document(`<office:styles>${common}</office:styles>`) },
    {
      name: 'content.xml',
      data: document(`<office:automatic-styles>${styles}</office:automatic-styles>${body}`),
    },
    ...parts,
  ]);
}

/** The XML of rows, each with attributes of its own. */
export function rowsXml(rows: OdsRows, attributes = (_number: number) => ''): string {
  if (typeof rows === 'string') return rows;
  return rows
    .map(
      (cells, index) =>
        `<table:table-row${attributes(index + 1)}>${cells.map(cellXml).join('')}</table:table-row>`,
    )
    .join('');
}

function cellXml(cell: OdsCell): string {
  if (cell === null) return '<table:table-cell/>';
  if (typeof cell === 'object') return cell.xml;
  const [type, value] =
    typeof cell === 'number'
      ? ['float', `office:value="${cell}"`]
      : typeof cell === 'boolean'
        ? ['boolean', `office:boolean-value="${cell}"`]
        : ['string', ''];
  const text = escapeXml(String(cell))
    .replace(/ (?= )|^ /g, '<text:s/>')
    .replaceAll('\t', '<text:tab/>');
  const paragraphs = text.split('\n').map(line => `<text:p>${line}</text:p>`);
  return `<table:table-cell office:value-type="${type}" ${value}>${paragraphs.join('')}</table:table-cell>`;
}
