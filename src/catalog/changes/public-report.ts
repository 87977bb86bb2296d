import { type ChangesHead, unservedColumns } from '../../contract/changes.ts';
import type { ChangeStyle } from './change.ts';
import { type ChangeReport, openChangeReport } from './change-report.ts';

const style: ChangeStyle = { has: isServed, isPublic: true };

/**
 * Opens the report of what changes for visitors when a set replaces another. It has nothing that visitors could not see,
 * and no values of a row that they cannot see any more: whoever takes a news item off the site means it.
 */
export function openPublicReport(): ChangeReport<ChangesHead> {
  return openChangeReport(style);
}

function isServed(column: string): boolean {
  return !unservedColumns.includes(column);
}
