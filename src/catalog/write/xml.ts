export const PROLOG = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
export const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';

/** Characters that XML cannot have, would change, or advises against, and what reads as one of them. */
const UNSAFE = /(?![\t\n])[\p{Cc}\p{Noncharacter_Code_Point}]|_(?=x[\da-f]{4}_)/giu;

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** Text for an element or an attribute. */
export function xmlText(text: string): string {
  return text.replace(/[&<>"]/g, character => ENTITIES[character] ?? '');
}

/** The text of a cell, whose unsafe characters are written as in `_x000D_` (ECMA-376, 22.9.2.19). */
export function cellXml(text: string): string {
  return xmlText(text.replace(UNSAFE, character => character.replace(/./gs, escapedUnit)));
}

function escapedUnit(unit: string): string {
  return `_x${unit.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}_`;
}

/** An element at the top of a part of a workbook. */
export function part(name: string, content: string): string {
  return `${PROLOG}<${name} xmlns="${MAIN}" xmlns:r="${OFFICE}">${content}</${name}>`;
}

/** `A`, `B` and so on: no catalog has more than 26 columns. */
export function columnLetter(column: number): string {
  return String.fromCharCode(65 + column);
}
