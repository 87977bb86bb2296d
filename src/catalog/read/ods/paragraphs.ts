import { joinText } from '../sheet/cell-source.ts';
import { damaged } from '../workbook/fault.ts';

/** More spaces in a row are an accident or an attack. */
const MAX_SPACES = 1_000;

/**
 * Collects the paragraphs of a cell, each a line. Spaces, tabs and line breaks are elements (OpenDocument 1.3, 6.1). Notes
 * and pictures in the cell are left out.
 */
export function collectParagraphs() {
  let text = '';
  let paragraphs = 0;
  /** How deep the element is: 1 for a paragraph, 0 outside. */
  let depth = 0;
  let isText = false;
  const add = (piece: string) => {
    if (isText) text = joinText(text, piece);
  };
  return {
    open(name: string, attributes: Readonly<Record<string, string>>) {
      depth += 1;
      if (depth === 1) {
        isText = name === 'p';
        if (isText && paragraphs > 0) add('\n');
        if (isText) paragraphs += 1;
      } else if (name === 's') add(' '.repeat(spaces(attributes['text:c'])));
      else if (name === 'tab') add('\t');
      else if (name === 'line-break') add('\n');
    },
    text(piece: string) {
      // LibreOffice keeps spaces in a row, against 6.1.2, and versions before 7.5 write them.
      if (depth > 0) add(piece.replace(/ *[\t\n\r][\t\n\r ]*/g, ' '));
    },
    close() {
      depth -= 1;
    },
    /** Whether an element of the cell is open. */
    isInside: () => depth > 0,
    /** The text since it was last taken. */
    take(): string {
      const taken = text;
      text = '';
      paragraphs = 0;
      return taken;
    },
  };
}

function spaces(count = '1'): number {
  const number = Number(count);
  if (Number.isInteger(number) && number >= 0 && number <= MAX_SPACES) return number;
  throw damaged(`${count} is no number of spaces`);
}
