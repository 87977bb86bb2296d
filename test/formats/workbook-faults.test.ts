import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatProblem } from '../../src/contract/problems.ts';
import { parseWorkbook } from '../../src/formats/workbook/workbook.ts';
import { collectProblems } from '../../src/set/collect-problems.ts';
import { shop } from '../support/catalogs.ts';
import { rounds } from '../support/skipping.ts';
import { sheetOf } from '../support/workbooks/shop-workbook.ts';
import { xlsxParts } from '../support/workbooks/xlsx.ts';
import { withField, zip } from '../support/workbooks/zip.ts';

/** The parts of a workbook that is read. */
const PARTS = xlsxParts({ prices: sheetOf(shop['prices.csv'] ?? '') });
const WHOLE = zip(PARTS);
const SHEET = 'xl/worksheets/sheet1.xml';
const WORKBOOK = 'xl/workbook.xml';
const RELATIONSHIPS = 'xl/_rels/workbook.xml.rels';
const STYLES = 'xl/styles.xml';

/** The cells and the problems of a file in place of prices.xlsx. */
async function read(content: Buffer | string) {
  const { report, summarize } = collectProblems();
  const table = await parseWorkbook('prices', 'prices.xlsx', Buffer.from(content), report);
  return { cells: table?.rows.map(row => row.cells), problems: summarize([]).problems.map(formatProblem) };
}

/** The workbook with one part changed. */
const changed = (name: string, data: string | Buffer) =>
  zip(PARTS.map(part => (part.name === name ? { name, data } : part)));
const textOf = (name: string) => PARTS.find(part => part.name === name)?.data ?? assert.fail(name);
const edited = (name: string, from: string | RegExp, to: string) =>
  changed(name, textOf(name).replace(from, to));
const without = (name: string) => zip(PARTS.filter(part => part.name !== name));
const withPart = (name: string) => zip([...PARTS, { name, data: 'x' }]);
const ole = (text: string) =>
  Buffer.concat([Buffer.from('d0cf11e0a1b11ae1', 'hex'), Buffer.from(text, 'utf16le')]);

/** A file, and what is said of it, with N for each number. */
type Case = [content: Buffer | string, error: string];

const NO_WORKBOOK =
  'this is not a workbook: save it again as "Excel workbook (.xlsx)", or give the file the name that fits what it is';
