import { type ChangesHead, unservedColumns } from '../../contract/changes.ts';
import type { ChangeStyle } from './change.ts';
import { type ChangeReport, openChangeReport } from './change-report.ts';
import type { IsVisible } from './visible-rows.ts';

const style: ChangeStyle = { has: isServed, isPublic: true };

/**
 * Opens the report of what changes for visitors when a set replaces another; `wasVisible` and `isVisible` decide what
 * visitors see of the two. It has nothing that visitors could not see, and no values of a row that they cannot see any
 * more: whoever takes a news item off the site means it.
 */
export function openPublicReport(wasVisible: IsVisible, isVisible: IsVisible): ChangeReport<ChangesHead> {
  return openChangeReport(style, wasVisible, isVisible);
}

function isServed(column: string): boolean {
  return !unservedColumns.includes(column);
}
