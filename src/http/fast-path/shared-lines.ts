import { type CachingHeaders, openCaching } from '../../answer/cache-control.ts';
import { varyWith } from '../../answer/compression.ts';
import type { Settings } from '../../settings/settings.ts';
import { memoizePerSnapshot, type Snapshot } from '../../snapshot/snapshot.ts';
import { corsHeaders } from '../plugins/cors.ts';
import { apiHeaders } from '../plugins/headers.ts';
import { headerOf } from '../server/request-checks.ts';

/** What the responses of a second have in common. */
export interface SharedLines {
  /** The header lines before the others. */
  first: string;
  /** The same for content whose coding the client chooses. */
  firstOfNegotiated: string;
  /** Those after them, with the empty line that ends a head. */
  last: string;
  cachingHeaders: CachingHeaders | undefined;
}

/** What the lines depend on. */
export interface SharedLinesOptions extends Pick<Settings, 'corsOrigin' | 'keepAliveMs' | 'cacheMaxAge'> {
  /** The time, in Unix seconds. */
  now(): number;
}

/**
 * Opens the lines of the responses to requests, given by their raw headers: the same object for the same snapshot, second
 * and origin.
 */
export function openSharedLines({
  corsOrigin,
  keepAliveMs,
  cacheMaxAge,
  now,
}: SharedLinesOptions): (snapshot: Snapshot, rawHeaders: string[]) => SharedLines {
  const cachingHeaders = openCaching(cacheMaxAge, now);
  const lastNow = openLastLines(keepAliveMs, now);
  const linesTo = (origin: string | undefined) =>
    memoizePerSnapshot(({ version }) => {
      const headers: Record<string, string> = {
        ...apiHeaders,
        ...corsHeaders(corsOrigin, origin),
        'catalog-version': version,
      };
      const first = linesOf(headers);
      const firstOfNegotiated = linesOf({ ...headers, vary: varyWith(headers.vary) });
      let lines: SharedLines | undefined;
      return () => {
        const last = lastNow();
        if (lines?.last !== last) lines = { first, firstOfNegotiated, last, cachingHeaders };
        return lines;
      };
    });
  const linesToOthers = linesTo(undefined);
  const allowed = new Map(corsOrigin === '*' ? [] : corsOrigin.map(origin => [origin, linesTo(origin)]));
  return (snapshot, rawHeaders) => {
    const origin = allowed.size > 0 ? headerOf(rawHeaders, 'origin') : undefined;
    const lines = (origin !== undefined && allowed.get(origin)) || linesToOthers;
    return lines(snapshot)();
  };
}

/** What node:http adds to every response on a connection that stays open. */
function openLastLines(keepAliveMs: number, now: () => number): () => string {
  const keepAlive = `timeout=${Math.floor(keepAliveMs / 1000)}`;
  let lines = '';
  let second: number | undefined;
  return () => {
    const time = Math.floor(now());
    if (time !== second) {
      second = time;
      const date = new Date(time * 1000).toUTCString();
      lines = `${linesOf({ Date: date, Connection: 'keep-alive', 'Keep-Alive': keepAlive })}\r\n`;
    }
    return lines;
  };
}

/** The lines of some headers. */
export function linesOf(headers: Record<string, string>): string {
  return Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join('');
}
