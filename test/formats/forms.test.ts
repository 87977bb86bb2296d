import assert from 'node:assert/strict';
import { test } from 'node:test';
import iconv from 'iconv-lite';
import { decode } from '../../src/formats/decode.ts';
import { encodings as csvEncodings } from '../../src/settings/parsers.ts';
import { assertSame, errorsOf, type Form, type Options } from '../support/catalog/forms.ts';
import type { Files } from '../support/catalogs.ts';

/** How a spreadsheet or an editor may write a table. */
interface Dialect {
  delimiter?: string;
  /** The line ends, used in turns. */
  ends?: string[];
  /** Whether cells are in quotes that need none. */
  quoted?: boolean;
}

const NAMES = ['id', 'title', 'content', 'create_time', 'keywords'];
const NEWS = [
  ['1', 'He said "yes", twice', 'first;\nsecond|\r\n\r\nfourth\tline', '2024-01-05 10:00:00', 'a,b'],
  ['2', '高性能计算已上线', '欢迎试用，\n“云服务器”： 5 €', '2024-03-01', '发布,上线'],
  ['3', ' spaces are kept ', '"', '1706754600', ''],
];
/** What fits into windows-1252. */
const WESTERN = [
  ['1', 'Zwei\nZeilen', 'x', '2024-01-05', ''],
  ['2', 'Le café à 5 €', '“Größer”, schöner', '2024-01-06', 'été'],
];

