import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseWorkbook } from '../../src/formats/workbook/workbook.ts';
import { collectProblems, formatProblem } from '../../src/set/collect-problems.ts';
import { shop } from '../support/catalogs.ts';
import { rounds } from '../support/skipping.ts';
import { sheetOf, xlsxParts } from '../support/xlsx.ts';
import { withField, zip } from '../support/zip.ts';

const PARTS = xlsxParts({ prices: sheetOf(shop['prices.csv'] ?? '') });
const WHOLE = zip(PARTS);
const SHEET = 'xl/worksheets/sheet1.xml';

/** The cells and the problems of a file in place of prices.xlsx. */
async function read(content: Buffer | string) {
  const { report, summarize } = collectProblems();
  const table = await parseWorkbook('prices', 'prices.xlsx', Buffer.from(content), report);
  return { cells: table?.rows.map(row => row.cells), problems: summarize([]).problems.map(formatProblem) };
}

const changed = (data: string | Buffer) =>
  zip(PARTS.map(part => (part.name === SHEET ? { name: SHEET, data } : part)));
const XML = PARTS.find(part => part.name === SHEET)?.data ?? '';
const attributes = Array.from({ length: 257 }, (_, index) => ` a${index}=""`).join('');
const tooMany = Array.from({ length: 10_001 }, (_, n) => ({ name: `${n}`, data: '' }));

test('damage that only a program can do to a workbook is refused in one sentence', async () => {
  for (const [content, reason] of [
    [zip(tooMany), 'it has N parts'],
    [withField(WHOLE, '_rels/.rels', 'crc', 1), '_rels/.rels has a wrong checksum'],
    [withField(WHOLE, SHEET, 'crc', 1), `${SHEET} has a wrong checksum`],
    [
      withField(WHOLE, SHEET, 'size', XML.length - 1),
      `${SHEET}: too many bytes in the stream. expected N. got at least N`,
    ],
    [withField(WHOLE, SHEET, 'compressedSize', 1e6), `${SHEET}: file data overflows file bounds: N + N > N`],
    [withField(WHOLE, SHEET, 'method', 12), `${SHEET}: unsupported compression method: N`],
    [
      withField(WHOLE, SHEET, 'flags', 1),
      `${SHEET}: entry is encrypted, and options.decodeFileData !== false`,
    ],
    [changed(Buffer.from(XML.replace('product_id', 'pr\xff'), 'latin1')), `${SHEET} is not in utf-N`],
    [
      changed(XML.replace('<sheetData', `<sheetData${attributes}`)),
      `${SHEET} has an element with more than N attributes`,
    ],
  ] as const) {
    const { problems } = await read(content);
    const told = problems.map(text => text.replace(/(?<![/\w.])\d+\b|(?<=utf-)8/g, 'N'));
    assert.deepEqual(
      told.map(text => text.replace(/^prices.xlsx(?: \[prices\])?: error BAD_WORKBOOK /, '')),
      [`the workbook is damaged (${reason}): open it in your spreadsheet program, and save it again`],
    );
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

test('a workbook may unpack to 40 times its size', async () => {
  const unpackingTo = (bytes: number) =>
    zip([
      ...PARTS.filter(part => part.name !== SHEET),
      { name: SHEET, data: XML.replace('<sheetData', `${' '.repeat(bytes)}<sheetData`) },
      { name: 'a picture', data: Buffer.alloc(200_000), isStored: true },
    ]);
  const bytes = 40 * unpackingTo(8_000_000).length;
  assert.deepEqual((await read(unpackingTo(bytes - 30_000))).problems, []);
  const [problem] = (await read(unpackingTo(bytes + 30_000))).problems;
  assert.match(
    problem ?? '',
    /^prices\.xlsx.*: error FILE_TOO_BIG the workbook is far larger once it is unpacked: /,
  );
});
