import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import iconv from 'iconv-lite';
import { formatProblem } from '../../src/contract/problems.ts';
import { damageIn, leftoverIn } from '../../src/set/cells/warnings.ts';
import { readSource } from '../support/catalog/read-source.ts';
import { shopWith, sourceIn, writeFiles } from '../support/catalogs.ts';

/** UTF-8 read as Latin-1, or as windows-1252 with its five undefined bytes kept as controls. */
function doublyEncoded(text: string, encoding: 'latin1' | 'windows-1252'): string {
  const bytes = Buffer.from(text);
  if (encoding === 'latin1') return bytes.toString('latin1');
  return Array.from(bytes, byte =>
    [0x81, 0x8d, 0x8f, 0x90, 0x9d].includes(byte)
      ? String.fromCharCode(byte)
      : iconv.decode(Buffer.from([byte]), encoding),
  ).join('');
}

const sentences = [
  'Größere Server für schöne Straßen: „Viel Spaß“, sagt Jürgen … äußerst günstig – ab 5 €.',
  'So viel Spaß…',
  'Heißer Draht, „süß“',
  'IRMÔ, SÃO PAULO, «café», Straße, déjà vu, prices in £ and ½',
  'IRMÃ e IRMÃO: PROMOÇÃO DE VERÃO, NÃO PERCA!',
  'Não há previsão de manutenção até amanhã; a situação está sob controle.',
  'Le café déjà ouvert à Noël, où l’œuvre française a été créée.',
  '«\u00a0Voilà\u00a0» – c’est prêt\u00a0!',
  'Café\u00a0– bar',
  '«café»',
  'CAFÉ™',
  'MENÜ…',
  'PERÚ®',
  'JALAPEÑO’S',
  '3×½',
  '5° ± 2²',
  'El año pasado, ¿quién llegó a España? ¡Qué ilusión!',
  'Perché no? È già così, più o meno; città libertà.',
  'Zażółć gęślą jaźń – „źródło” łączności.',
  'Příliš žluťoučký kůň úpěl ďábelské ódy – „dobrý den“.',
  'Árvíztűrő tükörfúrógép, „jó napot”…',
  'Yeni sunucularımız İstanbul’da açıldı; çok güçlü, hızlı ağ.',
  'Smørrebrød og Ålborg – få ét på øen…',
  'Räksmörgås på Åland – så där ja!',
  'Það er gott veður í dag, þökk sé sólinni.',
  'Máy chủ mới đã sẵn sàng; tốc độ nhanh hơn, giá rẻ hơn. ÂM THANH',
  'Șaptezeci și șapte de țări, într-o zi însorită, câte „unu”…',
  'Съешь ещё этих мягких французских булок…',
  'Нові сервери вже доступні, її ґанок.',
  'Νέοι διακομιστές είναι διαθέσιμοι…',
  'שרתים חדשים זמינים עכשיו',
  'خوادم جديدة متاحة الآن في مركز البيانات',
  'เซิร์ฟเวอร์ใหม่พร้อมให้บริการแล้ว',
  'नए सर्वर अब उपलब्ध हैं',
  '我们很高兴地宣布，新的云服务器已经上线，“欢迎”试用……',
  '高性能計算已經上線，歡迎申請試用。锟',
  '新しいサーバーのご提供を開始しました。',
  '새로운 클라우드 서버가 시작되었습니다.',
  'Is it ready? Yes! C++ & <b>more</b>? 😀',
  'What?? Really???',
  '',
];

test('natural text in many languages is not taken for damaged', () => {
  for (const text of sentences) assert.equal(damageIn(text), undefined, text);
});

const wrong = (shown: string) => `has wrong characters such as ${shown}`;
const LOST = 'which stands for a lost character';

test('damaged text is recognized by what the damage leaves', () => {
  const cases: [text: string, told: string][] = [
    ['Gr\ufffd\ufffde', `contains \ufffd, ${LOST}`],
    ['锟斤拷数据', `contains 锟斤拷, ${LOST}`],
    ['GrÃ¶ÃŸe', wrong('Ã¶')],
    ['Ã', 'undefined'],
    ['Ã¶, aber schöner', 'undefined'],
    ['æ•°æ®', wrong('æ•°')],
    ['æ•°æ', wrong('æ•°')],
    ['Itâ€™s', wrong('â€')],
    ['Itâ€™s a café, déjà', wrong('â€')],
    ['Grï¿½ï¿½e', `contains ï¿½, ${LOST}`],
    ['ï»¿Name', wrong('ï»¿')],
    ['5 â‚¬', wrong('â‚¬')],
    ['Â£5', wrong('Â£')],
    ['CafÃ© Ã  Paris', wrong('Ã©')],
    ['ðŸ˜€', wrong('ðŸ˜€')],
    ['å…¬å‘Š', wrong('å…¬')],
    ['ÐŸÑ€Ð¸Ð²ÐµÑ‚', wrong('ÐŸ')],
    ['???', 'has question marks in place of its characters'],
    ['?? ??\n?', 'has question marks in place of its characters'],
  ];
  for (const [text, told] of cases) assert.equal(String(damageIn(text)), told, text);
});

