import assert from 'node:assert/strict';
import { isUtf8 } from 'node:buffer';
import { test } from 'node:test';
import fc from 'fast-check';
import iconv from 'iconv-lite';
import { decode } from '../../src/formats/decode.ts';
import { type CsvOptions, parseFile } from '../../src/formats/formats.ts';
import { damageIn, leftoverIn } from '../../src/set/cells/warnings.ts';
import { collectProblems, formatProblem } from '../../src/set/collect-problems.ts';
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

async function problemsOf(file: string, content: Buffer, csvEncoding: CsvOptions['csvEncoding']) {
  const { report, summarize } = collectProblems();
  const digest = { file, content, bytes: content.length, sha256: '' };
  await parseFile({ catalog: 'products', ...digest }, { csvEncoding, csvDecimal: '.' }, report);
  return summarize([]).problems.map(formatProblem);
}

test('whatever encoding is set, a damaged character is told from an old encoding, and one that the set one lacks', async () => {
  const csv = `id,name\n1,A\n2,${GERMAN}\n3,C\n`;
  const old = iconv.encode(`[{"id": 1, "name": "${GERMAN}"}]`, 'windows-1252');
  const damaged = Buffer.from(csv);
  damaged[damaged.indexOf('ä')] = 0xe4;
  const place = `3:${3 + GERMAN.indexOf('ä')}`;
  for (const encoding of ['windows-1252', 'gb18030']) {
    assert.deepEqual(await problemsOf('products.csv', damaged, encoding), [
      `products.csv:${place}: error BAD_ENCODING B3, a damaged character: type it again, then save the file as "CSV UTF-8"`,
    ]);
    assert.deepEqual(await problemsOf('products.json', old, encoding), [
      'products.json:1:23: error BAD_ENCODING characters in an old encoding (probably Windows): save the file as UTF-8',
    ]);
  }
  assert.deepEqual(await problemsOf('products.csv', iconv.encode(csv, 'windows-1252'), 'gb18030'), [
    'products.csv:3:43: error BAD_ENCODING B3, this character is not in gb18030, the encoding that your administrator has set: save the file as "CSV UTF-8"',
  ]);
});

/** UTF-8 read as Latin-1, Mac Roman, or as windows-1252 with its five undefined bytes kept as controls. */
const WESTERN = ['latin1', 'windows-1252', 'macroman'] as const;

function doublyEncoded(text: string, encoding: (typeof WESTERN)[number]): string {
  const bytes = Buffer.from(text);
  if (encoding === 'macroman') return iconv.decode(bytes, encoding);
  if (encoding === 'latin1') return bytes.toString('latin1');
  return Array.from(bytes, byte =>
    [0x81, 0x8d, 0x8f, 0x90, 0x9d].includes(byte)
      ? String.fromCharCode(byte)
      : iconv.decode(Buffer.from([byte]), encoding),
  ).join('');
}

/** What people write besides, in letters that look like damage. */
const SPECIAL = `IRMÔ, SÃO PAULO, «café», Straße, déjà vu, prices in £ and ½
«\u00a0Voilà\u00a0» – c’est prêt\u00a0!
CAFÉ™
MENÜ…
3×½
Příliš žluťoučký kůň úpěl ďábelské ódy – „dobrý den“.
Máy chủ mới đã sẵn sàng; tốc độ nhanh hơn, giá rẻ hơn. ÂM THANH
高性能計算已經上線，歡迎申請試用。锟
Is it ready? Yes! C++ & <b>more</b>? 😀
Ã¶, aber schöner
Paris–Évry, l’été — à Œuvres, œuf… ‚Ärger‘ „Öl“
£3–£5, ≈£5, √2 ≈ 1,41 ∆T ¬A
from –£5, ©2026 ÿ`.split('\n');

const WRONG = /^has wrong characters such as /;

