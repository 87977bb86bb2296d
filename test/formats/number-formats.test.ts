import assert from 'node:assert/strict';
import { test } from 'node:test';
import { columnsOf } from '../../src/contract/columns.ts';
import {
  currencyIn,
  numberFormat,
  otherDisplay,
  parseNumberFormat,
} from '../../src/formats/workbook/number-format.ts';

const columns = new Map(
  (['configurations', 'prices', 'news'] as const).flatMap(columnsOf).map(column => [column.name, column]),
);

/** What is said of a value with this format in a column; undefined if nothing is. */
function told(code: string, value: string, name: string): string | undefined {
  const format = parseNumberFormat(code);
  return format && otherDisplay(format, value, columns.get(name) ?? assert.fail(name))?.fault;
}

/** Formats that show every value as it is served, also the currencies of Excel, LibreOffice, openpyxl and XlsxWriter. */
const ordinary =
  `General|@|0|#,##0|0.00|#,##0.00|0.0|0.000|0000|#,##0.###|[$$-409]#,##0.00|$#,##0.00|[$£-809]#,##0.00
[$¥-411]#,##0.00|[$-409]#,##0.00|#,##0.00_);(#,##0.00)|[Red]0.00|#,##0.00_-[$€-1]|[>=1000]#,##0.00;0.00
# ##0.00|#,##0.00 "€"|#,##0.00\\ [$€-407]|#,##0.00\\ [$€-407];[Red]\\-#,##0.00\\ [$€-407]|[$₹-4009]\\ #,##0.00
"$"#,##0.00_);[Red]\\("$"#,##0.00\\)|#,##0.00;-#,##0.00;"-"||_($* #,##0.00_);_($* \\(#,##0.00\\);_($* "-"??_);_(@_)
_-* #,##0.00\\ "€"_-;\\-* #,##0.00\\ "€"_-;_-* "-"??\\ "€"_-;_-@_-`.split(/[|\n]/);
/** And those that do so in one column alone. */
const inColumns = {
  price: String.raw`[$CHF-807]\ #,##0.00|0.00 "EUR"|#,##0.00\ "kr"|#,##0.00 "zł"|#,##0.00\ "Kč"|"US$" 0.00|0.00"元"|"R$" 0.00`,
  memory: String.raw`0.00" MB"|#,##0.00\ "MiB"|0.00"MB RAM"`,
  cpu: '0.00 "vCPU"|0.00" CPUs"|0.00 "core"',
};

test('ordinary formats are silent in columns of numbers', () => {
  for (const code of ordinary) {
    for (const name of ['price', 'memory', 'cpu', 'order', 'id', 'read'])
      for (const value of ['0', '1', '12', '4900', '1234567'])
        assert.equal(told(code, value, name), undefined, `${code} ${value} ${name}`);
    for (const value of /^$|0\.00|General|@/.test(code) ? ['12.5', '19.9', '0.25', '12.34'] : [])
      assert.equal(told(code, value, 'price'), undefined, `${code} ${value}`);
  }
  for (const [name, codes] of Object.entries(inColumns))
    for (const code of codes.split('|')) assert.equal(told(code, '2.5', name), undefined, code);
});

test('a format that shows another number is told', () => {
  for (const line of `0.00|12.345|price|shows fewer decimals
#,##0,|4900|price|shows it in thousands or millions
0.0,,"M"|4900000|price|shows it in thousands or millions
0,.00|4900|price|shows it in thousands or millions
0.00%|4|order|shows a percentage
"gratis"|4.9|price|shows no digits of it
0.00;0.00;"free"|0|price|shows no digits of it
[=0]"free";0.00|0|price|shows no digits of it
[<10]"low";0.00|4.9|price|shows no digits of it
0.00;-0.00;|0|price|shows no digits of it
#|0|price|shows nothing
0"000"|5|price|adds digits to it
0.00E+00|12345|price|shows fewer digits
# ?/?|0.3|price|shows a fraction
General" GB"|2|memory|adds "GB", although memory is in MB
0\\G|2|memory|adds "G", although memory is in MB
0.00 "k€"|2|price|
0.00" Mio"|2|price|adds "Mio"
0.00 "EUR"|2|memory|adds "EUR", although memory is in MB
0.00E+00|4900|price|
[<10]"low";0.00|12|price|
yyyy-mm-dd|2026-05-03|create_time|
"yes";;"no"|1|hidden|`.split('\n')) {
    const [code = '', value = '', name = '', expected] = line.split('|');
    assert.equal(told(code, value, name), expected || undefined, line);
  }
});

test('in columns of text, whatever looks different is told', () => {
  for (const line of `General|1.5|
@|12|
0|12|
0.00|12.25|
#,##0|12|
0|1.5|is a number
0.00|12.5|is a number
#,##0|1200|is a number
000|7|is a number
[$€-407] 0|5|is a number
"free"|5|is a number
0%|1|is a percentage
hh:mm|0|is a date or a time
[h]:mm|2026-05-03|is a date or a time`.split('\n')) {
    const [code = '', value = '', expected] = line.split('|');
    assert.equal(told(code, value, 'title'), expected || undefined, line);
  }
});

test('the formats of accounting have no code, and show what others do', () => {
  const price = columns.get('price') ?? assert.fail();
  const fault = (id: number, value: string) => {
    const format = numberFormat(id, new Map());
    return format && otherDisplay(format, value, price)?.fault;
  };
  for (const id of [37, 38, 41, 42, 39, 40, 43, 44]) {
    const decimals = [37, 38, 41, 42].includes(id) ? 0 : 2;
    assert.equal(fault(id, '4900'), undefined, String(id));
    assert.equal(fault(id, '0'), undefined, String(id));
    assert.equal(fault(id, '4.9'), decimals === 0 ? 'shows fewer decimals' : undefined, String(id));
    assert.equal(fault(id, '4.905'), 'shows fewer decimals', String(id));
  }
  assert.deepEqual([fault(48, '4900'), fault(48, '4912')], [undefined, 'shows fewer digits']);
});

test('a currency is known by its sign, by its code or as it is written', () => {
  for (const line of `€|[$€-407] 0.00;0.00 "€";0.00 "EUR";[$EUR] 0
Euro|0 "Euro"
$|"$"0.00;[$$-409]#,##0;0 "USD";"US$" 0;_($* #,##0.00_)
CA$|"CA$" 0
zł|0.00 "zł";[$PLN] 0.00
kr|0 "kr";0 "SEK"
CHF|[$CHF-807] 0.00
¥|[$¥-411]0;0 "JPY"
元|0"元"
none|0.00;General;0 "MB";¤0`.split('\n')) {
    const [currency = '', codes = ''] = line.split('|');
    for (const code of codes.split(';')) {
      const format = parseNumberFormat(code);
      assert.equal((format && currencyIn(format, '5')) ?? 'none', currency, code);
    }
  }
});
