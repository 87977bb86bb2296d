import { strToU8, zipSync } from 'fflate';
import { formats, sheetXml } from './sheet.ts';
import type { WrittenCatalog } from './written-catalog.ts';
import { OFFICE, PROLOG, part } from './xml.ts';

const PACKAGE = 'http://schemas.openxmlformats.org/package/2006';
const CONTENT = 'application/vnd.openxmlformats-officedocument.spreadsheetml';

/** A workbook with a sheet for each catalog (ECMA-376, part 1). Its bytes are always the same for the same catalogs. */
export function xlsxOf(catalogs: readonly WrittenCatalog[]): Buffer {
  const sheets = catalogs.map((written, index) => ({
    name: written.catalog,
    target: `worksheets/sheet${index + 1}.xml`,
    xml: part('worksheet', sheetXml(written, catalogs)),
  }));
  const parts = {
    '[Content_Types].xml': contentTypes(sheets.map(({ target }) => target)),
    '_rels/.rels': relationships([['officeDocument', 'xl/workbook.xml']]),
    'xl/workbook.xml': part(
      'workbook',
      `<sheets>${sheets.map(({ name }, index) => `<sheet name="${name}" sheetId="${index + 1}" r:id="rId${index + 1}"/>`).join('')}</sheets>`,
    ),
    'xl/_rels/workbook.xml.rels': relationships([
      ...sheets.map(({ target }) => ['worksheet', target] as const),
      ['styles', 'styles.xml'],
    ]),
    'xl/styles.xml': part('styleSheet', STYLES),
    ...Object.fromEntries(sheets.map(({ target, xml }) => [`xl/${target}`, xml])),
  };
  const files = Object.fromEntries(Object.entries(parts).map(([name, xml]) => [name, strToU8(xml)]));
  return Buffer.from(zipSync(files, { mtime: '1980-01-01T00:00:00' }));
}

const ownFormats = formats.filter(({ id }) => id >= 164);

/** A style for each of the formats, and a bold one for headings. */
const STYLES = [
  `<numFmts count="${ownFormats.length}">${ownFormats.map(({ code, id }) => `<numFmt numFmtId="${id}" formatCode="${code}"/>`).join('')}</numFmts>`,
  '<fonts count="2"><font><sz val="11"/><name val="Calibri"/></font><font><b/><sz val="11"/><name val="Calibri"/></font></fonts>',
  '<fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills>',
  '<borders count="1"><border/></borders>',
  '<cellStyleXfs count="1"><xf/></cellStyleXfs>',
  `<cellXfs count="${formats.length + 1}">${formats.map(({ id }) => `<xf numFmtId="${id}" applyNumberFormat="1"/>`).join('')}<xf fontId="1" applyFont="1"/></cellXfs>`,
  '<cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles>',
].join('');

function contentTypes(targets: readonly string[]): string {
  const types = [
    ['/xl/workbook.xml', 'sheet.main'],
    ['/xl/styles.xml', 'styles'],
    ...targets.map(target => [`/xl/${target}`, 'worksheet']),
  ];
  return `${PROLOG}<Types xmlns="${PACKAGE}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/>${types
    .map(([name, type]) => `<Override PartName="${name}" ContentType="${CONTENT}.${type}+xml"/>`)
    .join('')}</Types>`;
}

function relationships(list: readonly (readonly [type: string, target: string])[]): string {
  return `${PROLOG}<Relationships xmlns="${PACKAGE}/relationships">${list
    .map(
      ([type, target], index) =>
        `<Relationship Id="rId${index + 1}" Type="${OFFICE}/${type}" Target="${target}"/>`,
    )
    .join('')}</Relationships>`;
}