function csv(rows: string[][], { delimiter = ',', ends = ['\n'], quoted = false }: Dialect = {}): string {
  const write = (cell: string) =>
    quoted || cell.includes(delimiter) || /["\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
  const lines = rows.map((cells, index) => cells.map(write).join(delimiter) + ends[index % ends.length]);
  return lines.join('');
}

function json(rows: string[][]): object[] {
  return rows.map(([id, ...cells]) => ({
    ...Object.fromEntries(cells.map((cell, index) => [NAMES[index + 1], cell])),
    id: Number(id),
  }));
}

const utf16le = (text: string) => Buffer.from(`\uFEFF${text}`, 'utf16le');
const utf16be = (text: string) => utf16le(text).swap16();

const TABLE = [NAMES, ...NEWS];
const LINES = csv(TABLE);
const encodings: [name: string, encode: (text: string) => Buffer, options?: Options][] = [
  ['UTF-8', text => Buffer.from(text)],
  ['UTF-8 with a byte order mark', text => Buffer.from(`\uFEFF${text}`)],
  ['UTF-16LE', utf16le],
  ['UTF-16BE', utf16be],
  ['GB18030', text => iconv.encode(text, 'gb18030'), { csvEncoding: 'gb18030' }],
];
const delimiters = [',', ';', '\t', '|'];
const lineEnds = [['\n'], ['\r\n'], ['\r'], ['\n', '\r\n', '\r', '\r\n']];

test('the same rows give the same version in every encoding, delimiter and line end', async t => {
  const forms = encodings.flatMap(([name, encode, options]) =>
    delimiters.flatMap(delimiter =>
      lineEnds.map((ends): Form => {
        const content = encode(csv(TABLE, { delimiter, ends }));
        return [`${name} ${JSON.stringify({ delimiter, ends })}`, { 'news.csv': content }, options];
      }),
    ),
  );
  await assertSame(t, { 'news.json': json(NEWS) }, forms);
});

test('the same rows give the same version, whatever a spreadsheet adds', async t => {
  const separator = (line: string, delimiter: string): Form => [
    `the first line ${line}`,
    { 'news.csv': `${line}\r\n${csv(TABLE, { delimiter, ends: ['\r\n'] })}` },
  ];
  const wider = TABLE.map(cells => [...cells, '', '']);
  await assertSame(t, { 'news.json': json(NEWS) }, [
    ...delimiters.map(delimiter => separator(`sep=${delimiter}`, delimiter)),
    separator('"sep=;"', ';'),
    separator('SEP=|', '|'),
    ['a byte order mark and sep=', { 'news.csv': utf16le(`sep=\t\r\n${csv(TABLE, { delimiter: '\t' })}`) }],
    ['all cells in quotes', { 'news.csv': csv(TABLE, { quoted: true }) }],
    ['all in quotes, divided by ;', { 'news.csv': csv(TABLE, { quoted: true, delimiter: ';' }) }],
    ['no line end at the end', { 'news.csv': LINES.trimEnd() }],
    ...[
      'ID|Title|CONTENT|Create_Time|keyWords',
      ' id|title |\u00A0content\u00A0|create time|keywords\t',
      'id|title|content|create-time|keywords',
      'Id|Title|Content|CreateTime|Keywords',
      'ID|Title|Content|Create\u00A0Time|\u00A0KEYWORDS',
    ].map((names): Form => [names, { 'news.csv': csv([names.split('|'), ...NEWS]) }]),
    ['empty columns at the end', { 'news.csv': csv(wider) }],
    ['blank columns at the end', { 'news.csv': csv(TABLE.map(cells => [...cells, ' ', '\u00A0'])) }],
    [
      'blank cells behind all rows but the header',
      { 'news.csv': csv([NAMES, ...NEWS.map(cells => [...cells, ' ', ''])]) },
    ],
    ['empty columns under no header', { 'news.csv': csv([[...NAMES, '', ''], ...NEWS]) }],
    ['empty rows at the end', { 'news.csv': `${LINES},,,,\r\n,,,,\n\n` }],
    ['blank rows in between', { 'news.csv': csv([[''], NAMES, ...NEWS.flatMap(row => [['', ' '], row])]) }],
    ['blank cells above the header', { 'news.csv': `;;;;\n${csv(TABLE, { delimiter: ';' })}` }],
    ['blank cells in quotes above it', { 'news.csv': `"";"";"";"";""\n${csv(TABLE, { delimiter: ';' })}` }],
    ['rows in another order', { 'news.csv': csv([NAMES, ...NEWS.toReversed()]) }],
    ['columns in another order', { 'news.csv': csv(TABLE.map(cells => cells.toReversed())) }],
  ]);
});

test('the same rows give the same version in every Unicode encoding of JSON', async t => {
  const text = JSON.stringify(json(NEWS), null, 2);
  const ascii = text.replace(/[^\n -~]/g, unit => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
  await assertSame(t, { 'news.csv': LINES }, [
    ['UTF-8', { 'news.json': text }],
    ['UTF-8 with a byte order mark', { 'news.json': `\uFEFF${text}` }],
    ['UTF-16LE', { 'news.json': utf16le(text) }],
    ['UTF-16BE', { 'news.json': utf16be(text) }],
    ['escapes', { 'news.json': ascii }],
    ['one line', { 'news.json': JSON.stringify(json(NEWS)) }],
    ['CRLF', { 'news.json': text.replaceAll('\n', '\r\n') }],
    ['an encoding for CSV', { 'news.json': text }, { csvEncoding: 'gb18030' }],
  ]);
});

test('a Western code page is read if it is set, and Unicode is never mistaken for it', async t => {
  const text = csv([NAMES, ...WESTERN]);
  const inWindows: Options = { csvEncoding: 'windows-1252' };
  await assertSame(t, { 'news.json': json(WESTERN) }, [
    ['windows-1252', { 'news.csv': iconv.encode(text, 'windows-1252') }, inWindows],
    ['UTF-8', { 'news.csv': text }, inWindows],
    ['UTF-8 with a byte order mark', { 'news.csv': `\uFEFF${text}` }, inWindows],
    ['UTF-16LE', { 'news.csv': utf16le(text) }, inWindows],
    ['UTF-16BE', { 'news.csv': utf16be(text) }, inWindows],
  ]);
  const chinese: Form = ['UTF-8 in Chinese', { 'news.csv': LINES }, { csvEncoding: 'gb18030' }];
  await assertSame(t, { 'news.json': json(NEWS) }, [chinese]);
});

test('characters on which decoders differ are read as spreadsheets write them', async t => {
  const row = (title: string) => csv([NAMES, ['1', title, 'x', '2024-01-05', '']]);
  const bytes = (...codes: number[]) =>
    Buffer.from(row('?').replace('?', String.fromCharCode(...codes)), 'latin1');
  const cases: [title: string, content: Buffer, csvEncoding: Options['csvEncoding']][] = [
    ['Ω€', bytes(0xbd, 0xdb), 'macintosh'],
    ['€Ÿ', bytes(0x80, 0x9f), 'windows-1252'],
    ['\uFFFD', bytes(0x84, 0x31, 0xa4, 0x37), 'gb18030'],
    ['\uFFFD', utf16le(row('\uFFFD')), 'utf-8'],
  ];
  for (const [title, content, csvEncoding = 'utf-8'] of cases) {
    const form: Form = [title, { 'news.csv': content }, { csvEncoding }];
    await assertSame(t, { 'news.csv': row(title) }, [form]);
  }
});

test('every encoding that can be set is known to the platform', () => {
  for (const name of csvEncodings) {
    const source = decode('a.csv', Buffer.from([0x61, 0x80]), name, () => {});
    assert.ok(source === undefined || source.text.startsWith('a'), name);
  }
});

test('a character that the encoding that is set lacks is named with this encoding', async t => {
  const windows = iconv.encode(csv([NAMES, ...WESTERN]), 'windows-1252');
  assert.deepEqual(await errorsOf(t, { 'news.csv': windows }, { csvEncoding: 'gb18030' }), [
    'news.csv:4:9: error BAD_ENCODING B3, this character is not in gb18030, the encoding that your administrator has set: save the file as "CSV UTF-8"',
  ]);
});

test('a path in img means the file with its last part, in every form and whatever the images directory has', async t => {
  const item = { id: 7, title: 'A', content: 'B', create_time: '2024-01-05' };
  const paths = ['images/a.png', '../assets/a.png', '/img/a.png', 'img\\a.png', 'C:\\img\\a.png', ' a.png '];
  await assertSame(t, { 'news.json': [{ ...item, img: 'a.png' }] }, [
    ...paths.map((img): Form => [`${img} in JSON`, { 'news.json': [{ ...item, img }] }]),
    ...paths.map(
      (img): Form => [
        `${img} in CSV`,
        { 'news.csv': csv([Object.keys({ ...item, img }), Object.values({ ...item, id: '7', img })]) },
      ],
    ),
  ]);
});

test('keywords in JSON may be a list, and units have any letter case and number', async t => {
  const item = { id: 1, title: 'A', content: 'B', create_time: '2024-01-05' };
  const units = (unit: string): Files => ({
    'news.json': [{ ...item, keywords: 'a, b' }],
    'durations.json': null,
    'durations.csv': `id,name,num,unit\n1,A,1,${unit}\n2,B,3,month\n3,C,1,year\n4,D,2,year\n`,
  });
  await assertSame(t, units('month'), [
    ['a list', { ...units('month'), 'news.json': [{ ...item, keywords: ['a', 'b'] }] }],
    ...['months', 'Month', 'MONTHS '].map((unit): Form => [unit, units(unit)]),
  ]);
  await assertSame(t, { 'news.json': [item] }, [
    ['an empty list', { 'news.json': [{ ...item, keywords: [] }] }],
  ]);
});
