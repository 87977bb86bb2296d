import { shop } from '../catalogs.ts';
import { sheetOf } from './shop-workbook.ts';
import { xlsxParts } from './xlsx.ts';
import { type ZipPart, zip } from './zip.ts';

const PRICES = sheetOf(shop['prices.csv'] ?? '');
const AGAIN = 'open it in your spreadsheet program, and save it again';
/** The parts of a workbook that is read. */
export const PARTS = xlsxParts({ prices: PRICES });
const SHEET = 'xl/worksheets/sheet1.xml';
const WORKBOOK = 'xl/workbook.xml';
const RELATIONSHIPS = 'xl/_rels/workbook.xml.rels';

/** The workbook with one part changed. */
const changed = (name: string, change: (part: ZipPart) => Partial<ZipPart>) =>
  zip(PARTS.map(part => (part.name === name ? { ...part, ...change(part) } : part)));
const edited = (name: string, from: string | RegExp, to: string) =>
  changed(name, ({ data }) => ({ data: data.toString().replace(from, to) }));
const damaged = (reason: string, place = '') =>
  `prices.xlsx${place}: error BAD_WORKBOOK the workbook is damaged (${reason}): ${AGAIN}`;
const other = (message: string) => `prices.xlsx: error BAD_WORKBOOK ${message}`;
const NO_WORKBOOK =
  'this is not a workbook: save it again as "Excel workbook (.xlsx)", or give the file the name that fits what it is';
const otherKind = (kind: string) =>
  other(
    `this is ${kind} with the name of a workbook: open it in the program that made it, and save it as "Excel workbook (.xlsx)"`,
  );
const ole = (text: string) =>
  Buffer.concat([Buffer.from('d0cf11e0a1b11ae1', 'hex'), Buffer.from(text, 'utf16le')]);

/** The XML parts and the place where each is reported when it cannot be read; nothing reads the list of content types. */
const reported: [part: string, place: string][] = [
  ['_rels/.rels', ''],
  [WORKBOOK, ''],
  [RELATIONSHIPS, ''],
  ['xl/styles.xml', ' [prices]'],
  ['xl/sharedStrings.xml', ' [prices]'],
  [SHEET, ' [prices]'],
];
const ofEachPart = reported.flatMap(([name, place]): ArchiveFault[] => [
  // Without styles, numbers are read as they are.
  ...(name.includes('styles')
    ? []
    : [
        [
          `no ${name}`,
          zip(PARTS.filter(part => part.name !== name)),
          damaged(`${name} is missing`, place),
        ] as ArchiveFault,
      ]),
  [
    `${name} with another checksum`,
    changed(name, () => ({ crc: 1 })),
    damaged(`${name} has a wrong checksum`, place),
  ],
  [
    `${name} that is larger than it says`,
    changed(name, ({ data }) => ({ size: data.length - 1 })),
    damaged(`${name}: more than the N bytes that it should have`, place),
  ],
  [
    `${name} that is smaller than it says`,
    changed(name, ({ data }) => ({ size: data.length + 1 })),
    damaged(`${name}: N bytes instead of N`, place),
  ],
  [
    `an empty ${name}`,
    changed(name, () => ({ data: '' })),
    damaged(`${name}: document must contain a root element`, place),
  ],
  [
    `${name} without its end`,
    edited(name, /<\/\w+>$/, ''),
    damaged(
      `${name}: unclosed tag: ${/<\/(\w+)>$/.exec(String(PARTS.find(part => part.name === name)?.data))?.[1]}`,
      place,
    ),
  ],
  [
    `${name} with entities`,
    edited(name, /<(?=\w)/, '<!DOCTYPE a [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;">]><'),
    damaged(`${name} has a document type`, place),
  ],
]);

/** A file instead of prices.xlsx, and its only error, with N for each number. */
export type ArchiveFault = [what: string, content: Buffer | string, error: string];

