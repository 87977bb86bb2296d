import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import iconv from 'iconv-lite';
import { damageIn, leftoverIn } from '../../src/set/cells/warnings.ts';

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

/** What people write, a text a line. */
const SENTENCES = `Größere Server für schöne Straßen: „Viel Spaß“, sagt Jürgen … äußerst günstig – ab 5 €.
IRMÔ, SÃO PAULO, «café», Straße, déjà vu, prices in £ and ½
IRMÃ e IRMÃO: PROMOÇÃO DE VERÃO, NÃO PERCA!
Não há previsão de manutenção até amanhã; a situação está sob controle.
Le café déjà ouvert à Noël, où l’œuvre française a été créée.
«\u00a0Voilà\u00a0» – c’est prêt\u00a0!
CAFÉ™
MENÜ…
JALAPEÑO’S
3×½
Zażółć gęślą jaźń – „źródło” łączności.
Příliš žluťoučký kůň úpěl ďábelské ódy – „dobrý den“.
Árvíztűrő tükörfúrógép, „jó napot”…
Yeni sunucularımız İstanbul’da açıldı; çok güçlü, hızlı ağ.
Það er gott veður í dag, þökk sé sólinni.
Máy chủ mới đã sẵn sàng; tốc độ nhanh hơn, giá rẻ hơn. ÂM THANH
Съешь ещё этих мягких французских булок…
Νέοι διακομιστές είναι διαθέσιμοι…
שרתים חדשים זמינים עכשיו
خوادم جديدة متاحة الآن في مركز البيانات
高性能計算已經上線，歡迎申請試用。锟
新しいサーバーのご提供を開始しました。
새로운 클라우드 서버가 시작되었습니다.
Is it ready? Yes! C++ & <b>more</b>? 😀
Ã¶, aber schöner`.split('\n');

const WRONG = /^has wrong characters such as /;

test('text is not damaged in any language, but it is once it was encoded twice', () => {
  for (const sentence of SENTENCES) {
    assert.equal(damageIn(sentence), undefined, sentence);
    if (!/[^\0-\x7f]/.test(sentence) || sentence.startsWith('Ã')) continue;
    for (const encoding of ['latin1', 'windows-1252'] as const)
      assert.match(damageIn(doublyEncoded(sentence, encoding)) ?? '', WRONG, sentence);
  }
  const letters = fc.constantFrom(
    ...'abcXYZ 019.,-!?äöüßéèêàçñõãîôåøæœžšřčěůľąęłżźćńőűığşāēģķđћÄÖÜÉÈÇÑØŁŚŽİΩ',
    ...'абвгдежзийклмнопрстуфхцчшщъыьэюяёАБВЭЮЯαβγδεζηθικλμνξοπρστυφχψωάέή',
    ...'אבגדהוזחטיכלמנסעפצקרשתابتثجحخدذرزسشصضطظعغفقكلمنهويกขคงจดตบปยรลวสหอकखगघचजटडतदनपबमयरलवसह',
    ...'的一是不了在有人我他这中大来上国云服务器价格あいうえおカキクケコ日本語가나다라마바사클라우드서버—–…“”’€™😀🚀',
  );
  const encodings = fc.constantFrom('latin1' as const, 'windows-1252' as const);
  fc.assert(
    fc.property(fc.string({ unit: letters, minLength: 1 }), encodings, (text, encoding) => {
      fc.pre(/[^\0-\x7f]/.test(text));
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

test('text without the five bytes that windows-1252 leaves out is recognized too', () => {
  for (const text of [
    '服务器已经上线，欢迎大家试用',
    'Příliš žluťoučký kůň úpěl',
    'Это наши новые серверы',
  ]) {
    const reduced = doublyEncoded(text, 'windows-1252').replace(/[\x80-\x9f]/g, '');
    assert.match(damageIn(reduced) ?? '', WRONG, text);
  }
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
    ['C:\\new', 'content', undefined],
    ['\\\\server\\new', 'content', undefined],
    ['<code>a\\n</code>', 'content', undefined],
    ['Caf&eacute;', 'title', 'contains &eacute;'],
    ['A &amp; B', 'title', undefined],
    ['don&#8217;t', 'name', 'contains &#8217;'],
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
