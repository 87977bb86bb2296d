import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CsvError, type Info } from 'csv-parse';
import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { readRecords } from '../../src/formats/csv-records.ts';
import { sourceText } from '../../src/formats/decode.ts';
import { rounds } from '../support/skipping.ts';

/** The records that csv-parse finds, up to an error, with the code of that. */
function expectedRecords(text: string, delimiter: string) {
  const records: { cells: string[]; bytes: number }[] = [];
  try {
    parse(text, {
      delimiter,
      record_delimiter: ['\r\n', '\n', '\r'],
      relax_column_count: true,
      skip_empty_lines: true,
      on_record: (cells: string[], { bytes }: Info) => void records.push({ cells, bytes }),
    });
    return { records, fault: undefined };
  } catch (error) {
    assert.ok(error instanceof CsvError);
    return { records, fault: error.code === 'CSV_QUOTE_NOT_CLOSED' ? 'UNCLOSED_QUOTE' : 'STRAY_QUOTE' };
  }
}

function foundRecords(text: string, delimiter: string) {
  let fault: string | undefined;
  const report = (_place: unknown, code: string) => {
    fault = code;
  };
  const { records, complete } = readRecords(sourceText('prices.csv', text), 0, delimiter, report);
  assert.equal(complete, fault === undefined);
  const found = records.map(({ cells, end }) => ({ cells, bytes: Buffer.byteLength(text.slice(0, end)) }));
  return { records: found, fault };
}

test('any text has the records of csv-parse, and its quoting errors', () => {
  const text = fc
    .array(fc.constantFrom('"', '"', '""', ',', ',', ';', '\n', '\r', '\r\n', 'a', ' ', 'é', '价', '😀'), {
      maxLength: 30,
    })
    .map(parts => parts.join(''));
  fc.assert(
    fc.property(text, fc.constantFrom(',', ';', '\t'), (text, delimiter) => {
      assert.deepEqual(foundRecords(text, delimiter), expectedRecords(text, delimiter));
    }),
    { numRuns: rounds(20_000, 3_000) },
  );
});