test('text without the five bytes that windows-1252 leaves out is recognized too', () => {
  for (const text of [
    '服务器已经上线，欢迎大家试用',
    'Příliš žluťoučký kůň úpěl',
    'Это наши новые серверы',
  ]) {
    const reduced = doublyEncoded(text, 'windows-1252').replace(/[\x80-\x9f]/g, '');
    assert.match(damageIn(reduced) ?? '', /^has wrong characters such as /, text);
  }
});

test('any text of letters in several scripts is recognized once it is encoded twice', () => {
  const letters = fc.constantFrom(
    ...'abcXYZ 019.,-!?',
    ...'äöüßéèêàçñõãîôåøæœžšřčěůľąęłżźćńőűığşāēģķđћ',
    ...'ÄÖÜÉÈÇÑØŁŚŽİΩ',
    ...'абвгдежзийклмнопрстуфхцчшщъыьэюяёАБВЭЮЯ',
    ...'αβγδεζηθικλμνξοπρστυφχψωάέή',
    ...'אבגדהוזחטיכלמנסעפצקרשת',
    ...'ابتثجحخدذرزسشصضطظعغفقكلمنهوي',
    ...'กขคงจดตบปยรลวสหอ',
    ...'कखगघचजटडतदनपबमयरलवसह',
    ...'的一是不了在有人我他这中大来上国云服务器价格',
    ...'あいうえおカキクケコ日本語',
    ...'가나다라마바사클라우드서버',
    ...'—–…“”’€™😀🚀',
  );
  const encodings = fc.constantFrom('latin1' as const, 'windows-1252' as const);
  fc.assert(
    fc.property(fc.string({ unit: letters, minLength: 1 }), encodings, (text, encoding) => {
      fc.pre(/[^\0-\x7f]/.test(text));
      assert.match(damageIn(doublyEncoded(text, encoding)) ?? '', /^has wrong characters such as /);
    }),
    { numRuns: 2000 },
  );
});

test('damaged text is a warning at its cell, and the set is served', async t => {
  const remedy = 'type it again, or restore it from a file that was saved as UTF-8';
  const files = {
    'products.json': `[{"id": 1, "name": "Gr\\u00c3\\u00b6\\u00c3\\u0178e"}, {"id": 2, "name": "B"},
{"id": 3, "name": "C", "description": "???"}]`,
    'news.csv': 'id,title,content,create_time,img\n1,A,"two\nlines \ufffd",2024-01-05,grÃ¼n.png\n',
  };
  const { report } = await readSource(sourceIn(await writeFiles(t, shopWith(files))));
  assert.notEqual(report.version, undefined);
  assert.deepEqual(report.problems.filter(({ code }) => code === 'DAMAGED_TEXT').map(formatProblem), [
    `products.json:1:20: warning DAMAGED_TEXT name ${wrong('Ã¶')}: ${remedy}`,
    `products.json:2:39: warning DAMAGED_TEXT description has question marks in place of its characters: ${remedy}`,
    `news.csv:2:5: warning DAMAGED_TEXT C2, content contains \ufffd, ${LOST}: ${remedy}`,
    `news.csv:3:21: warning DAMAGED_TEXT E2, img ${wrong('Ã¼')}: ${remedy}`,
  ]);
});

test('what another program has left in a text is told, and what is meant is not', () => {
  for (const [text, column, expected] of [
    ['NULL', 'name', 'is "NULL"'],
    ['\\N', 'keywords', 'is "\\N"'],
    ['nan', 'description', 'is "nan"'],
    ['Null and void', 'name', undefined],
    ['Nan', 'name', undefined],
    ['Cloud_x000D_', 'name', 'contains _x000D_'],
    ['<p>a</p>\\r\\n<p>b</p>', 'content', 'contains \\n'],
    ['one\\ntwo', 'content', 'contains \\n'],
    ['C:\\new', 'content', undefined],
    ['\\\\server\\new', 'content', undefined],
    ['<code>a\\n</code>', 'content', undefined],
    ['`a\\n`', 'content', undefined],
    ['Caf&eacute;', 'title', 'contains &eacute;'],
    ['A &amp; B', 'title', undefined],
    ['don&#8217;t', 'name', 'contains &#8217;'],
    ['a &#x2014; b', 'name', 'contains &#x2014;'],
    ['Research & Development; sales', 'name', undefined],
    ['<p>Caf&eacute;</p>', 'content', undefined],
  ] as const)
    assert.equal(
      leftoverIn(text, column, 'csv')?.replace(/(?:, (?:as|but)| in place).*/, ''),
      expected,
      text,
    );
  for (const format of ['json', 'sheet', 'markdown'] as const) {
    assert.equal(leftoverIn('NULL', 'name', format), undefined);
    assert.match(leftoverIn('a&nbsp;b', 'title', format) ?? '', /^contains &nbsp;/);
  }
});
