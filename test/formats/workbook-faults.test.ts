import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertSame, errorsOf } from '../support/catalog/forms.ts';
import { shop } from '../support/catalogs.ts';
import { rounds } from '../support/skipping.ts';
import { sheetOf } from '../support/workbooks/shop-workbook.ts';
import { xlsxParts } from '../support/workbooks/xlsx.ts';
import { type ZipPart, zip } from '../support/workbooks/zip.ts';

/** The parts of a workbook that is read. */
const PARTS = xlsxParts({ prices: sheetOf(shop['prices.csv'] ?? '') });
const SHEET = 'xl/worksheets/sheet1.xml';
const WORKBOOK = 'xl/workbook.xml';
const RELATIONSHIPS = 'xl/_rels/workbook.xml.rels';
const STYLES = 'xl/styles.xml';

/** The workbook with one part changed. */
const changed = (name: string, change: Partial<ZipPart>) =>
  zip(PARTS.map(part => (part.name === name ? { ...part, ...change } : part)));
const textOf = (name: string) => String(PARTS.find(part => part.name === name)?.data);
const edited = (name: string, from: string | RegExp, to: string) =>
  changed(name, { data: textOf(name).replace(from, to) });
const without = (name: string) => zip(PARTS.filter(part => part.name !== name));
const withPart = (name: string) => zip([...PARTS, { name, data: 'x' }]);
const ole = (text: string) =>
  Buffer.concat([Buffer.from('d0cf11e0a1b11ae1', 'hex'), Buffer.from(text, 'utf16le')]);

/** A file in place of prices.xlsx, and its only error, with N for each number. */
type Case = [content: Buffer | string, error: string];

const NO_WORKBOOK =
  'this is not a workbook: save it again as "Excel workbook (.xlsx)", or give the file the name that fits what it is';
const TEXT_DOCUMENT = 'application/vnd.oasis.opendocument.text';
const notWorkbooks: Case[] = [
  ['', 'the file is empty: save the workbook again'],
  ['id,name\n1,x\n', NO_WORKBOOK],
  ['%PDF-1.7', NO_WORKBOOK],
  [
    ole('Workbook'),
    'this is a workbook of an old kind (.xls) with another name: open it, and save it as "Excel workbook (.xlsx)"',
  ],
  [
    ole('EncryptedPackage'),
    'the workbook is protected by a password: remove the password, and save it again',
  ],
  ...(
    [
      [zip([{ name: 'xl/workbook.bin', data: 'x' }]), 'a binary workbook (.xlsb)'],
      [zip([{ name: 'word/document.xml', data: 'x' }]), 'a text document (.docx)'],
      [zip([{ name: 'ppt/presentation.xml', data: 'x' }]), 'a presentation (.pptx)'],
      [zip([{ name: 'Index/Document.iwa', data: 'x' }]), 'a document of Apple Numbers'],
      [
        zip([
          { name: 'mimetype', data: TEXT_DOCUMENT, isStored: true },
          { name: 'content.xml', data: '<a/>' },
        ]),
        'a document of LibreOffice that is no spreadsheet',
      ],
      [
        '<?xml version="1.0"?>\n<?mso-application progid="Excel.Sheet"?>\n<Workbook/>',
        'a workbook in XML of Excel N',
      ],
      ['<?xml version="1.0"?>\n<office:document/>', 'a flat spreadsheet (.fods)'],
    ] as const
  ).map(
    ([content, kind]): Case => [
      content,
      `this is ${kind} with the name of a workbook: open it in the program that made it, and save it as "Excel workbook (.xlsx)"`,
    ],
  ),
];

/** Faults of the archive, by why it is damaged. */
const inArchive: Case[] = [
  [without('_rels/.rels'), '_rels/.rels is missing'],
  [without(WORKBOOK), `${WORKBOOK} is missing`],
  [without(RELATIONSHIPS), `${RELATIONSHIPS} is missing`],
  [zip([]), '_rels/.rels is missing'],
  [zip([...PARTS, ...PARTS.slice(-1)]), `it has the part ${SHEET} twice`],
  [withPart(SHEET.toUpperCase()), `it has the part ${SHEET} twice`],
  [withPart('../../etc/passwd'), 'the archive: invalid relative path: ../../etc/passwd'],
  [zip(Array.from({ length: 10_001 }, (_, n) => ({ name: `${n}`, data: '' }))), 'it has N parts'],
  [edited(WORKBOOK, /<sheet .*?>/, ''), 'it has no sheet that is shown'],
  [changed(WORKBOOK, { data: '' }), `${WORKBOOK}: document must contain a root element`],
  [changed('_rels/.rels', { crc: 1 }), '_rels/.rels has a wrong checksum'],
  [edited(RELATIONSHIPS, /<\/\w+>$/, ''), `${RELATIONSHIPS}: unclosed tag: Relationships`],
];

const ENTITIES = '<!DOCTYPE a [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;">]><';
const FILE_ENTITY = '<!DOCTYPE a [<!ENTITY a SYSTEM "file:///etc/passwd">]><worksheet';
const attributes = Array.from({ length: 257 }, (_, index) => ` a${index}=""`).join('');
const xmlOf = (text: string) => ({ data: text });

