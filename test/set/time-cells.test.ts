import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { Options } from '../support/catalog/forms.ts';
import { readSource } from '../support/catalog/read-source.ts';
import { type Files, shopWith, sourceIn, writeFiles } from '../support/catalogs.ts';

const BERLIN: Options = { timeZone: 'Europe/Berlin' };
const SIX_PM = '2026-03-31T18:00:00Z';

async function read(t: TestContext, files: Files, options?: Options) {
  const { report, rows } = await readSource(sourceIn(await writeFiles(t, shopWith(files)), options));
  const problems = report.problems.filter(({ file }) => file.startsWith('news.'));
  return { messages: problems.map(({ message }) => message), news: rows?.news ?? [] };
}

type Times = Partial<Record<'create_time' | 'update_time' | 'publish_time' | 'unpublish_time', string>>;

/** News items with these texts as times. */
function csv(...items: Times[]): Files {
  const header = ['id', 'title', 'content', 'create_time', 'update_time', 'publish_time', 'unpublish_time'];
  const rows = items.map((times, index) => {
    const cells: Record<string, unknown> = {
      id: index + 1,
      title: 'A',
      content: 'B',
      create_time: '2024-01-05',
      ...times,
    };
    return header.map(column => `"${cells[column] ?? ''}"`);
  });
  return { 'news.csv': `${[header, ...rows].join('\n')}\n` };
}

/** One news item with this value as its time. */
function json(value: string): Files {
  return { 'news.json': `[{"id": 1, "title": "A", "content": "B", "create_time": ${value}}]` };
}

test('a time is read in every form with the year first, in CSV and in JSON', async t => {
  const cases: [text: string, instant: string][] = [
    ['2026-03-31 20:00:00', SIX_PM],
    ['2026-03-31T20:00:00', SIX_PM],
    ['2026-03-31t20:00', SIX_PM],
    ['2026-03-31 20:00', SIX_PM],
    ['2026/03/31 20:00', SIX_PM],
    ['2026/3/31 20:00', SIX_PM],
    ['2026-3-31 20:00:00.999', SIX_PM],
    ['2026-03-31T18:00:00Z', SIX_PM],
    ['2026-03-31t18:00:00.000z', SIX_PM],
    ['2026-03-31T18:00Z', SIX_PM],
    ['2026-03-31T20:00:00+02:00', SIX_PM],
    ['2026-03-31T20:00:00+0200', SIX_PM],
    ['2026-03-31 20:00:00 +02', SIX_PM],
    ['2026-03-31 14:30-03:30', SIX_PM],
    ['2026-04-01T08:00:00+14:00', SIX_PM],
    ['2026-3-31 9:05', '2026-03-31T07:05:00Z'],
    ['2035-1-1', '2034-12-31T23:00:00Z'],
    ['2026/03/31', '2026-03-30T22:00:00Z'],
    ['1774980000', SIX_PM],
    ['1774980000.0', SIX_PM],
    ['1774980000.00', SIX_PM],
    ['1774980000,0', SIX_PM],
    ['1774980000,00', SIX_PM],
    ['100000000', '1973-03-03T09:46:40Z'],
    ['253402300799', '9999-12-31T23:59:59Z'],
  ];
  const texts = cases.map(([text]) => text);
  const expected = cases.map(([text, instant]) => [text, Date.parse(instant) / 1000]);
  const items = texts.map((text, index) => ({ id: index + 1, title: 'A', content: 'B', create_time: text }));
  for (const files of [csv(...items), { 'news.json': items }]) {
    const { messages, news } = await read(t, files, BERLIN);
    assert.deepEqual(
      messages.filter(message => !message.includes(' is in the future, ')),
      [],
    );
    const times = new Map(news.map(({ id, create_time }) => [id, create_time]));
    assert.deepEqual(
      texts.map((text, index) => [text, times.get(index + 1)]),
      expected,
    );
  }
});

const FORMAT = 'format the column as yyyy-mm-dd';
const GENERAL = ': write a date such as 2026-03-31 or 2026-03-31 18:00:00';
const NO_SUCH_TIME = ' does not exist: write a day that the month has, and a time from 00:00:00 to 23:59:59';

