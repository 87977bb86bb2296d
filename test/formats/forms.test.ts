import { test } from 'node:test';
import iconv from 'iconv-lite';
import type { Files } from '../support/catalogs.ts';
import { assertSame, type Form } from '../support/read-source.ts';

/** How a spreadsheet or an editor may write a table: all cells in quotes or only some, and the line ends in turns. */
interface Dialect {
  delimiter?: string;
  ends?: string[];
  quoted?: boolean;
}

const NAMES = ['id', 'title', 'content', 'create_time', 'keywords'];
const NEWS = [
  ['1', 'He said "yes", twice', 'first;\nsecond|\r\n\r\nfourth\tline', '2024-01-05 10:00:00', 'a,b'],
  ['2', '高性能计算已上线', '欢迎试用，\n“云服务器”： 5 €', '2024-03-01', '发布,上线'],
  ['3', ' spaces are kept ', '"', '1706754600', ''],
];
const TABLE = [NAMES, ...NEWS];

function csv(rows: string[][], { delimiter = ',', ends = ['\n'], quoted = false }: Dialect = {}): string {
  const write = (cell: string) =>
    quoted || cell.includes(delimiter) || /["\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
  return rows.map((cells, index) => cells.map(write).join(delimiter) + ends[index % ends.length]).join('');
}

const rows = NEWS.map(([id, ...cells]) => ({
  ...Object.fromEntries(cells.map((cell, index) => [NAMES[index + 1], cell])),
  id: Number(id),
}));
const inJson: Files = { 'news.json': rows };

const utf16le = (text: string) => Buffer.from(`\uFEFF${text}`, 'utf16le');
const delimiters = [',', ';', '\t', '|'];

test('the same rows give the same version in every encoding and layout of JSON', async t => {
  const text = JSON.stringify(rows, null, 2);
  const ascii = text.replace(/[^\n -~]/g, unit => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
  const inJson = [ascii, text.replaceAll('\n', '\r\n'), JSON.stringify(rows), `\uFEFF${text}`, utf16le(text)];
  const forms = [...inJson, utf16le(text).swap16()];
  await assertSame(t, { 'news.csv': csv(TABLE) }, [
    ...forms.map((json, index): Form => [`form ${index}`, { 'news.json': json }, { csvEncoding: 'gb18030' }]),
  ]);
});

test('the same rows give the same version, whatever a spreadsheet adds', async t => {
  const lines = csv(TABLE);
  const separator = (line: string, delimiter: string) =>
    `${line}\r\n${csv(TABLE, { delimiter, ends: ['\r\n'] })}`;
  const headings = [
    ' id|title |\u00A0content\u00A0|create\u00A0time|keywords\t',
    'Id|Title|Content|CreateTime|Keywords',
  ];
  const forms: Record<string, string | Buffer> = {
    ...Object.fromEntries(delimiters.map(sign => [`sep=${sign}`, separator(`sep=${sign}`, sign)])),
    'sep= in quotes': separator('"sep=;"', ';'),
    'a byte order mark and SEP=': utf16le(separator('SEP=\t', '\t')),
    ...Object.fromEntries(
      delimiters.map(sign => [sign, csv(TABLE, { delimiter: sign, ends: ['\r\n', '\r', '\n'] })]),
    ),
    'all cells in quotes': csv(TABLE, { quoted: true, delimiter: ';' }),
    'no line end at the end': lines.trimEnd(),
    ...Object.fromEntries(headings.map(names => [names, csv([names.split('|'), ...NEWS])])),
    'blank columns at the end': csv(TABLE.map(cells => [...cells, ' ', '\u00A0', ''])),
    'blank cells behind all rows but the header': csv([NAMES, ...NEWS.map(cells => [...cells, ' ', ''])]),
    'empty columns under no header': csv([[...NAMES, '', ''], ...NEWS]),
    'empty rows at the end': `${lines},,,,\r\n,,,,\n\n`,
    'blank rows in between': csv([[''], NAMES, ...NEWS.flatMap(row => [['', ' '], row])]),
    'blank cells above the header': `;;;;\n"";"";"";"";""\n${csv(TABLE, { delimiter: ';' })}`,
    'columns in another order': csv(TABLE.map(cells => cells.toReversed())),
  };
  await assertSame(t, inJson, [
    ...Object.entries(forms).map(([what, content]): Form => [what, { 'news.csv': content }]),
    ['an encoding that is set', { 'news.csv': iconv.encode(lines, 'gb18030') }, { csvEncoding: 'gb18030' }],
  ]);
});

test('images, keywords and units have one value, however they are written', async t => {
  const item = { id: 7, title: 'A', content: 'B', create_time: '2024-01-05' };
  const paths = ['images/a.png', '../assets/a.png', 'img\\a.png', 'C:\\img\\a.png', ' a.png '];
  const withUnit = (unit: string): Files => ({
    'durations.json': null,
    'durations.csv': `id,name,num,unit\n1,A,1,${unit}\n2,B,3,month\n3,C,1,year\n4,D,2,year\n`,
    'news.json': [{ ...item, img: 'a.png', keywords: 'a, b' }],
  });
  await assertSame(t, withUnit('month'), [
    ['a list', { ...withUnit('month'), 'news.json': [{ ...item, img: 'a.png', keywords: ['a', 'b'] }] }],
    ...['months', 'Month', 'MONTHS '].map((unit): Form => [unit, withUnit(unit)]),
    ...paths.map((img): Form => {
      const row = { ...item, img, keywords: 'a, b' };
      const table = csv([Object.keys(row), Object.values(row).map(String)]);
      return [img, { ...withUnit('month'), 'news.json': null, 'news.csv': table }];
    }),
  ]);
  await assertSame(t, { 'news.json': [item] }, [
    ['an empty list', { 'news.json': [{ ...item, keywords: [] }] }],
  ]);
});
