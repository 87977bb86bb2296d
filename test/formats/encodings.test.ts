import assert from 'node:assert/strict';
import { isUtf8 } from 'node:buffer';
import { test } from 'node:test';
import fc from 'fast-check';
import iconv from 'iconv-lite';
import { formatProblem } from '../../src/contract/problems.ts';
import { decode } from '../../src/formats/decode.ts';
import { type CsvOptions, parseFile } from '../../src/formats/formats.ts';
import { collectProblems } from '../../src/set/collect-problems.ts';
import { encodings as settable } from '../../src/settings/parsers.ts';

const GERMAN =
  'Größere Übertragung für schöne Bücher: „günstig“ heißt bei uns über Jahre höhere Qualität, täglich.';

/** Encodings in which programs save sentences, and a sentence in each of their languages. */
const sentences: Record<string, string> = {
  'gbk gb18030': '我们很高兴地宣布，新的云服务器已经在香港数据中心上线，欢迎大家免费试用。',
  big5: '高性能計算已經上線，歡迎各位客戶申請試用，如有任何問題請與我們聯絡。',
  'shift_jis euc-jp':
    'このたびのメンテナンスにともない、サービスのご利用ができなくなります。なにとぞよろしくお願いいたします。',
  'euc-kr':
    '새로운 클라우드 서버가 홍콩 데이터 센터에서 시작되었습니다. 수수료를 인하하였으니 많은 이용 부탁드립니다.',
  'windows-1252 macintosh': GERMAN,
  'macintosh windows-1252':
    'Le café déjà ouvert à Noël, où l’œuvre française a été créée, été après été, à côté du théâtre.',
  'windows-1252 iso-8859-15': 'PROMOÇÃO: SERVIÇOS E INSTALAÇÕES, ATENÇÃO À MANUTENÇÃO NA SEGUNDA-FEIRA',
  'windows-1250 iso-8859-2':
    'Zażółć gęślą jaźń; ŹRÓDŁO ŁĄCZNOŚCI świadczy usługi każdego dnia, również w święta.',
  'windows-1251 koi8-r iso-8859-5':
    'Съешь ещё этих мягких французских булок, да выпей чаю. НОВЫЕ СЕРВЕРЫ УЖЕ В ПРОДАЖЕ!',
  'windows-1253 iso-8859-7': 'Νέοι διακομιστές είναι διαθέσιμοι. ΚΑΛΩΣ ΗΡΘΑΤΕ στην υπηρεσία μας!',
  'windows-1254 iso-8859-9':
    "Yeni sunucularımız İstanbul'da açıldı; şimdi çok güçlü, hızlı ağ ve ÜCRETSİZ GEÇİŞ.",
  'windows-1255': 'שרתים חדשים זמינים עכשיו במרכז הנתונים שלנו',
  'windows-1256': 'خوادم جديدة متاحة الآن في مركز البيانات لدينا',
  'windows-1257': 'Ātrāki serveri šķērso robežas; žvaigždė į ąžuolą, greičiau nei bet kada.',
  'windows-874': 'เซิร์ฟเวอร์ใหม่พร้อมให้บริการแล้วในศูนย์ข้อมูลของเรา',
};
const encodings = [...new Set(Object.keys(sentences).flatMap(names => names.split(' ')))];

const fail = (_place: unknown, _code: unknown, message: string) => assert.fail(message);

test('a sentence in the encoding that is set is read as it was written, and every encoding can be set', () => {
  for (const [names, text] of Object.entries(sentences))
    for (const name of names.split(' '))
      assert.equal(decode('a.csv', iconv.encode(text, name), name, fail)?.text, text, `${name}: ${text}`);
  for (const name of settable) decode('a.csv', Buffer.from([0x61, 0x80]), name, () => {});
});

