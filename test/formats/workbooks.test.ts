import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { openArchive } from '../../src/formats/workbook/archive.ts';
import { readXml } from '../../src/formats/workbook/xml.ts';
import { formatProblem } from '../../src/set/collect-problems.ts';
import { shop, shopWith, sourceIn, writeFiles } from '../support/catalogs.ts';
import { type OdsCell, type OdsRows, ods, rowsXml } from '../support/ods.ts';
import { assertSame, type Form, readSource } from '../support/read-source.ts';
import {
  type Cell,
  noFiles,
  type SheetRows,
  sheetOf,
  shopSheets,
  type XlsxOptions,
  xlsx,
  xlsxParts,
} from '../support/xlsx.ts';
import { zip, zipStream } from '../support/zip.ts';

const PRICES = sheetOf(shop['prices.csv'] ?? '');
const [HEADINGS = [], ...ROWS] = PRICES;

test('a set has the same version as CSV, JSON, one workbook, or a workbook for each catalog', async t => {
  const sheets = Object.entries(shopSheets());
  const each = sheets.map(([name, rows]) => [`${name}.xlsx`, xlsx({ Sheet1: rows })]);
  const spelled = sheets.map(([name, rows]) => [` ${name.toUpperCase().replace('_', ' ')}`, rows]);
  const among = { Notes: [['Ask Kim']], ...Object.fromEntries(spelled), Chart: [] };
  const beside = xlsx({ A: PRICES, B: [['x']] }, { states: { B: 'state="hidden"' } });
  await assertSame(t, {}, [
    ['one workbook', { ...noFiles, 'catalog.xlsx': xlsx(shopSheets()) }],
    ['a workbook for each catalog', { ...noFiles, ...Object.fromEntries(each) }],
    ['other sheets and spellings of the names', { ...noFiles, 'catalog.xlsx': xlsx(among) }],
    ['a hidden other sheet, beside other files', { 'prices.xlsx': beside }],
  ]);
});

/** The prices of the shop, each number or each text as `write` stores it. */
const numbersAs = (write: (cell: number) => Cell): SheetRows =>
  PRICES.map(cells => cells.map(cell => (typeof cell === 'number' ? write(cell) : cell)));
const textsAs = (write: (cell: string) => Cell): SheetRows =>
  PRICES.map(cells => cells.map(cell => (typeof cell === 'string' ? write(cell) : cell)));
const value = (cell: Cell) => `<v>${cell}</v>`;
const styled = numbersAs(cell => ({ s: 1, xml: value(cell) }));
const shared = textsAs(cell => ({ t: 's', xml: value(HEADINGS.indexOf(cell)) }));
const inRuns = (text: string) =>
  `<r><t>${text.slice(0, 1)}</t></r><r><rPr><b/></rPr><t>${text.slice(1)}</t></r><rPh sb="0" eb="1"><t>x</t></rPh>`;
/** The rows of the prices as XML without places, each text as `write` writes it. */
const rowsAs = (write = (text: string) => text) =>
  `<sheetData>${PRICES.map(cells => `<row>${cells.map(cell => (typeof cell === 'number' ? `<c>${value(cell)}</c>` : `<c t="inlineStr"><is><t>${write(String(cell))}</t></is></c>`)).join('')}</row>`).join('')}</sheetData>`;
const panes = '<sheetViews><sheetView><pane ySplit="1"/></sheetView></sheetViews>';

