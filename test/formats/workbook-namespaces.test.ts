import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openArchive } from '../../src/formats/workbook/archive.ts';
import { readXml } from '../../src/formats/workbook/xml.ts';
import { readSource } from '../support/catalog/read-source.ts';
import { shopWith, sourceIn, writeFiles } from '../support/catalogs.ts';
import { xlsx } from '../support/workbooks/xlsx.ts';
import { zip } from '../support/workbooks/zip.ts';

const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const TABLE = 'urn:oasis:names:tc:opendocument:xmlns:table:1.0';
const OTHER = 'urn:example:other';

/** What a visitor sees of an XML text: each element with its attributes that are no declarations, and each text. */
async function seen(xml: string): Promise<string> {
  const archive = await openArchive(zip([{ name: 'a.xml', data: xml }]));
  let found = '';
  await readXml(archive, 'a.xml', {
    open(name, attributes) {
      const own = Object.entries(attributes).filter(([key]) => !key.startsWith('xmlns'));
      found += `<${name}${own.map(([key, value]) => ` ${key}=${value}`).join('')}>`;
    },
    text(text) {
      found += text;
    },
    close(name) {
      found += `</${name}>`;
    },
  });
  return found;
}

test('names in XML mean what their namespaces say, whatever their prefixes are', async () => {
  for (const [xml, expected] of [
    [`<c xmlns="${MAIN}">1</c>`, '<c>1</c>'],
    [`<a:c xmlns:a="${MAIN}">1</a:c>`, '<c>1</c>'],
    [`<a:c xmlns:a="${OTHER}">1</a:c>`, '<a:c>1</a:c>'],
    [`<c xmlns="${OTHER}">1</c>`, '<not-:c>1</not-:c>'],
    [`<c xmlns="${MAIN}"><v xmlns="${OTHER}"/><v/></c>`, '<c><not-:v></not-:v><v></v></c>'],
    [`<c xmlns="${MAIN}"><a:v xmlns:a="${OTHER}"/><a:v/></c>`, '<c><a:v></a:v><a:v></a:v></c>'],
    [`<t:table xmlns:t="${TABLE}" t:name="a" name="b"/>`, '<table:table table:name=a name=b></table:table>'],
    [`<table:p xmlns:table="${OTHER}" table:name="a"/>`, '<not-table:p not-table:name=a></not-table:p>'],
    [`<s xmlns="${MAIN}"><extLst><s>1</s></extLst>2</s>`, '<s><extLst></extLst>2</s>'],
    [
      `<s xmlns="${MAIN}"><extLst><extLst/></extLst><a:extLst xmlns:a="${OTHER}">1</a:extLst></s>`,
      '<s><extLst></extLst><a:extLst>1</a:extLst></s>',
    ],
    ['<table:table><c/></table:table>', '<table:table><c></c></table:table>'],
  ] as const)
    assert.equal(await seen(xml), expected, xml);
});

test('an element of a newer Excel does not change the date system of a workbook', async t => {
  const rows = [
    ['id', 'title', 'content', 'create_time'],
    [1, 'a', 'b', { s: 1, xml: '<v>44651.75</v>' }],
  ];
  const options = { formats: ['yyyy-mm-dd'], date1904: true };
  const plain = xlsx({ news: rows }, options);
  const main = `<workbook xmlns="${MAIN}" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"><workbookPr date1904="1"/><sheets><sheet name="news" sheetId="1" r:id="rId1"/><sheet name="Module1" sheetId="2" r:id=""/></sheets><extLst><ext xmlns:x15="http://schemas.microsoft.com/office/spreadsheetml/2010/11/main"><x15:workbookPr chartTrackingRefBase="1"/></ext></extLst></workbook>`;
  const modern = xlsx({ news: rows }, { ...options, parts: { 'xl/workbook.xml': main } });
  const timesIn = async (content: Buffer) => {
    const files = shopWith({ 'news.json': null, 'news.xlsx': content });
    const { rows } = await readSource(sourceIn(await writeFiles(t, files)));
    return rows?.news?.map(({ create_time }) => create_time);
  };
  assert.deepEqual(await timesIn(plain), [Date.UTC(2026, 3, 1, 18) / 1000]);
  assert.deepEqual(await timesIn(modern), await timesIn(plain));
});
