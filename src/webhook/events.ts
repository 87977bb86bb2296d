import { hash } from 'node:crypto';
import type { WebhookPayload } from '../contract/webhook.ts';
import { formatHolds, formatProblems, howToConfirm, jsonReport, newChanges } from '../live/report.ts';
import type { CatalogStatus } from '../live/status.ts';
import { plural } from '../messages.ts';

/** What is true of the catalogs, as their owner wants to hear it. */
export interface CatalogEvent {
  type: 'live' | 'refused' | 'held' | 'rolled_back';
  /** The same as long as there is no news; empty if all is well. */
  key: string;
  lines: string[];
  data: Omit<WebhookPayload['data'], 'version' | 'tags'>;
}

/** The most problems of a refused set. */
const MAX_PROBLEMS = 5;
/** The most characters of a text. Discord refuses more than 2,000. */
const MAX_TEXT = 1_900;
const ESCAPES = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '@': '@\u200b' };

/** What to announce; undefined while nothing is sure. */
export function eventOf({ served, attempt, held, pinned }: CatalogStatus): CatalogEvent | undefined {
  const still = served ? `Version ${served.snapshot.version} is still served.` : 'Nothing is served yet.';
  if (pinned) {
    const { version, fault } = pinned;
    const effect = fault
      ? `It cannot be served: ${fault}. ${still}`
      : "Changed files are not loaded until you run 'vitrine unpin'.";
    return event('rolled_back', [`Version ${version} is pinned. ${effect}`]);
  }
  if (held) {
    const { version, report } = held;
    const lines = [`Version ${version} is held back. ${still}`, ...formatHolds(report), howToConfirm(held)];
    return event('held', lines, { held: { version, reasons: report.holds ?? [] } });
  }
  if (attempt?.outcome === 'failed') {
    const { problems, errors } = jsonReport(attempt.report);
    const line = `The changed files were refused: ${plural(errors, 'error')}. ${still}`;
    const lines = [line, ...formatProblems(attempt.report)];
    const refused = event('refused', lines, { problems: problems.slice(0, MAX_PROBLEMS) });
    return { ...refused, lines: lines.slice(0, MAX_PROBLEMS + 1) };
  }
  if (!served || attempt?.outcome === 'pending') return undefined;
  const changes = newChanges(served.report);
  const line = `Version ${served.snapshot.version} is live${changes ? `: ${changes}` : ''}.`;
  return { type: 'live', key: '', lines: [line], data: changes ? { changes } : {} };
}

function event(type: CatalogEvent['type'], lines: string[], data: CatalogEvent['data'] = {}): CatalogEvent {
  return { type, key: hash('sha256', `${type} ${lines.join()}`), lines, data };
}

/** A text for a chat, in which cells are neither markup nor names that are pinged. */
export function chatText(lines: readonly string[]): string {
  const escaped = lines.join('\n').replace(/[&<>@]/g, sign => ESCAPES[sign as keyof typeof ESCAPES]);
  // Whole lines, so that no escape is cut.
  return escaped.length <= MAX_TEXT ? escaped : `${escaped.slice(0, escaped.lastIndexOf('\n', MAX_TEXT))}\n…`;
}