const NO_SPREADSHEET = [
  { name: 'mimetype', data: 'application/vnd.oasis.opendocument.text', isStored: true },
  { name: 'content.xml', data: '<a/>' },
];
const otherKinds: Case[] = [
  [ole('Workbook'), 'a workbook of an old kind (.xls)'],
  [zip([{ name: 'xl/workbook.bin', data: 'x' }]), 'a binary workbook (.xlsb)'],
  [zip([{ name: 'word/document.xml', data: 'x' }]), 'a text document (.docx)'],
  [zip([{ name: 'ppt/presentation.xml', data: 'x' }]), 'a presentation (.pptx)'],
  [zip([{ name: 'Index/Document.iwa', data: 'x' }]), 'a document of Apple Numbers'],
  [zip(NO_SPREADSHEET), 'a document of LibreOffice that is no spreadsheet'],
  ['<?xml?>\n<?mso-application progid="Excel.Sheet"?>\n<Workbook/>', 'a workbook in one XML file'],
  ['<?xml version="1.0"?>\n<office:document/>', 'a workbook in one XML file'],
];
const notWorkbooks: Case[] = [
  ['', 'the file is empty: save the workbook again'],
  ['id,name\n1,x\n', NO_WORKBOOK],
  ['%PDF-1.7', NO_WORKBOOK],
  [
    ole('EncryptedPackage'),
    'the workbook is protected by a password: remove the password, and save it again',
  ],
  ...otherKinds.map(
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
  [withPart(SHEET.toUpperCase()), `it has the part ${SHEET} twice`],
  [withPart('../../etc/passwd'), 'the archive: invalid relative path: ../../etc/passwd'],
  [zip(Array.from({ length: 10_001 }, (_, n) => ({ name: `${n}`, data: '' }))), 'it has N parts'],
  [edited(WORKBOOK, /<sheet .*?>/, ''), 'it has no sheet that is shown'],
  [withField(WHOLE, '_rels/.rels', 'crc', 1), '_rels/.rels has a wrong checksum'],
];

const ENTITIES = '<!DOCTYPE a [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;">]><';
const FILE_ENTITY = '<!DOCTYPE a [<!ENTITY a SYSTEM "file:///etc/passwd">]><worksheet';
const attributes = Array.from({ length: 257 }, (_, index) => ` a${index}=""`).join('');
const TARGET = 'Target="worksheets/sheet1.xml"';

/** Faults that are found when the sheet is read. */
const inSheet: Case[] = [
  [without(SHEET), `${SHEET} is missing`],
  [without('xl/sharedStrings.xml'), 'xl/sharedStrings.xml is missing'],
  [withField(WHOLE, STYLES, 'crc', 1), `${STYLES} has a wrong checksum`],
  [withField(WHOLE, SHEET, 'crc', 1), `${SHEET} has a wrong checksum`],
  [
    withField(WHOLE, SHEET, 'size', textOf(SHEET).length - 1),
    `${SHEET}: too many bytes in the stream. expected N. got at least N`,
  ],
  [
    withField(WHOLE, SHEET, 'size', textOf(SHEET).length + 1),
    `${SHEET}: not enough bytes in the stream. expected N. got only N`,
  ],
  [withField(WHOLE, SHEET, 'compressedSize', 1e6), `${SHEET}: file data overflows file bounds: N + N > N`],
  [withField(WHOLE, SHEET, 'compressedSize', 10), `${SHEET}: unexpected end of file`],
  [withField(WHOLE, SHEET, 'method', 12), `${SHEET}: unsupported compression method: N`],
  [withField(WHOLE, SHEET, 'flags', 1), `${SHEET}: entry is encrypted, and options.decodeFileData !== false`],
  [changed(SHEET, ''), `${SHEET}: document must contain a root element`],
  [changed(SHEET, '<html><br></html>'), `${SHEET}: unexpected close tag`],
  [edited(SHEET, '</row>', ''), `${SHEET}: unexpected close tag`],
  [edited(SHEET, /$/, '<a/>'), `${SHEET}: documents may contain only one root`],
  [edited(SHEET, 'r="1"', 'r="1" r="1"'), `${SHEET}: duplicate attribute: r`],
  [edited(SHEET, 'product_id', '&a;'), `${SHEET}: undefined entity`],
  [edited(SHEET, 'product_id', 'pr\0'), `${SHEET}: disallowed character`],
  [
    changed(SHEET, Buffer.from(textOf(SHEET).replace('product_id', 'pr\xff'), 'latin1')),
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
  [edited(RELATIONSHIPS, TARGET, 'Target="../../../../etc/passwd"'), 'etc/passwd is missing'],
  [
    edited(RELATIONSHIPS, TARGET, 'Target="file:///etc/passwd" TargetMode="External"'),
    'the sheet prices is missing',
  ],
];

test('what is not a workbook, and damaged archives and sheets, are refused in one sentence', async () => {
  const damaged = (reason: string) =>
    `BAD_WORKBOOK the workbook is damaged (${reason}): open it in your spreadsheet program, and save it again`;
  const page =
    'WEB_PAGE this is a web page, such as a login or error page, and not a workbook: sign in, and download the file again';
  for (const [content, error] of [
    ...notWorkbooks.map(([content, told]): Case => [content, `: error BAD_WORKBOOK ${told}`]),
    ...inArchive.map(([content, reason]): Case => [content, `: error ${damaged(reason)}`]),
    ...inSheet.map(([content, reason]): Case => [content, ` [prices]: error ${damaged(reason)}`]),
    [' <!DOCTYPE html><html>', `: error ${page}`] as const,
  ]) {
    const { problems } = await read(content);
    const told = problems.map(text => text.replace(/(?<![/\w.])\d+\b|(?<=utf-)8/g, 'N'));
    assert.deepEqual(told, [`prices.xlsx${error}`]);
  }
});

test('a workbook that is cut off, or has a wrong byte anywhere, is read right or refused', async () => {
  const { cells } = await read(WHOLE);
  const cuts = rounds(200, 50);
  for (let cut = 0; cut < cuts; cut += 1) {
    const { problems } = await read(WHOLE.subarray(0, Math.floor((WHOLE.length * cut) / cuts)));
    assert.deepEqual(
      problems.map(problem => problem.slice(0, 32)),
      ['prices.xlsx: error BAD_WORKBOOK '],
    );
  }
  const outcomes = { same: 0, refused: 0 };
  for (let index = 0; index < WHOLE.length; index += rounds(3, 13)) {
    const wrong = Buffer.from(WHOLE);
    wrong[index] = (wrong[index] ?? 0) ^ (1 << (index % 8));
    const found = await read(wrong);
    outcomes[found.cells ? 'same' : 'refused'] += 1;
    if (found.cells) assert.deepEqual(found, { cells, problems: [] }, `byte ${index}`);
    else assert.equal(found.problems.length, 1, `byte ${index}`);
  }
  assert.ok(outcomes.same > 0 && outcomes.refused > 0, JSON.stringify(outcomes));
});