test('text is not damaged in any language, but it is once it was encoded twice', () => {
  for (const sentence of [...Object.values(sentences), ...SPECIAL]) {
    assert.equal(damageIn(sentence), undefined, sentence);
    if (!/[^\0-\x7f]/.test(sentence) || sentence.startsWith('Ã')) continue;
    for (const encoding of WESTERN)
      assert.match(damageIn(doublyEncoded(sentence, encoding)) ?? '', WRONG, sentence);
    // Without the five bytes that windows-1252 leaves out.
    const reduced = doublyEncoded(sentence, 'windows-1252').replace(/[\x80-\x9f]/g, '');
    assert.match(damageIn(reduced) ?? '', WRONG, sentence);
  }
  const letters = fc.constantFrom(
    ...'abcXYZ 019.,-!?äöüßéèêàçñõãîôåøæœžšřčěůľąęłżźćńőűığşāēģķđћÄÖÜÉÈÇÑØŁŚŽİΩ',
    ...'абвгдежзийклмнопрстуфхцчшщъыьэюяёАБВЭЮЯαβγδεζηθικλμνξοπρστυφχψωάέή',
    ...'אבגדהוזחטיכלמנסעפצקרשתابتثجحخدذرزسشصضطظعغفقكلمنهويกขคงจดตบปยรลวสหอकखगघचजटडतदनपबमयरलवसह',
    ...'的一是不了在有人我他这中大来上国云服务器价格あいうえおカキクケコ日本語가나다라마바사클라우드서버—–…“”’€™😀🚀',
  );
  const encodings = fc.constantFrom(...WESTERN);
  fc.assert(
    fc.property(fc.string({ unit: letters, minLength: 1 }), encodings, (text, encoding) => {
      // In Mac Roman, a letter of Cyrillic alone looks like a dash and a letter.
      fc.pre(/[^\0-\x7f]/.test(text) && !(encoding === 'macroman' && /\p{Script=Cyrillic}/u.test(text)));
      assert.match(damageIn(doublyEncoded(text, encoding)) ?? '', WRONG);
    }),
    { numRuns: 2000 },
  );
});

test('a sign of damage is named', () => {
  const remedy = ': type it again, or restore it from a file that was saved as UTF-8';
  for (const [text, sign] of [
    ['Gr\ufffd\ufffde', '\ufffd'],
    ['锟斤拷', '锟斤拷'],
    ['GrÃ¶ÃŸe', 'Ã¶'],
    ['æ•°æ®', 'æ•°'],
    ['æ•°æ', 'æ•°'],
    ['Itâ€™s a café, déjà', 'â€'],
    ['Grï¿½ï¿½e', 'ï¿½'],
    ['ï»¿Name', 'ï»¿'],
    ['Â£5', 'Â£'],
    ['CafÃ© Ã  Paris', 'Ã©'],
    ['ðŸ˜€', 'ðŸ˜€'],
  ])
    assert.equal(damageIn(String(text)), `has wrong characters such as ${sign}${remedy}`, text);
  for (const text of ['???', '?? ??\n?'])
    assert.equal(damageIn(text), `has question marks in place of its characters${remedy}`);
});

test('what another program has left in a text is told, and what is meant is not', () => {
  for (const [text, column, expected] of [
    ['NULL', 'name', 'is "NULL"'],
    ['\\N', 'keywords', 'is "\\N"'],
    ['nan', 'description', 'is "nan"'],
    ['Null and void', 'name', undefined],
    ['Cloud_x000D_', 'name', 'contains _x000D_'],
    ['<p>a</p>\\r\\n<p>b</p>', 'content', 'contains \\n'],
    ['="007"', 'name', 'is written'],
    ["'+49 30 123", 'description', 'is written'],
    ["'90s sale", 'title', undefined],
    ['C:\\new', 'content', undefined],
    ['\\\\server\\new', 'content', undefined],
    ['<code>a\\n</code>', 'content', undefined],
    ['Caf&eacute;', 'title', 'contains &eacute;'],
    ['A &amp; B', 'title', undefined],
    ['don&#8217;t', 'name', 'contains &#8217;'],
    ['<p>Caf&eacute;</p>', 'content', undefined],
    ['<p>Caf&amp;eacute;</p>', 'content', 'is HTML that was escaped twice'],
    ['&lt;p&gt;All prices fall.&lt;/p&gt;', 'content', 'is HTML that was escaped twice'],
    ['Write &lt;b&gt; for bold', 'content', undefined],
    ['<p>Close it with &lt;/b&gt;</p>', 'content', undefined],
    ['<code>&amp;lt;</code>', 'content', undefined],
  ] as const)
    assert.equal(
      leftoverIn(text, column, 'csv')?.replace(/(?:, (?:as|but|such)| in place| as programs).*/, ''),
      expected,
      text,
    );
  for (const format of ['json', 'sheet', 'markdown'] as const) {
    assert.equal(leftoverIn('NULL', 'name', format), undefined);
    assert.match(leftoverIn('a&nbsp;b', 'title', format) ?? '', /^contains &nbsp;/);
  }
});