/** Faults that are found when the sheet is read. */
const inSheet: Case[] = [
  [without(SHEET), `${SHEET} is missing`],
  [without('xl/sharedStrings.xml'), 'xl/sharedStrings.xml is missing'],
  [changed(STYLES, { crc: 1 }), `${STYLES} has a wrong checksum`],
  [edited(STYLES, /<(?=\w)/, ENTITIES), `${STYLES} has a document type`],
  [changed(SHEET, { crc: 1 }), `${SHEET} has a wrong checksum`],
  [changed(SHEET, { size: textOf(SHEET).length - 1 }), `${SHEET}: more than the N bytes that it should have`],
  [changed(SHEET, { size: textOf(SHEET).length + 1 }), `${SHEET}: N bytes instead of N`],
  [changed(SHEET, { compressedSize: 1e6 }), `${SHEET}: file data overflows file bounds: N + N > N`],
  [changed(SHEET, { compressedSize: 10 }), `${SHEET}: unexpected end of file`],
  [changed(SHEET, { method: 12 }), `${SHEET}: unsupported compression method: N`],
  [changed(SHEET, { flags: 1 }), `${SHEET}: it is encrypted`],
  [changed(SHEET, xmlOf('')), `${SHEET}: document must contain a root element`],
  [changed(SHEET, xmlOf('x')), `${SHEET}: text data outside of root node`],
  [changed(SHEET, xmlOf('<html><br></html>')), `${SHEET}: unexpected close tag`],
  [edited(SHEET, /<\/\w+>$/, ''), `${SHEET}: unclosed tag: worksheet`],
  [edited(SHEET, '</row>', ''), `${SHEET}: unexpected close tag`],
  [edited(SHEET, /$/, '<a/>'), `${SHEET}: documents may contain only one root`],
  [edited(SHEET, 'r="1"', 'r="1" r="1"'), `${SHEET}: duplicate attribute: r`],
  [edited(SHEET, 'product_id', '&a;'), `${SHEET}: undefined entity`],
  [edited(SHEET, 'product_id', 'pr\0'), `${SHEET}: disallowed character`],
  [edited(SHEET, 'product_id', 'pr&#1;'), `${SHEET}: malformed character entity`],
  [
    changed(SHEET, { data: Buffer.from(textOf(SHEET).replace('product_id', 'pr\xff'), 'latin1') }),
    `${SHEET} is not in utf-N`,
  ],
  [edited(SHEET, /<(?=\w)/, ENTITIES), `${SHEET} has a document type`],
  [edited(SHEET, '<worksheet', FILE_ENTITY), `${SHEET} has a document type`],
  [edited(SHEET, '<sheetData>', '<a>'.repeat(100)), `${SHEET} is nested more than N levels deep`],
  [
    edited(SHEET, '<sheetData', `<sheetData${attributes}`),
    `${SHEET} has an element with more than N attributes`,
  ],
  [edited(WORKBOOK, 'r:id="rId1"', 'r:id="rId7"'), 'the sheet prices is missing'],
  [edited(RELATIONSHIPS, 'worksheets/sheet1.xml', '../../../../etc/passwd'), 'etc/passwd is missing'],
  [
    edited(
      RELATIONSHIPS,
      'Target="worksheets/sheet1.xml"',
      'Target="file:///etc/passwd" TargetMode="External"',
    ),
    'the sheet prices is missing',
  ],
];

test('what is not a workbook, and damaged archives and sheets, are refused in one sentence', async t => {
  const damaged =
    (place: string) =>
    ([content, reason]: Case): Case => [
      content,
      `${place}the workbook is damaged (${reason}): open it in your spreadsheet program, and save it again`,
    ];
  const cases: Case[] = [
    ...[...notWorkbooks, ...inArchive.map(damaged(''))].map(
      ([content, told]): Case => [content, `prices.xlsx: error BAD_WORKBOOK ${told}`],
    ),
    ...inSheet.map(damaged('prices.xlsx [prices]: error BAD_WORKBOOK ')),
    [
      ' <!DOCTYPE html><html>',
      'prices.xlsx: error WEB_PAGE this is a web page, such as a login or error page, and not a workbook: sign in, and download the file again',
    ],
  ];
  for (const [content, error] of cases) {
    const errors = await errorsOf(t, { 'prices.xlsx': content });
    assert.deepEqual(
      errors.map(text => text.replace(/(?<![/\w.])\d+\b|(?<=utf-)8/g, 'N')),
      [error],
    );
  }
});

test('a workbook that is cut off anywhere is refused as damaged', async t => {
  const whole = zip(PARTS);
  const cuts = rounds(200, 25);
  for (let cut = 0; cut < cuts; cut += 1) {
    const length = Math.floor((whole.length * cut) / cuts);
    const [error, ...others] = await errorsOf(t, { 'prices.xlsx': whole.subarray(0, length) });
    assert.match(error ?? '', /^prices\.xlsx: error BAD_WORKBOOK /, `${length} bytes`);
    assert.deepEqual(others, []);
  }
});

test('a workbook with a wrong byte anywhere is read right or refused', async t => {
  const whole = zip(PARTS);
  const outcomes = { same: 0, refused: 0 };
  for (let index = 0; index < whole.length; index += rounds(7, 49)) {
    const wrong = Buffer.from(whole);
    wrong[index] = (wrong[index] ?? 0) ^ (1 << (index % 8));
    const errors = await errorsOf(t, { 'prices.xlsx': wrong });
    if (errors.length === 0) await assertSame(t, {}, [[`byte ${index}`, { 'prices.xlsx': wrong }]]);
    outcomes[errors.length === 0 ? 'same' : 'refused'] += 1;
  }
  assert.ok(outcomes.same > 0 && outcomes.refused > 0, JSON.stringify(outcomes));
});
