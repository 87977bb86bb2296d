import type { CatalogName } from '../../../contract/columns.ts';
import type { ChangeVisitor, SetContent } from '../walk.ts';

/** A set that is to replace another: what rules know of it besides the differences that they are shown. */
export interface Replacement {
  set: SetContent;
  /** When it is compared, in Unix seconds. */
  now: number;
  /** What to do about each file that seems to be cut off, a sentence each. */
  cutOff: readonly string[];
  /** What to do about a catalog whose file is gone. */
  gone(catalog: CatalogName): string;
}

/** Looks for one kind of drastic change among the differences between two sets. */
export interface Watcher extends Partial<ChangeVisitor> {
  /** What it found, a sentence each: what would happen, then what to do. */
  messages(): string[];
}

export type Rule = (replacement: Replacement) => Watcher;
