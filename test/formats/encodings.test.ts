import assert from 'node:assert/strict';
import { isUtf8 } from 'node:buffer';
import { test } from 'node:test';
import fc from 'fast-check';
import iconv from 'iconv-lite';
import type { Reporter } from '../../src/contract/problems.ts';
import { decode } from '../../src/formats/decode.ts';
import { errorsOf } from '../support/catalog/forms.ts';

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
  'iso-8859-2 windows-1250':
    'Příliš žluťoučký kůň úpěl ďábelské ódy; NOVÉ SERVERY UŽ BĚŽÍ v našem datovém středisku.',
  'windows-1251 koi8-r iso-8859-5':
    'Съешь ещё этих мягких французских булок, да выпей чаю. НОВЫЕ СЕРВЕРЫ УЖЕ В ПРОДАЖЕ!',
  'windows-1251 koi8-u': 'Нові сервери вже доступні; її ґанок і Європа є близько, як ніколи.',
  'windows-1253 iso-8859-7': 'Νέοι διακομιστές είναι διαθέσιμοι. ΚΑΛΩΣ ΗΡΘΑΤΕ στην υπηρεσία μας!',
  'windows-1254 iso-8859-9':
    "Yeni sunucularımız İstanbul'da açıldı; şimdi çok güçlü, hızlı ağ ve ÜCRETSİZ GEÇİŞ.",
  'windows-1255': 'שרתים חדשים זמינים עכשיו במרכז הנתונים שלנו',
  'windows-1256': 'خوادم جديدة متاحة الآن في مركز البيانات لدينا',
  'windows-1257': 'Ātrāki serveri šķērso robežas; žvaigždė į ąžuolą, greičiau nei bet kada.',
  'windows-874': 'เซิร์ฟเวอร์ใหม่พร้อมให้บริการแล้วในศูนย์ข้อมูลของเรา',
};
const encodings = [...new Set(Object.keys(sentences).flatMap(names => names.split(' ')))];

const ignore: Reporter = () => {};

test('a sentence in the encoding that is set is read as it was written', () => {
  for (const [names, text] of Object.entries(sentences))
    for (const name of names.split(' '))
      assert.equal(decode('a.csv', iconv.encode(text, name), name, ignore)?.text, text, `${name}: ${text}`);
});

test('UTF-8 with a few damaged bytes is refused at the first of them, whatever encoding is set', () => {
  const bytesOf = fc.constantFrom(...Object.values(sentences)).map(text => Buffer.from(`${text}\n${text}`));
  const damages = fc.array(fc.tuple(fc.nat(), fc.integer({ min: 0x80, max: 0xff })), {
    minLength: 1,
    maxLength: 3,
  });
  fc.assert(
    fc.property(bytesOf, damages, fc.constantFrom(...encodings), (whole, changes, encoding) => {
      const bytes = Buffer.from(whole);
      for (const [at, byte] of changes) bytes[at % bytes.length] = byte;
      fc.pre(!isUtf8(bytes));
      const places: string[] = [];
      const source = decode('a.csv', bytes, encoding, (location, code) => {
        places.push(`${code} ${JSON.stringify(location)}`);
      });
      assert.equal(source, undefined);
      const [before = ''] = new TextDecoder().decode(bytes).split('\ufffd');
      const lines = before.split('\n');
      const place = { file: 'a.csv', line: lines.length, column: [...(lines.at(-1) ?? '')].length + 1 };
      assert.deepEqual(places, [`BAD_ENCODING ${JSON.stringify(place)}`]);
    }),
    { numRuns: 2000 },
  );
});

test('the message tells a damaged character from an old encoding', async t => {
  const csv = `id,name\n1,A\n2,${GERMAN}\n3,C\n`;
  const json = `[{"id": 1, "name": "A"},\n{"id": 2, "name": "${GERMAN}"}]`;
  const index = GERMAN.indexOf('ä');
  const damaged = (text: string) => {
    const bytes = Buffer.from(text);
    bytes[bytes.indexOf('ä')] = 0xe4;
    return bytes;
  };
  const told = (location: string, fault: string) => [`products.${location}: error BAD_ENCODING ${fault}`];
  const damage = 'a damaged character: type it again, then save the file as';
  const old = 'characters in an old encoding (probably Windows): save the file as';
  const orElse = ', or ask your administrator to set CSV_ENCODING';
  for (const csvEncoding of ['utf-8', 'windows-1252', 'gb18030'] as const) {
    const options = { csvEncoding };
    const csvFault = await errorsOf(t, { 'products.csv': damaged(csv) }, options);
    assert.deepEqual(csvFault, told(`csv:3:${'2,'.length + index + 1}`, `B3, ${damage} "CSV UTF-8"`));
    const jsonFault = await errorsOf(t, { 'products.json': damaged(json) }, options);
    assert.deepEqual(
      jsonFault,
      told(`json:2:${'{"id": 2, "name": "'.length + index + 1}`, `${damage} UTF-8`),
    );
    const jsonOld = await errorsOf(t, { 'products.json': iconv.encode(json, 'windows-1252') }, options);
    assert.deepEqual(jsonOld, told('json:2:22', `${old} UTF-8`));
  }
  const even = Buffer.concat([Buffer.from('id,name\n1,A\n2,é'), Buffer.from('ff0a', 'hex')]);
  assert.deepEqual(await errorsOf(t, { 'products.csv': even }), told('csv:3:4', `B3, ${damage} "CSV UTF-8"`));
  const windows = { 'products.csv': iconv.encode(csv, 'windows-1252') };
  assert.deepEqual(await errorsOf(t, windows), told('csv:3:5', `B3, ${old} "CSV UTF-8"${orElse}`));
});

test('bytes that look like UTF-8 but that it forbids are damage, and all are behind a byte order mark', async t => {
  const forbidden = ['c1bf', 'e09fbf', 'eda080', 'f08fbfbf', 'f4908080', 'f5808080', 'c3', 'e282', 'f09f98'];
  for (const bytes of [...forbidden, Buffer.from('été', 'latin1').toString('hex')]) {
    const content = [Buffer.from('\ufeffid,name\n1,A\n2,é'), Buffer.from(bytes, 'hex'), Buffer.from('!\n')];
    const files = { 'products.csv': Buffer.concat(content) };
    const [told] = await errorsOf(t, files, { csvEncoding: 'windows-1252' });
    assert.match(told ?? '', /^products\.csv:3:4: error BAD_ENCODING B3, a damaged character: /, bytes);
  }
});
