import type { ChangesHead } from '../contract/changes.ts';
import { rfc3339 } from '../time-zone.ts';
import { type ChangeTable, publicReport } from './compare/changes.ts';
import { differencesOf, type FormerSet, type SetContent } from './compare/differences.ts';
import { summaryOf } from './compare/lines.ts';
import { changedTags } from './compare/tags.ts';
import { type HoldReason, holdReasons } from './hold-back/hold-back.ts';
import type { Replacement } from './hold-back/rules.ts';

/** What changes when a set replaces another. */
export interface Changes {
  /** One line such as `3 prices changed`. */
  summary: string;
  /** The public list. */
  table: ChangeTable;
  /** Why the set waits until somebody confirms it; empty if it does not. */
  holds: HoldReason[];
  /** What caches have to purge. */
  tags: string[];
}

/** What else decides what follows from a change. */
interface ComparedOptions {
  /** The versions of the two sets. */
  names: Pick<ChangesHead, 'from' | 'to'>;
  /** What the rules of holding back need; undefined if the set is not held back. */
  guarded?: Pick<Replacement, 'cutOff' | 'gone'> | undefined;
}

/** Compares two sets once, and derives all that follows from the change. `now` is in Unix seconds. */
export function compareSets(
  before: FormerSet,
  after: SetContent,
  { names, guarded }: ComparedOptions,
  now = Date.now() / 1000,
): Changes {
  const differences = differencesOf(before, after, now);
  return {
    summary: summaryOf(differences),
    table: publicReport(differences, { ...names, time: rfc3339(now) }),
    holds: guarded ? holdReasons({ ...guarded, set: after, differences, now }) : [],
    tags: changedTags(differences, after, now),
  };
}