test('a time that may be something else is refused with what to write', async t => {
  const serial = (date: string) => ` looks like a spreadsheet's number for ${date}: `;
  const milliseconds = ' looks like milliseconds: write ';
  const cases: [text: string, hint: string, jsonHint: string][] = [
    ['25569', `${serial('1970-01-01')}${FORMAT}`, `${serial('1970-01-01')}write "1970-01-01"`],
    ['49310', `${serial('2035-01-01')}${FORMAT}`, `${serial('2035-01-01')}write "2035-01-01"`],
    [
      '49310.75',
      `${serial('2035-01-01 18:00')}${FORMAT} hh:mm`,
      `${serial('2035-01-01 18:00')}write "2035-01-01 18:00"`,
    ],
    [
      '2035',
      ' looks like a year: write a whole date such as 2035-01-01',
      ' looks like a year: write a whole date such as "2035-01-01"',
    ],
    ['20350101', ': write 2035-01-01', ': write "2035-01-01"'],
    ['203501010930', ': write 2035-01-01 09:30', ': write "2035-01-01 09:30"'],
    ['20350101093015', ': write 2035-01-01 09:30:15', ': write "2035-01-01 09:30:15"'],
    ['1774980000000', `${milliseconds}${SIX_PM}`, `${milliseconds}"${SIX_PM}"`],
    ['1774980000000.0', `${milliseconds}${SIX_PM}`, `${milliseconds}"${SIX_PM}"`],
    ['31.03.2026', `: write 2026-03-31, or ${FORMAT}`, ': write "2026-03-31"'],
    ['03.04.2026', `: write 2026-04-03, or ${FORMAT}`, ': write "2026-04-03"'],
    ['31.3.2026 9:05', `: write 2026-03-31 09:05, or ${FORMAT} hh:mm`, ': write "2026-03-31 09:05"'],
    ['03/31/2026', `: write 2026-03-31, or ${FORMAT}`, ': write "2026-03-31"'],
    ['31-03-2026', `: write 2026-03-31, or ${FORMAT}`, ': write "2026-03-31"'],
    [
      '03/04/2026',
      ` may be 3 April or 4 March 2026: write 2026-04-03 or 2026-03-04, or ${FORMAT}`,
      ' may be 3 April or 4 March 2026: write "2026-04-03" or "2026-03-04"',
    ],
    ['4/4/2026', `: write 2026-04-04, or ${FORMAT}`, ': write "2026-04-04"'],
    ['2026-03-31 6:00 PM', `: write 2026-03-31 18:00, or ${FORMAT} hh:mm`, ': write "2026-03-31 18:00"'],
    ['3/31/2026, 12:30 a.m.', `: write 2026-03-31 00:30, or ${FORMAT} hh:mm`, ': write "2026-03-31 00:30"'],
    ...['31 March 2026', 'Mar 31 2026', 'March 31st, 2026', 'Tuesday, 31-Mar-2026', '2026年3月31日'].map(
      (text): [string, string, string] => [text, `: write 2026-03-31, or ${FORMAT}`, ': write "2026-03-31"'],
    ),
    ...[
      'Tue, 31 Mar 2026 18:00:00 GMT',
      'Tue, 31 Mar 2026 18:00:00 +0000',
      '2026-03-31 18:00:00 UTC',
      'March 31, 2026 at 6:00 PM UTC',
    ].map((text): [string, string, string] => [
      text,
      `: write 2026-03-31 18:00:00Z, or ${FORMAT} hh:mm`,
      ': write "2026-03-31 18:00:00Z"',
    ]),
    ['2026-02-30', NO_SUCH_TIME, NO_SUCH_TIME],
    ['0099-12-31', NO_SUCH_TIME, NO_SUCH_TIME],
    ['2026-03-31 24:00', NO_SUCH_TIME, NO_SUCH_TIME],
    ['2026-03-31 10:60:00', NO_SUCH_TIME, NO_SUCH_TIME],
    ...['1969-07-20', '1969-07-20T20:17:40Z'].map((text): [string, string, string] => {
      const hint = ' is not from 1970 to 9999: write a date of these years';
      return [text, hint, hint];
    }),
    ...['31 Foo 2026', '2026-03-31 18:00+15:00', '2026-03-31 18:00+02:60', '2026-03/31', '0', '99999999'].map(
      (text): [string, string, string] => [text, `${GENERAL}; in a spreadsheet, ${FORMAT}`, GENERAL],
    ),
  ];
  for (const [text, hint, jsonHint] of cases) {
    const inCsv = await read(t, csv({ create_time: text }));
    assert.deepEqual(inCsv.messages, [`create_time "${text}"${hint}`]);
    for (const value of /^\d+(\.\d+)?$/.test(text) ? [text, `"${text}"`] : [`"${text}"`]) {
      const inJson = await read(t, json(value));
      assert.deepEqual(inJson.messages, [`create_time ${value}${jsonHint}`]);
    }
  }
});

