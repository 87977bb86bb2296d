import assert from 'node:assert/strict';
import { between, type Random } from '../../../scripts/bench/catalog/random.ts';

/** How a file of configurations is written. */
export interface Style {
  delimiter: ',' | ';';
  decimal: '.' | ',';
  lineEnd: '\n' | '\r\n';
  /** Where numbers have a decimal sign. Elsewhere they are whole, or may have a thousands separator. */
  decimals: 'everywhere' | 'early' | 'late';
  /** Whether a spreadsheet has left out the last cells of the last rows. */
  isShort: boolean;
  /** Whether a late row names its product. */
  isNamed: boolean;
}

export const ROWS = 260;
/** Rows of a block of a spreadsheet begin here. */
const SHORT_FROM = 208;
/** Changes of the first lines are as rare as in life. */
const EDITED_FROM = 200;

const oneOf = <Item>(items: readonly Item[], random: Random): Item =>
  items[between(random, 0, items.length - 1)] ?? assert.fail();

export function anyStyle(random: Random): Style {
  const decimal = random() < 0.7 ? '.' : ',';
  return {
    ...{ decimal, delimiter: decimal === ',' || random() < 0.3 ? ';' : ',' },
    lineEnd: random() < 0.7 ? '\n' : '\r\n',
    decimals: random() < 0.75 ? 'everywhere' : oneOf(['early', 'early', 'late'], random),
    isShort: random() < 0.15,
    isNamed: random() < 0.1,
  };
}

/** A file in which each line is a row. Its characters are bytes. */
export function configurationsIn(style: Style, random: Random): Buffer {
  const { delimiter, decimals, isShort, isNamed } = style;
  const rows = Array.from({ length: ROWS }, (_, index) => {
    const isDecimal = decimals === 'everywhere' || index === (decimals === 'early' ? 0 : ROWS - 20);
    const number = () => (isDecimal ? decimalIn(style, random) : ambiguousIn(style, random));
    const product = isNamed && index === ROWS - 10 ? 'Server' : 1;
    const cells = [index + 1, product, `C${index}`, number(), number(), index % 30 === 29 ? 'yes' : ''];
    return (isShort && index >= SHORT_FROM - 1 ? cells.slice(0, 5) : cells).join(delimiter);
  });
  return bytesOf(['id,product_id,name,cpu,memory,hidden'.replaceAll(',', delimiter), ...rows], style);
}

const decimalIn = ({ decimal }: Style, random: Random) =>
  (random() * 100 + 0.1).toFixed(between(random, 1, 2)).replace('.', decimal);

const ambiguousIn = ({ decimal }: Style, random: Random) => oneOf(['2', '16', `1${decimal}928`], random);

const bytesOf = (lines: readonly string[], { lineEnd }: Style) =>
  Buffer.from(lines.map(line => line + lineEnd).join(''), 'latin1');

type Edit = (lines: string[], at: number, style: Style, random: Random) => void;

const setCell = (index: number, write: (style: Style, random: Random) => string): Edit => {
  return (lines, at, style, random) => {
    const cells = (lines[at] ?? '').split(style.delimiter);
    cells[index] = write(style, random);
    lines[at] = cells.join(style.delimiter);
  };
};

const insert = (write: (style: Style, random: Random, at: number) => string): Edit => {
  return (lines, at, style, random) => void lines.splice(at, 0, write(style, random, at));
};

const any = (...texts: string[]) => {
  return (_style: Style, random: Random) => oneOf(texts, random);
};

const numbers = ['12.50', '12,50', '7', '1.928', '1,928', '1.000', '"1.5"', '"1,5"', ' 8.5 ', '', 'x', '1e3'];
const texts = ['"a"', '"a, b; c"', '"two\nlines"', '"two\r\nlines"', '"open', 'quo"te', '', ' x ', 'a\0'];
const letters = ['\xc3\x83\xc2\xbcber', 'caf\xe9', '\xc3\xa9', '\xe2\x80\xa8', 'sep=;'];