test('characters on which decoders differ are read as spreadsheets write them', () => {
  for (const [text, hex, encoding] of [
    ['Ω€', 'bddb', 'macintosh'],
    ['€Ÿ', '809f', 'windows-1252'],
    ['\uFFFD', '8431a437', 'gb18030'],
    ['\uFFFD', 'fffefdff', 'utf-8'],
    ['a', 'efbbbf61', 'utf-8'],
    ['é€', 'c3a9e282ac', 'windows-1252'],
    ['é', 'fffee900', 'windows-1252'],
    ['é', 'feff00e9', 'windows-1252'],
  ] as const)
    assert.equal(decode('a.csv', Buffer.from(hex, 'hex'), encoding, fail)?.text, text);
});

test('UTF-8 with a few damaged bytes is refused at the first of them, whatever encoding is set', () => {
  const bytesOf = fc.constantFrom(...Object.values(sentences)).map(text => Buffer.from(`${text}\n${text}`));
  const damage = fc.tuple(fc.nat(), fc.integer({ min: 0x80, max: 0xff }));
  const damages = fc.array(damage, { minLength: 1, maxLength: 3 });
  fc.assert(
    fc.property(bytesOf, damages, fc.constantFrom(...encodings), (whole, changes, encoding) => {
      const bytes = Buffer.from(whole);
      for (const [at, byte] of changes) bytes[at % bytes.length] = byte;
      fc.pre(!isUtf8(bytes));
      const places: unknown[] = [];
      const source = decode('a.csv', bytes, encoding, location => places.push(location));
      assert.equal(source, undefined);
      const [before = ''] = new TextDecoder().decode(bytes).split('\ufffd');
      const lines = before.split('\n');
      const place = { file: 'a.csv', line: lines.length, column: [...(lines.at(-1) ?? '')].length + 1 };
      assert.deepEqual(places, [place]);
    }),
    { numRuns: 2000 },
  );
});

/** What is said of a file of products. */
async function problemsOf(file: string, content: Buffer, csvEncoding: CsvOptions['csvEncoding'] = 'utf-8') {
  const { report, summarize } = collectProblems();
  const digest = { file, content, bytes: content.length, sha256: '' };
  await parseFile({ catalog: 'products', ...digest }, { csvEncoding, csvDecimal: '.' }, report);
  return summarize([]).problems.map(formatProblem);
}

test('the message tells a damaged character from an old encoding, and names the cell', async () => {
  const csv = `id,name\n1,A\n2,${GERMAN}\n3,C\n`;
  const json = `[{"id": 1, "name": "A"},\n{"id": 2, "name": "${GERMAN}"}]`;
  const damaged = (text: string) => {
    const bytes = Buffer.from(text);
    bytes[bytes.indexOf('ä')] = 0xe4;
    return bytes;
  };
  const damage = 'a damaged character: type it again, then save the file as';
  const old = 'characters in an old encoding (probably Windows): save the file as';
  const orElse = ', or ask your administrator to set CSV_ENCODING';
  const at = GERMAN.indexOf('ä') + 1;
  for (const encoding of ['utf-8', 'windows-1252', 'gb18030'])
    for (const [file, content, problem] of [
      ['products.csv', damaged(csv), `3:${2 + at}: error BAD_ENCODING B3, ${damage} "CSV UTF-8"`],
      ['products.json', damaged(json), `2:${19 + at}: error BAD_ENCODING ${damage} UTF-8`],
      ['products.json', iconv.encode(json, 'windows-1252'), `2:22: error BAD_ENCODING ${old} UTF-8`],
    ] as const)
      assert.deepEqual(await problemsOf(file, content, encoding), [`${file}:${problem}`]);
  assert.deepEqual(await problemsOf('products.csv', iconv.encode(csv, 'windows-1252')), [
    `products.csv:3:5: error BAD_ENCODING B3, ${old} "CSV UTF-8"${orElse}`,
  ]);
  assert.deepEqual(await problemsOf('products.csv', iconv.encode(csv, 'windows-1252'), 'gb18030'), [
    'products.csv:3:43: error BAD_ENCODING B3, this character is not in gb18030, the encoding that your administrator has set: save the file as "CSV UTF-8"',
  ]);
});