const sheets: [what: string, rows: SheetRows, options?: XlsxOptions][] = [
  ['numbers as text', numbersAs(String)],
  ['numbers with 17 digits', PRICES],
  ['numbers with an exponent', numbersAs(cell => ({ xml: value(cell.toExponential()) }))],
  ['values of formulas', numbersAs(cell => ({ xml: `<f>1+1</f>${value(cell)}` }))],
  ['texts of formulas', textsAs(cell => ({ t: 'str', xml: `<f>A1</f>${value(cell)}` }))],
  ['shared strings', shared, { strings: HEADINGS.map(heading => `<t>${heading}</t>`) }],
  ['strings in runs, and how they are pronounced', shared, { strings: HEADINGS.map(String).map(inRuns) }],
  [
    'cells without a value',
    PRICES.map(cells => [...cells, { s: 1, xml: '' }, { t: 's', xml: '<v></v>' }]),
    { formats: ['0.00'] },
  ],
  ['blank rows and columns', [[], HEADINGS, [' '], ...ROWS.flatMap(row => [row, [], [null, '  ']])]],
  ['a blank column before the table', [HEADINGS, ...ROWS].map(row => [null, ...row])],
  ['currencies', styled, { formats: ['#,##0.00 [$€-407]'] }],
  [
    'frozen panes, filters, notes and widths',
    `${panes}<cols><col min="1" max="2" width="9" hidden="0"/></cols>${rowsAs()}<autoFilter ref="A1:E9"/><legacyDrawing/>`,
  ],
  [
    'comments, CDATA and entities',
    rowsAs(text => `<![CDATA[${text.slice(0, 1)}]]><!-- x -->${text.slice(1).replace('_', '&#95;')}<?x?>`),
  ],
  [
    'merged cells outside the table',
    `${rowsAs()}<mergeCells><mergeCell ref="G1:H2"/><mergeCell ref="A1:A1"/></mergeCells>`,
  ],
];

test('however a program writes the cells of a sheet, they are read alike', async t => {
  const forms = sheets.map(
    ([what, rows, options]): Form => [what, { 'prices.xlsx': xlsx({ prices: rows }, options) }],
  );
  await assertSame(t, {}, forms);
});

