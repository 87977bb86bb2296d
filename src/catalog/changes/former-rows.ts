import { hash } from 'node:crypto';
import { beginningOf, SHORT_LENGTH } from '../../contract/changes.ts';

/** A value of a row. */
export type Value = string | number | boolean | undefined;

/** A row of any catalog. */
export type AnyRow = { readonly id: number } & Readonly<Record<string, Value>>;

/** A long text of a former row: enough to tell whether it changed, and to show how it began. */
export interface TextDigest {
  start: string;
  hash: string;
}

/** A value of a row that was served before. */
export type FormerValue = Value | TextDigest;

/** A row that was served before, whose long texts may be digests: only their successors are needed as a whole. */
export type FormerRow = { readonly id: number } & Readonly<Record<string, FormerValue>>;

/** A row that takes little memory, and does not keep the text of its file in memory. */
export function formerRow(row: AnyRow): FormerRow {
  const values = Object.entries(row);
  if (!values.some(([, value]) => typeof value === 'string')) return row;
  const former = values.map(([column, value]) => [
    column,
    typeof value === 'string' ? compact(value) : value,
  ]);
  return { ...row, ...Object.fromEntries(former) };
}

export function isSameValue(before: FormerValue, after: Value): boolean {
  if (typeof before !== 'object') return before === after;
  return typeof after === 'string' && after.length > SHORT_LENGTH && before.hash === hashOf(after);
}

/** A text that is cut out of a file refers to that file, until it is copied. */
function compact(text: string): string | TextDigest {
  if (text.length <= SHORT_LENGTH) return copyOf(text);
  return { start: copyOf(beginningOf(text)), hash: hashOf(text) };
}

function copyOf(text: string): string {
  return JSON.parse(JSON.stringify(text));
}

function hashOf(text: string): string {
  return hash('sha1', Buffer.from(text, 'utf16le'));
}
