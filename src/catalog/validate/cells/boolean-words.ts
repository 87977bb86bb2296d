/** What cells of CSV files say for true and for false, in lower case: each word means one thing in every language. */
export const booleanWords = {
  true: [
    ...['true', '1', '1.0', '1,0', 'yes', 'y', 'on', 'x'],
    ...['wahr', 'ja', 'vrai', 'oui', 'verdadero', 'sí', 'si', 'vero', 'verdadeiro', 'sim', 'waar'],
    ...['prawda', 'истина', 'да', '真', '是'],
  ],
  false: [
    ...['false', '0', '0.0', '0,0', 'no', 'n', 'off'],
    ...['falsch', 'nein', 'faux', 'non', 'falso', 'não', 'onwaar'],
    ...['fałsz', 'ложь', 'нет', '假', '否'],
  ],
} as const;

const values = new Map<string, boolean>([
  ...booleanWords.true.map(word => [word, true] as const),
  ...booleanWords.false.map(word => [word, false] as const),
]);

/** Reads a word in any letter case, also in full width as East Asian programs write it; undefined for other text. */
export function parseBooleanWord(text: string): boolean | undefined {
  return values.get(text.normalize('NFKC').toLowerCase());
}
