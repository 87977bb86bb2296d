import type { ChangesHead } from '../contract/changes.ts';
import { rfc3339 } from '../time-zone.ts';
import { type ChangeTable, openPublicReport } from './compare/changes.ts';
import { openSummary } from './compare/lines.ts';
import { openTags } from './compare/tags.ts';
import { type FormerSet, type SetContent, walkChanges } from './compare/walk.ts';
import { type HoldReason, openHoldBack } from './hold-back/hold-back.ts';
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

/** Compares two sets in one walk, from which all that follows from the change is derived. */
export function compareSets(
  before: FormerSet,
  after: SetContent,
  { names, guarded }: ComparedOptions,
  now = Date.now() / 1000,
): Changes {
  const [report, summary, tags] = [openPublicReport(), openSummary(), openTags(after, now)];
  const rules = guarded && openHoldBack({ ...guarded, set: after, now });
  walkChanges(before, after, rules ? [report, summary, tags, rules] : [report, summary, tags], now);
  return {
    summary: summary.text(),
    table: report.table({ ...names, time: rfc3339(now) }),
    holds: rules?.reasons() ?? [],
    tags: tags.tags(),
  };
}