const edits: Record<string, Edit> = {
  'a number': setCell(3, decimalIn),
  'any number': setCell(4, any(...numbers)),
  'an id': setCell(0, any('5', '240', '9999', '0', '007', '1.00')),
  'a product': setCell(1, any('2', 'Server', 'Server', 'Nothing')),
  'a name': setCell(2, any(...texts)),
  letters: setCell(2, any(...letters)),
  'a hidden row': setCell(5, any('yes', 'no', '', 'maybe')),
  'removed lines': (lines, at, _style, random) => void lines.splice(at, between(random, 1, 5)),
  'all lines from there': (lines, at) => void lines.splice(at),
  'an added line': insert((style, random, at) =>
    [1000 + at, 1, 'New', ambiguousIn(style, random), decimalIn(style, random), ''].join(style.delimiter),
  ),
  'a doubled line': (lines, at) => void lines.splice(at, 0, lines[at] ?? ''),
  'lines in another order': (lines, at) => void lines.push(...lines.splice(at, 7)),
  'a blank line': insert(({ delimiter }, random) => oneOf(['', ' ', delimiter.repeat(5)], random)),
  'another line': insert(any('<<<<<<< a', '"', '1', '=======', ',,,,,,,,')),
  'a line break': (lines, at, _style, random) => {
    lines[at] = oneOf([`\r${lines[at]}`, `${lines[at]}\r`, `${lines[at]}\n`], random);
  },
  'one more cell': (lines, at, { delimiter }, random) => {
    lines[at] += delimiter + oneOf(['', 'x'], random);
  },
  'one cell less': (lines, at, { delimiter }) => {
    lines[at] = (lines[at] ?? '').split(delimiter).slice(0, -1).join(delimiter);
  },
  'the first row': (lines, _at, style, random) => setCell(3, ambiguousIn)(lines, 1, style, random),
  'the headings': (lines, _at, { delimiter }, random) => {
    lines[0] = `${lines[0]?.split(delimiter).slice(0, 5).join(delimiter)}${delimiter}${oneOf(['', 'note'], random)}`;
  },
  'a separator line': (lines, _at, { delimiter }) => void lines.unshift(`sep=${delimiter}`),
  'a byte order mark': lines => {
    lines[0] = lines[0]?.startsWith('\xef\xbb\xbf') ? lines[0].slice(3) : `\xef\xbb\xbf${lines[0]}`;
  },
};

const names = Object.keys(edits);

/** The bytes after changes of a file, and what they are. */
export function edited(bytes: Buffer, style: Style, random: Random): { bytes: Buffer; what: string } {
  const lines = bytes.toString('latin1').split(style.lineEnd);
  const isEnded = lines.at(-1) === '' && lines.pop() === '';
  const what: string[] = [];
  for (let count = between(random, 1, 2); count > 0; count -= 1) {
    const at = between(random, random() < 0.05 ? 1 : EDITED_FROM, lines.length);
    const isFirst = random() < (style.decimals === 'early' ? 0.3 : 0.03);
    const name = isFirst ? 'the first row' : random() < 0.45 ? 'a number' : oneOf(names, random);
    edits[name]?.(lines, Math.min(at, lines.length - 1), style, random);
    what.push(`${name} at ${at}`);
  }
  const end = random();
  const other = style.lineEnd === '\n' ? '\r\n' : '\n';
  if (end < 0.02) return { bytes: bytesOf(lines, { ...style, lineEnd: other }), what: `${what}, line ends` };
  const whole = bytesOf(lines, style);
  if (end < 0.12) return { bytes: whole.subarray(0, -between(random, 1, 9)), what: `${what}, cut off` };
  return { bytes: isEnded ? whole : whole.subarray(0, -style.lineEnd.length), what: what.join() };
}
