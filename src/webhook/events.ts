import { createHash } from 'node:crypto';
import type { KindTag, WebhookPayload } from '../contract/webhook.ts';
import { formatHolds, formatProblems, howToConfirm, jsonReport, newChanges } from '../live/report.ts';
import type { CatalogStatus } from '../live/status.ts';
import { plural } from '../messages.ts';
import { tagsOf } from '../set/compare/tags.ts';
import type { Snapshot } from '../snapshot/snapshot.ts';

/** What is true of the catalogs, as their owner wants to hear it. */
export interface CatalogEvent {
  type: 'live' | 'refused' | 'held' | 'rolled_back';
  /** The same as long as there is no news; empty if all is well. */
  key: string;
  /** For people. */
  lines: string[];
  data: Omit<WebhookPayload['data'], 'version' | 'tags'>;
}

/** The most problems of a refused set. */
const MAX_PROBLEMS = 5;
/** The most characters of a text. Discord refuses more than 2,000. */
const MAX_TEXT = 1_900;

/** What to announce; undefined while nothing is sure. */
export function eventOf({ served, attempt, held, pinned }: CatalogStatus): CatalogEvent | undefined {
  const still = served ? `Version ${served.snapshot.version} is still served.` : 'Nothing is served yet.';
  if (pinned) {
    const { version, fault } = pinned;
    const lines = fault
      ? [`Version ${version} is pinned, but cannot be served: ${fault}.`, still]
      : [
          `Version ${version} is pinned: changed files are not loaded.`,
          "To load them again, run 'vitrine unpin'.",
        ];
    return event('rolled_back', lines, {});
  }
  if (held) {
    const { version, report } = held;
    const lines = [`Version ${version} is held back. ${still}`, ...formatHolds(report)];
    const data = { held: { version, reasons: report.holds ?? [] } };
    return event('held', lines, data, [...lines, howToConfirm(held)]);
  }
  if (attempt?.outcome === 'failed') {
    const { problems, errors } = jsonReport(attempt.report);
    const line = `The changed files were refused: ${plural(errors, 'error')}. ${still}`;
    const lines = [line, ...formatProblems(attempt.report)];
    const data = { problems: problems.slice(0, MAX_PROBLEMS) };
    return event('refused', lines, data, lines.slice(0, MAX_PROBLEMS + 1));
  }
  if (!served || attempt?.outcome === 'pending') return undefined;
  const changes = newChanges(served.report);
  const line = `Version ${served.snapshot.version} is live${changes ? `: ${changes}` : ''}.`;
  return { type: 'live', key: '', lines: [line], data: changes ? { changes } : {} };
}

/** Of the lines that make it news, a person gets only those that are `shown`. */
function event(
  type: CatalogEvent['type'],
  lines: string[],
  data: CatalogEvent['data'],
  shown = lines,
): CatalogEvent {
  return { type, key: `${type} ${digest(lines.join('\n'))}`, lines: shown, data };
}

/** A text for a chat. What a cell holds is neither markup there nor the name of somebody who is called. */
export function chatText(lines: readonly string[]): string {
  const names = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '@': '@\u200b' } as const;
  const escaped = lines.map(line => line.replace(/[&<>@]/g, sign => names[sign as keyof typeof names]));
  const fitting = escaped.filter((_, end) => escaped.slice(0, end + 1).join('\n').length <= MAX_TEXT);
  return [...fitting, ...(fitting.length < lines.length ? ['…'] : [])].join('\n');
}

/** The tags of answers that the clock alone changes, after `from` and up to `to` (Unix seconds). */
export function scheduledTags({ news }: Snapshot, from: number, to: number): string[] {
  const kinds = new Set<KindTag>();
  const types = new Set<number>();
  const isDue = (time = 0) => from < time && time <= to;
  for (const [row, type] of news.type_id.entries()) {
    const hasVanished = isDue(news.unpublish_time[row]);
    if (hasVanished || isDue(news.publish_time[row])) types.add(type);
    if (hasVanished && news.img[row]) kinds.add('images');
  }
  return tagsOf(kinds, new Set(), types);
}

export function digest(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 16);
}