const inSheet = (reason: string) => damaged(`${SHEET}: ${reason}`, ' [prices]');
export const archiveFaults: ArchiveFault[] = [
  ...ofEachPart,
  ['an empty file', '', other('the file is empty: save the workbook again')],
  ['a CSV file', 'id,name\n1,x\n', other(NO_WORKBOOK)],
  ['a PDF file', '%PDF-1.7', other(NO_WORKBOOK)],
  [
    'a web page',
    ' <!DOCTYPE html><html>',
    'prices.xlsx: error WEB_PAGE this is a web page, such as a login or error page, and not a workbook: sign in, and download the file again',
  ],
  [
    'an old workbook',
    ole('Workbook'),
    other(
      'this is a workbook of an old kind (.xls) with another name: open it, and save it as "Excel workbook (.xlsx)"',
    ),
  ],
  [
    'a workbook with a password',
    ole('EncryptedPackage'),
    other('the workbook is protected by a password: remove the password, and save it again'),
  ],
  ...(
    [
      ['xl/workbook.bin', 'a binary workbook (.xlsb)'],
      ['word/document.xml', 'a text document (.docx)'],
      ['ppt/presentation.xml', 'a presentation (.pptx)'],
      ['Index/Document.iwa', 'a document of Apple Numbers'],
    ] as const
  ).map(([part, kind]): ArchiveFault => [part, zip([{ name: part, data: 'x' }]), otherKind(kind)]),
  [
    'a text document of LibreOffice',
    zip([
      { name: 'mimetype', data: 'application/vnd.oasis.opendocument.text', isStored: true },
      { name: 'content.xml', data: '<a/>' },
    ]),
    otherKind('a document of LibreOffice that is no spreadsheet'),
  ],
  [
    'a workbook in XML',
    '<?xml version="1.0"?>\n<?mso-application progid="Excel.Sheet"?>\n<Workbook/>',
    otherKind('a workbook in XML of Excel N'),
  ],
  [
    'a flat spreadsheet',
    '<?xml version="1.0"?>\n<office:document/>',
    otherKind('a flat spreadsheet (.fods)'),
  ],
  ['an archive without parts', zip([]), damaged('_rels/.rels is missing')],
  ['another archive', zip([{ name: 'a.txt', data: 'x' }]), damaged('_rels/.rels is missing')],
  [
    'a compressed size too large',
    changed(SHEET, () => ({ compressedSize: 1e6 })),
    inSheet('file data overflows file bounds: N + N > N'),
  ],
  [
    'a compressed size too small',
    changed(SHEET, () => ({ compressedSize: 10 })),
    inSheet('unexpected end of file'),
  ],
  [
    'another compression',
    changed(SHEET, () => ({ method: 12 })),
    inSheet('unsupported compression method: N'),
  ],
  ['an encrypted part', changed(SHEET, () => ({ flags: 1 })), inSheet('it is encrypted')],
  ['a part twice', zip([...PARTS, ...PARTS.slice(-1)]), damaged(`it has the part ${SHEET} twice`)],
  [
    'a part twice, in capitals',
    zip([...PARTS, { name: SHEET.toUpperCase(), data: 'x' }]),
    damaged(`it has the part ${SHEET} twice`),
  ],
  [
    'a name that leads out',
    zip([...PARTS, { name: '../../etc/passwd', data: 'x' }]),
    damaged('the archive: invalid relative path: ../../etc/passwd'),
  ],
  [
    'too many parts',
    zip(Array.from({ length: 10_001 }, (_, index) => ({ name: String(index), data: '' }))),
    damaged('it has N parts'),
  ],
  ['no XML', changed(SHEET, () => ({ data: 'x' })), inSheet('text data outside of root node')],
  ['HTML', changed(SHEET, () => ({ data: '<html><br></html>' })), inSheet('unexpected close tag')],
  ['an unknown entity', edited(SHEET, 'product_id', '&a;'), inSheet('undefined entity')],
  [
    'a file as an entity',
    edited(SHEET, '<worksheet', '<!DOCTYPE a [<!ENTITY a SYSTEM "file:///etc/passwd">]><worksheet'),
    damaged(`${SHEET} has a document type`, ' [prices]'),
  ],
  [
    'elements in elements',
    edited(SHEET, '<sheetData>', '<a>'.repeat(100)),
    damaged(`${SHEET} is nested more than N levels deep`, ' [prices]'),
  ],
  [
    'an element with too many attributes',
    edited(
      SHEET,
      '<sheetData',
      `<sheetData${Array.from({ length: 257 }, (_, index) => ` a${index}=""`).join('')}`,
    ),
    damaged(`${SHEET} has an element with more than N attributes`, ' [prices]'),
  ],
  [
    'invalid UTF-8',
    changed(SHEET, ({ data }) => ({
      data: Buffer.from(String(data).replace('product_id', 'pr\xff'), 'latin1'),
    })),
    damaged(`${SHEET} is not in utf-N`, ' [prices]'),
  ],
  ['a NUL', edited(SHEET, 'product_id', 'pr\0'), inSheet('disallowed character')],
  ['a control character', edited(SHEET, 'product_id', 'pr&#1;'), inSheet('malformed character entity')],
  ['two roots', edited(SHEET, /$/, '<a/>'), inSheet('documents may contain only one root')],
  ['an unclosed row', edited(SHEET, '</row>', ''), inSheet('unexpected close tag')],
  ['an attribute twice', edited(SHEET, 'r="1"', 'r="1" r="1"'), inSheet('duplicate attribute: r')],
  [
    'a sheet without a part',
    edited(WORKBOOK, 'r:id="rId1"', 'r:id="rId7"'),
    damaged('the sheet prices is missing', ' [prices]'),
  ],
  ['no sheets', edited(WORKBOOK, /<sheet .*?>/, ''), damaged('it has no sheet that is shown')],
  [
    'a part that is elsewhere',
    edited(RELATIONSHIPS, 'worksheets/sheet1.xml', '../../../../etc/passwd'),
    damaged('etc/passwd is missing', ' [prices]'),
  ],
  [
    'a link to a file',
    edited(
      RELATIONSHIPS,
      'Target="worksheets/sheet1.xml"',
      'Target="file:///etc/passwd" TargetMode="External"',
    ),
    damaged('the sheet prices is missing', ' [prices]'),
  ],
];