test('0 means none in update_time and unpublish_time alone', async t => {
  for (const text of ['0', '0.0', '0,00', '']) {
    const { messages, news } = await read(t, csv({ update_time: text }));
    assert.deepEqual([messages, news[0]?.update_time], [[], 0], text);
    const expiry = await read(t, csv({ unpublish_time: text }));
    assert.deepEqual([expiry.messages, expiry.news[0]?.unpublish_time], [[], undefined], text);
  }
  assert.deepEqual((await read(t, csv({ publish_time: '0' }))).messages, [
    `publish_time "0"${GENERAL}, or leave the cell empty; in a spreadsheet, ${FORMAT}`,
  ]);
  assert.deepEqual((await read(t, csv({ unpublish_time: '5' }))).messages, [
    `unpublish_time "5"${GENERAL}, or leave the cell empty; in a spreadsheet, ${FORMAT}`,
  ]);
});

test('a time that the clocks skip is served with a warning', async t => {
  const skipped = (text: string, served: string, zone: string) =>
    `create_time ${text} does not exist in ${zone}, because the clocks go forward: ${served} is served; write the time that you mean`;
  const cases: [text: string, zone: string, messages: string[], instant: string][] = [
    [
      '2026-03-29T02:30',
      'Europe/Berlin',
      [skipped('2026-03-29 02:30:00', '2026-03-29 03:30:00', 'Europe/Berlin')],
      '2026-03-29T01:30:00Z',
    ],
    [
      '2011-12-30',
      'Pacific/Apia',
      [skipped('2011-12-30 00:00:00', '2011-12-31 00:00:00', 'Pacific/Apia')],
      '2011-12-30T10:00:00Z',
    ],
    ['2026-03-29 02:30:00+01:00', 'Europe/Berlin', [], '2026-03-29T01:30:00Z'],
    ['2026-03-29 02:30:00Z', 'Europe/Berlin', [], '2026-03-29T02:30:00Z'],
    ['2026-03-29 01:59:59', 'Europe/Berlin', [], '2026-03-29T00:59:59Z'],
    ['2026-03-29 03:00', 'Europe/Berlin', [], '2026-03-29T01:00:00Z'],
    ['2026-10-25 02:30', 'Europe/Berlin', [], '2026-10-25T00:30:00Z'],
    ['2026-03-29 02:30', 'UTC', [], '2026-03-29T02:30:00Z'],
  ];
  for (const [text, timeZone, messages, instant] of cases) {
    for (const files of [csv({ create_time: ` ${text} ` }), json(`"${text}"`)]) {
      const { news, messages: told } = await read(t, files, { timeZone });
      assert.deepEqual([told, news[0]?.create_time], [messages, Date.parse(instant) / 1000], text);
    }
  }
});

test('each skipped time of a row with errors is reported', async t => {
  const files = csv({
    create_time: 'soon',
    update_time: '2026-03-29 02:30',
    publish_time: '2026-03-29 02:40',
    unpublish_time: '2026-03-29 02:50',
  });
  const { messages } = await read(t, files, BERLIN);
  assert.deepEqual(
    messages.map(message => message.split(' ', 1)[0]),
    ['create_time', 'update_time', 'publish_time', 'unpublish_time'],
  );
});