test('however a program writes the archive and its parts, they are read alike', async t => {
  const parts = xlsxParts({ prices: PRICES });
  const changed = (change: (part: { name: string; data: string }) => object) =>
    zip(parts.map(part => ({ ...part, ...change(part) })));
  const edited = (from: RegExp, to: string) => changed(({ data }) => ({ data: data.replaceAll(from, to) }));
  const withPrefixes = (data: string) =>
    data
      .replaceAll(/<(\/?)(?=[a-z])(?!xml)/gi, '<$1x:')
      .replaceAll('xmlns=', 'xmlns:x=')
      .replace('xmlns:r=', 'xmlns:id=')
      .replaceAll(' r:id=', ' id:id=');
  const asUtf16 = (data: string) => Buffer.from(`\uFEFF${data.replace('UTF-8', 'UTF-16')}`, 'utf16le');
  const chart = xlsxParts({ Table: PRICES, Chart: [] }).map(({ name, data }) => ({
    name,
    data: data.replace('worksheet" Target="worksheets/sheet2', 'chartsheet" Target="chartsheets/1'),
  }));
  const others = ['xl/vbaProject.bin', 'xl/media/1.png', 'xl/externalLinks/externalLink1.xml'];
  const forms: Record<string, Buffer> = {
    stored: changed(() => ({ isStored: true })),
    'sizes behind the data': zipStream(parts),
    'names with backslashes': changed(({ name }) => ({ name: name.replaceAll('/', '\\') })),
    'names in capitals': changed(({ name }) => ({ name: name.toUpperCase() })),
    'no styles and shared strings': edited(/<Relationship [^>]*(styles|sharedStrings).xml"\/>/g, ''),
    'targets from the root': edited(/Target="(styles|shared|worksheets)/g, 'Target="/xl/$1'),
    'the strict standard': edited(
      /http:\/\/schemas.openxmlformats.org\/(spreadsheetml|officeDocument)\/2006/g,
      'http://purl.oclc.org/ooxml/$1',
    ),
    prefixes: changed(({ data }) => ({ data: withPrefixes(data) })),
    'UTF-16': changed(({ data }) => ({ data: asUtf16(data) })),
    'a byte order mark': changed(({ data }) => ({ data: `\uFEFF${data}` })),
    'a sheet that is a chart': zip(chart),
    'macros, pictures and links': zip([...parts, ...others.map(name => ({ name, data: '<x' }))]),
  };
  await assertSame(
    t,
    {},
    Object.entries(forms).map(([what, content]): Form => [what, { 'prices.xlsx': content }]),
  );
});

const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const TABLE = 'urn:oasis:names:tc:opendocument:xmlns:table:1.0';

test('booleans, dates and texts are read by their type', async t => {
  const day = (s: number, days: number) => ({ s, xml: `<v>${days}</v>` });
  const formula = { t: 'str', xml: '<f>""</f><v></v>' };
  const text = 'two\nlines\tand\r\n"quotes" & <b>';
  const rows: Cell[][] = [
    ['id', 'title', 'content', 'create_time', 'update_time', 'hidden', 'keywords'],
    [1, ' kept ', text, day(1, 45296.416666666664), null, false, 'a_X0041_,b'],
    [2, 2026, '_x005F_x0041_', { t: 'd', xml: '<v>2024-03-01T00:00:00</v>' }, 0, true, formula],
    [3, 'Grüße', '高性能 😀', day(2, 45352.520833333336), day(1, 0), 'WAHR', true],
  ];
  const plain = [
    { id: 1, title: ' kept ', content: text, create_time: '2024-01-05 10:00:00', keywords: 'a_X0041_,b' },
    { id: 2, title: '2026', content: '_x0041_', create_time: '2024-03-01', hidden: true },
    {
      ...{ id: 3, title: 'Grüße', content: '高性能 😀', create_time: '2024-03-01 12:30' },
      ...{ hidden: true, keywords: 'true' },
    },
  ];
  const formats = ['yyyy\\-mm\\-dd hh:mm:ss', '[$-407]d. mmm yyyy;@'];
  await assertSame(t, { 'news.json': plain }, [
    ['typed', { 'news.xlsx': xlsx({ news: rows }, { formats }) }],
  ]);
});

test('the dates of a workbook may count from 1904', async t => {
  const day = { s: 1, xml: '<v>44651.75</v>' };
  const rows = [
    ['id', 'title', 'content', 'create_time'],
    [1, 'a', 'b', day],
  ];
  const plain = { 'news.json': [{ id: 1, title: 'a', content: 'b', create_time: '2026-04-01 18:00' }] };
  const workbook = xlsx({ news: rows }, { formats: ['yyyy-mm-dd'], date1904: true });
  await assertSame(t, plain, [['since 1904', { 'news.xlsx': workbook }]]);
});

test('names in XML mean what their namespaces say, and what is in extensions is left out', async () => {
  for (const [xml, expected] of Object.entries({
    [`<c xmlns="${MAIN}">1</c>`]: 'c,1',
    [`<a:c xmlns:a="${MAIN}">1</a:c>`]: 'c,1',
    '<c xmlns="urn:x">1</c>': 'other:c,1',
    [`<c xmlns="${MAIN}"><a:v xmlns:a="urn:x"/><v/></c>`]: 'c,other:v,v',
    [`<t:table xmlns:t="${TABLE}" t:name="a" name="b"/>`]: 'table:table table:name name',
    '<table:p xmlns:table="urn:x" table:name="a"/>': 'other:p other:name',
    [`<s xmlns="${MAIN}"><extLst><extLst/><s>1</s></extLst><v>2</v></s>`]: 's,extLst,v,2',
  })) {
    const seen: string[] = [];
    await readXml(await openArchive(zip([{ name: 'a.xml', data: xml }])), 'a.xml', {
      open: (name, attributes) =>
        seen.push([name, ...Object.keys(attributes).filter(key => key.endsWith('name'))].join(' ')),
      text: text => seen.push(text),
    });
    assert.equal(seen.join(), expected, xml);
  }
});

const ODS_PRICES = PRICES as OdsCell[][];
const [ODS_HEADINGS = [], FIRST = [], ...OTHERS] = ODS_PRICES;
const odsCell = (attributes: string, text = '') => ({
  xml: `<table:table-cell ${attributes}>${text}</table:table-cell>`,
});
const repeated = (what: 'rows' | 'columns', times: number) => `table:number-${what}-repeated="${times}"`;
const empty = (times: number) => odsCell(repeated('columns', times));
const emptyRow = (times: number) =>
  `<table:table-row ${repeated('rows', times)}>${empty(16_384).xml}</table:table-row>`;
const odsNumbers = (type: string, text: string) =>
  ODS_PRICES.map(cells =>
    cells.map(value =>
      typeof value === 'number'
        ? odsCell(
            `office:value-type="${type}" office:value="${value.toPrecision(17)}"`,
            `<text:p>${text}</text:p>`,
          )
        : value,
    ),
  );

test('an OpenDocument workbook is read as other forms are', async t => {
  const inParts = (text: string) =>
    odsCell(
      'office:value-type="string"',
      `<office:annotation><text:p>a note</text:p></office:annotation><text:p>${text.slice(0, 1)}<text:span>${text.slice(1)}</text:span></text:p>`,
    );
  const picture = `<table:shapes><draw:frame>${rowsXml([['x']])}</draw:frame></table:shapes>`;
  const deleted = `<table:tracked-changes>${rowsXml([['x']])}</table:tracked-changes>`;
  const prices: [what: string, rows: OdsRows, options?: Parameters<typeof ods>[1]][] = [
    ['currencies', odsNumbers('currency', '1,00 €')],
    ['percentages', odsNumbers('percentage', '1 %')],
    [
      'empty cells and rows to the end',
      `${rowsXml(ODS_PRICES.map(row => [...row, empty(16_379)]))}${emptyRow(1_048_567)}`,
    ],
    [
      'blank rows in between',
      `${emptyRow(3)}${rowsXml([ODS_HEADINGS])}${emptyRow(1)}${rowsXml([FIRST, ...OTHERS])}`,
    ],
    [
      'groups',
      `<table:table-header-rows>${rowsXml([ODS_HEADINGS])}</table:table-header-rows><table:table-row-group>${rowsXml([FIRST, ...OTHERS])}</table:table-row-group>`,
    ],
    ['deleted cells and pictures', `${picture}${rowsXml(ODS_PRICES)}`, { before: deleted }],
    [
      'notes and parts of texts',
      ODS_PRICES.map(row => row.map(value => (typeof value === 'string' ? inParts(value) : value))),
    ],
  ];
  await assertSame(t, {}, [
    ['one workbook', { ...noFiles, 'catalog.ods': ods(shopSheets() as Record<string, OdsRows>) }],
    ['the name of another kind', { 'prices.xlsx': ods({ Sheet1: ODS_PRICES }) }],
    ...prices.map(([what, rows, options]): Form => [what, { 'prices.ods': ods({ prices: rows }, options) }]),
  ]);
});

test('the booleans, dates and texts of an OpenDocument workbook are read by their type', async t => {
  const date = (value: string) => odsCell(`office:value-type="date" office:date-value="${value}"`);
  const string = (text: string) => odsCell('office:value-type="string"', text);
  const rows: OdsCell[][] = [
    ['id', 'title', 'content', 'create_time', 'hidden', 'keywords'],
    [1, ' kept  spaces ', 'two\nlines\tand "quotes" & <b>', date('2024-01-05T10:00:00'), false, null],
    [2, 2026, 'x', date('2024-03-01'), true, odsCell('office:value-type="string" office:string-value="a,b"')],
    [3, 'LibreOffice 7.4', string('<text:p>a</text:p><text:p>  b   c</text:p>'), 1704412800],
    [4, 'by hand', string('<text:p>a \n   b<text:line-break/>c</text:p>'), 1704412800],
  ];
  const plain = [
    [1, ' kept  spaces ', 'two\nlines\tand "quotes" & <b>', '2024-01-05 10:00:00', false, ''],
    [2, '2026', 'x', '2024-03-01', true, 'a,b'],
    [3, 'LibreOffice 7.4', 'a\n  b   c', 1704412800, false, ''],
    [4, 'by hand', 'a b\nc', 1704412800, false, ''],
  ].map(([id, title, content, create_time, hidden, keywords]) => {
    return { id, title, content, create_time, hidden, keywords };
  });
  await assertSame(t, { 'news.json': plain }, [['typed', { 'news.ods': ods({ news: rows }) }]]);
});

/** The problems of the shop with these prices, but for those that follow from others. */
async function problemsOf(t: TestContext, rows: OdsRows, options?: Parameters<typeof ods>[1]) {
  const files = { 'prices.ods': ods({ prices: rows }, options) };
  const { report } = await readSource(sourceIn(await writeFiles(t, shopWith(files))));
  const lines = report.problems.map(formatProblem);
  return lines.filter(line => !/ NO_PRICE | NO_IMAGE /.test(line));
}

test('a row that an OpenDocument workbook repeats is there twice', async t => {
  const row = rowsXml([[200, 1, 12, 1, 1]], () => ` ${repeated('rows', 900_000)}`);
  const [first] = await problemsOf(t, `${rowsXml(ODS_PRICES)}${row}`);
  const told = 'id 200 is already used at prices.ods [prices] A10: give each row its own id';
  assert.equal(first, `prices.ods [prices] A11: error DUPLICATE_ID ${told}`);
});

/** Styles of numbers, and where a cell says which one it has. */
const digits = (places: number, more = '') =>
  `<number:number number:decimal-places="${places}" number:min-integer-digits="1" ${more}/>`;
const dataStyle = (inside: string, name = 'N') =>
  `<number:number-style style:name="${name}">${inside}</number:number-style>`;
const cellStyle = (name: string, more: string) =>
  `<style:style style:name="${name}" style:family="table-cell" ${more}/>`;

test('numbers of an OpenDocument workbook are judged by what their styles show', async t => {
  const free = dataStyle('<number:text>free</number:text>', 'P0');
  const map = '<style:map style:condition="value()=0" style:apply-style-name="P0"/>';
  const cases: [price: number, common: string, fault?: string][] = [
    [12.5, dataStyle(digits(2))],
    [12.345, dataStyle(digits(2)), '12.345 has the format 0.00, which shows fewer decimals'],
    [
      4900,
      dataStyle(digits(0, 'number:display-factor="1000" number:grouping="true"')),
      '4900 has the format #,##0,, which shows it in thousands or millions',
    ],
    [2, dataStyle(`${digits(0)}<number:text> GB</number:text>`), '2 has the format 0" GB", which adds "GB"'],
    [
      0,
      `${free}${dataStyle(`${digits(2)}${map}`)}`,
      '0 has the format [=0]"free";0.00, which shows no digits of it',
    ],
  ];
  const ofStyle = (value: number, style?: string) =>
    odsCell(
      `office:value-type="float" office:value="${value}" ${style ? `table:style-name="${style}"` : ''}`,
    );
  for (const [price, common, fault] of cases)
    for (const [style, ofColumn] of [
      ['own', ''],
      [undefined, 'own'],
      ['heir', ''],
    ]) {
      const rows = [
        ODS_HEADINGS,
        [...FIRST.slice(0, 4), ofStyle(price, style)],
        ...OTHERS.map(row => [...row.slice(0, 4), ofStyle(5)]),
      ];
      const columns = `<table:table-column ${repeated('columns', 4)}/><table:table-column table:default-cell-style-name="${ofColumn}"/>`;
      const found = await problemsOf(t, `${columns}${rowsXml(rows)}`, {
        common: `${common}${cellStyle('own', 'style:data-style-name="N"')}`,
        styles: cellStyle('heir', 'style:parent-style-name="own"'),
      });
      const told = found.filter(line => line.includes('] E2: ')).map(line => line.split(': ')[1]);
      const expected = fault === undefined ? [] : [`warning SHOWN_OTHERWISE price ${fault}`];
      assert.deepEqual(told, expected, `${common} ${style} ${ofColumn}`);
    }
});
