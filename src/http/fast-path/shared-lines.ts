import { memoizePerSnapshot, type Snapshot } from '../../catalog/snapshot/snapshot.ts';
import type { Settings } from '../../settings/settings.ts';
import { corsHeaders } from '../plugins/cors.ts';
import { apiHeaders } from '../plugins/headers.ts';
import { headerOf } from '../server/request-checks.ts';

/** The header lines that all responses of a second share: those before the others, and those after them. */
export interface SharedLines {
  first: string;
  /** With the empty line that ends a head. */
  last: string;
}

/** Opens the lines of the responses to requests, given by their raw headers. They are as long as anything the same strings. */
export function openSharedLines({
  corsOrigin,
  keepAliveMs,
}: Pick<Settings, 'corsOrigin' | 'keepAliveMs'>): (snapshot: Snapshot, rawHeaders: string[]) => SharedLines {
  const firstTo = (origin: string | undefined) =>
    memoizePerSnapshot(({ version }) =>
      linesOf({ ...apiHeaders, ...corsHeaders(corsOrigin, origin), 'catalog-version': version }),
    );
  const firstToOthers = firstTo(undefined);
  const allowed = new Map(corsOrigin === '*' ? [] : corsOrigin.map(origin => [origin, firstTo(origin)]));
  const lastNow = openLastLines(keepAliveMs);
  return (snapshot, rawHeaders) => {
    const origin = allowed.size > 0 ? headerOf(rawHeaders, 'origin') : undefined;
    const first = (origin !== undefined && allowed.get(origin)) || firstToOthers;
    return { first: first(snapshot), last: lastNow() };
  };
}

/** What node:http adds to every response on a connection that stays open. */
function openLastLines(keepAliveMs: number): () => string {
  let lines = '';
  let second = 0;
  return () => {
    const now = Math.floor(Date.now() / 1000);
    if (now === second) return lines;
    second = now;
    const date = new Date(now * 1000).toUTCString();
    const keepAlive = `timeout=${Math.floor(keepAliveMs / 1000)}`;
    lines = `${linesOf({ Date: date, Connection: 'keep-alive', 'Keep-Alive': keepAlive })}\r\n`;
    return lines;
  };
}

/** The lines of some headers. */
export function linesOf(headers: Record<string, string>): string {
  return Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join('');
}
