import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fold } from '../../src/snapshot/fold.ts';

test('texts that readers consider equal fold to the same text', () => {
  const groups = [
    ['Café', 'cafe', 'CAFE\u0301', 'ｃａｆé'],
    ['über', 'Uber', 'u\u0308ber', 'ÜBER'],
    ['Straße', 'STRASSE', 'strasse', 'STRAẞE'],
    ['œuvre', 'oeuvre', 'Œuvre'],
    ['smørrebrød', 'smorrebrod'],
    ['Łódź', 'lodz'],
    ['Đà Nẵng', 'da nang', 'Đa\u0300 Na\u0306\u0303ng'],
    ['İstanbul', 'istanbul', 'ıstanbul'],
    ['l’été', "l'ete", 'l＇été'],
    ['Wi‑Fi', 'wi-fi', 'Wi–Fi'],
    ['„Cloud“', '"cloud"'],
    ['Schiff\u00adfahrt', 'Schiff\u200bfahrt', '\ufeffSCHIFFFAHRT', 'Schi\ufb00fahrt'],
    ['ΟΔΟΣ', 'οδος', 'οδοσ', 'οδός'],
    ['Ελλάδα', 'ΕΛΛΑΔΑ', 'ελλαδα'],
    ['Ёлка', 'елка', 'ЕЛКА'],
    ['שָׁלוֹם', 'שלום'],
    ['مَرْحَبًا', 'مرحبا', 'مـرحبا'],
    ['ｶﾞ', 'ガ', 'カ\u3099'],
    ['한글', '\u1112\u1161\u11ab글'],
    ['5 ㎏', '5\u00a0kg'],
  ];
  for (const [first = '', ...others] of groups)
    for (const other of others) assert.equal(fold(other), fold(first), other);
});

test('letters that readers consider different stay different', () => {
  const pairs = "か/が は/ぱ ハ/バ й/и ї/і أ/ا कि/क ญ/ญ\u0e34 آ/ا 한/하 云/雲 a-b/ab it's/its ae/a ¡/!"
    .split(' ')
    .map(pair => pair.split('/'));
  for (const [one = '', other = ''] of pairs) assert.notEqual(fold(one), fold(other), one);
});

test('folding is idempotent, and composed or decomposed, in upper case or not, a character folds to the same', () => {
  for (let code = 0; code <= 0x1ffff; code += 1) {
    if (code >= 0xd800 && code <= 0xdfff) continue;
    const character = `a${String.fromCodePoint(code)}`;
    const folded = fold(character);
    assert.equal(fold(folded), folded, code.toString(16));
    assert.equal(fold(character.normalize('NFD')), folded, code.toString(16));
    // The upper case of the combining iota is a letter.
    if (!character.normalize('NFD').includes('\u0345'))
      assert.equal(fold(character.toUpperCase()), folded, code.toString(16));
  }
});

test('a run of marks is cut to 30, wherever it begins, and the rest of the text stays', () => {
  for (let before = 0; before < 62; before += 1) {
    for (const mark of ['\u0941', '\u{1e8d0}']) {
      const letters = 'א'.repeat(before);
      assert.equal(fold(`${letters}${mark.repeat(30)}ב`), `${letters}${mark.repeat(30)}ב`);
      for (const length of [31, 32, 59, 60, 61, 100]) {
        assert.equal(fold(`${letters}${mark.repeat(length)}ב`), `${letters}${mark.repeat(30)}ב`);
      }
    }
  }
});

test('a text of nothing but marks takes linear time', () => {
  // Sorting them would take hours.
  const pieces = ['\u0301\u0323', 'a\u0301\u0323', '\u05b0\u05b7\u0301', '\u0344', '\u200d', 'が', '\u0f77'];
  for (const piece of pieces) assert.ok(fold(`x${piece.repeat(400_000)}`).startsWith('X'));
});
