import { type CellSource, joinText, textSource } from '../sheet/cell-source.ts';
import type { Archive } from '../workbook/archive.ts';
import { readXml } from '../workbook/xml.ts';

/** The texts that the cells of a workbook refer to by their index, as cells. */
export async function readSharedStrings(archive: Archive, part: string): Promise<CellSource[]> {
  const strings: CellSource[] = [];
  const { open, text, close, take } = collectText();
  await readXml(archive, part, {
    open,
    text,
    close(name) {
      close(name);
      if (name === 'si') strings.push(textSource(take()));
    },
  });
  return strings;
}

/** Collects the text of `t` elements, also of runs with a format of their own, but not how it is pronounced (`rPh`). */
export function collectText() {
  let text = '';
  let isText = false;
  let isPhonetic = false;
  return {
    open(name: string) {
      if (name === 't') isText = !isPhonetic;
      else if (name === 'rPh') isPhonetic = true;
    },
    text(piece: string) {
      if (isText) text = joinText(text, piece);
    },
    close(name: string) {
      if (name === 't') isText = false;
      else if (name === 'rPh') isPhonetic = false;
    },
    /** The text since it was last taken. */
    take() {
      const taken = withoutEscapes(text);
      text = '';
      return taken;
    },
  };
}

/** Characters that XML cannot have, or would change, are written as in `_x000D_` (ECMA-376, 22.9.2.19). */
export function withoutEscapes(text: string): string {
  return text.replace(/_x([0-9a-f]{4})_/gi, (_, code: string) =>
    String.fromCharCode(Number.parseInt(code, 16)),
  );
}
